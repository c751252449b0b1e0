/** Interface of a kind of index: how it divides rows into lists, and how its search selects rows. */
import type { KernelBuild } from '../../../wasm/kernels/kernels.ts'
import type { BestRecords } from '../codes/best-records.ts'
import type { Bucket } from '../codes/bucket.ts'
import type { CodeMemory, Probe } from '../codes/code-memory.ts'
import type { Rows } from '../codes/rows.ts'
import type { CodeSlice } from './slices.ts'

/** Trained part of an index. The index file stores it. */
export interface TrainedIndex {
  /** Values that only the kind of the index understands, for example one centroid per list. */
  readonly model: Float32Array
  /** Number of lists, at least 1. */
  readonly lists: number
}

/** Index of one gallery in the memory of a shard's thread. */
export interface VectorIndex {
  /** Rows of the index: one bucket per list. */
  readonly buckets: readonly Bucket[]
  /**
   * Prepares for these numbers of rows per list. Called once, before the first row is added. Throws StoreUnavailable
   * (`full`).
   */
  expectRows(sizes: ArrayLike<number>): void
  /** Bucket for a row without a list: the memory's probe is the vector of the row. */
  bucketForProbe(): Bucket
  /**
   * Offers rows of the buckets by their scores for the memory's probe, enough for `wanted` candidates. An index may
   * skip rows; the rows that it offers have the same scores as in an exact scan.
   */
  scan(rows: Rows, wanted: number, probe: Probe, best: BestRecords): void
  /** Releases all memory except the rows in the buckets. */
  release(): void
}

/** Trains an index and assigns rows to its lists, in the builder's thread. Deterministic in every kernel build. */
export interface IndexTrainer {
  /** Trains on a sample that has at least one row per list. `onProgress` receives 0..1. */
  train(sample: CodeSlice, lists: number, onProgress?: (part: number) => void): Float32Array
  /** List of each row of a slice, 0..lists - 1. Call `train` first. */
  assign(slice: CodeSlice): Uint32Array
}

/** A kind of index. */
export interface IndexKind {
  /** Extension of index files: lower-case letters. A change of the model's layout takes a new name. */
  readonly name: string
  /** Number of lists for a gallery of `rows` rows, at least 1. */
  listsFor(rows: number): number
  /** Number of sample rows per list for training. */
  readonly samplePerList: number
  /** Opens a trained index without rows. `buckets` has one empty bucket per list. Throws StoreUnavailable (`full`). */
  open(memory: CodeMemory, trained: TrainedIndex, buckets: readonly Bucket[]): VectorIndex
  /** Opens a trainer for vectors of a dimension. `build` selects a kernel build for measurements. */
  openTrainer(dimension: number, build?: KernelBuild): Promise<IndexTrainer>
}
