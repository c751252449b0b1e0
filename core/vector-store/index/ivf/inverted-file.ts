/** A loaded index: centroids, and for each the bucket of the rows that are closest to it. */
import { codeBytes, GROUP_ROWS } from '../../../../wasm/kernels/kernels.ts'
import type { BestRecords } from '../../codes/best-records.ts'
import type { Bucket } from '../../codes/bucket.ts'
import type { CodeMemory, Probe } from '../../codes/code-memory.ts'
import { Extents } from '../../codes/extents.ts'
import type { Rows } from '../../codes/rows.ts'
import { scanBuckets, scanRecords } from '../../codes/scan.ts'
import type { IndexKind, TrainedIndex, VectorIndex } from '../vector-index.ts'
import { BinaryCoder } from './binary-coder.ts'
import { listsFor, openKMeansTrainer, SAMPLE_PER_LIST } from './k-means.ts'
import { BinaryCodes, type List, prefilter } from './prefilter.ts'

/**
 * Fraction of the lists that a search reads, best first. It finds 98 % of the same-person pairs with a cosine of 0.4 or
 * more among a million vectors of 128 values (1,000 lists). Source: `npm run bench -- recall`.
 */
const PROBED_FRACTION = 0.6

/** Least number of rows that a search reads: scoring fewer binary codes saves no noticeable time. */
const MIN_ROWS_READ = 50_000

/**
 * Rows that are scored by their int8 codes: per wanted candidate, and at least. Fewer would lose pairs that the lists
 * contain.
 */
const RESCORED_PER_CANDIDATE = 8
const MIN_RESCORED = 1_024

export class InvertedFile implements VectorIndex {
  readonly buckets: readonly Bucket[]
  readonly #coder: BinaryCoder
  /** In the order of the buckets. */
  #lists: readonly List[] = []
  readonly #memory: CodeMemory
  readonly #floats: number
  readonly #address: number
  readonly #order: number
  #memoryOrder: readonly number[] | undefined

  /** The model has one unit vector per list: its centroid. Throws StoreUnavailable (`full`). */
  constructor(memory: CodeMemory, { model: centroids, lists }: TrainedIndex, buckets: readonly Bucket[]) {
    const dimension = centroids.length / lists
    this.#memory = memory
    this.#floats = codeBytes(dimension)
    // The scores of a ranking follow the centroids.
    this.#order = Math.ceil(Math.log2(lists * (this.#floats + 1) * 4))
    this.#address = memory.take(this.#order)
    this.buckets = buckets
    this.#coder = new BinaryCoder(memory, middleOf(centroids, dimension))
    for (let list = 0; list < lists; list++) {
      const centroid = centroids.subarray(list * dimension, (list + 1) * dimension)
      memory.floats.set(centroid, this.#address / 4 + list * this.#floats)
    }
  }

  /** Reserves memory for the binary codes, list by list. */
  expectRows(sizes: ArrayLike<number>): void {
    const { groupBytes } = this.#coder
    const groups = Array.from(sizes).reduce((sum, size) => sum + Math.ceil(size / GROUP_ROWS), 0)
    const extents = new Extents(this.#memory, Math.max(1, groups) * groupBytes)
    this.#lists = this.buckets.map(bucket => {
      const codes = new BinaryCodes(this.#coder, extents)
      bucket.rowCodes = codes
      return { bucket, codes }
    })
  }

  /**
   * Offers rows of the best lists, by their scores for the memory's probe: every row when they are few, otherwise the
   * rows with the best binary codes.
   */
  scan(rows: Rows, wanted: number, probe: Probe, best: BestRecords): void {
    const lists = this.#closest(Math.max(MIN_ROWS_READ, wanted))
    const rescored = Math.max(MIN_RESCORED, RESCORED_PER_CANDIDATE * wanted)
    if (rowsOf(lists) <= rescored) {
      const buckets = lists.map(({ bucket }) => bucket)
      scanBuckets(rows, buckets, probe, best)
      return
    }
    this.#coder.probe(probe.unit)
    scanRecords(rows, prefilter(this.#memory, this.#coder, lists, rescored), probe, best)
  }

  /**
   * The best lists for the memory's probe, with at least `least` rows if there are as many. In memory order,
   * because random access adds a fifth to the time of a scan.
   */
  #closest(least: number): List[] {
    const scores = this.#rank()
    const sorted = Float32Array.from(scores).sort()
    const lists = scores.length
    for (let count = Math.ceil(lists * PROBED_FRACTION); ; count = Math.min(2 * count, lists)) {
      const worst = sorted[lists - count]!
      const chosen: List[] = []
      for (const list of this.#inMemory()) if (scores[list]! >= worst) chosen.push(this.#lists[list]!)
      if (count === lists || rowsOf(chosen) >= least) return chosen
    }
  }

  /** Bucket of the centroid that is closest to the memory's probe. */
  bucketForProbe(): Bucket {
    const scores = this.#rank()
    let best = 0
    for (let list = 1; list < scores.length; list++) if (scores[list]! > scores[best]!) best = list
    return this.buckets[best]!
  }

  /** Releases the memory of the centroids and of all binary codes. */
  release(): void {
    for (const bucket of this.buckets) bucket.dropRowCodes()
    this.#coder.release()
    this.#memory.give(this.#address, this.#order)
  }

  /** Lists by the address of their first rows at the first search. Few lists move later. */
  #inMemory(): readonly number[] {
    if (this.#memoryOrder) return this.#memoryOrder
    const places = this.buckets.map(({ runs }, list) => ({ list, address: runs[0]?.address ?? 0 }))
    this.#memoryOrder = places.sort((a, b) => a.address - b.address).map(({ list }) => list)
    return this.#memoryOrder
  }

  #rank(): Float32Array {
    const lists = this.buckets.length
    const scores = this.#address + lists * this.#floats * 4
    this.#memory.rank(this.#address, lists, this.#floats, scores)
    return this.#memory.floats.subarray(scores / 4, scores / 4 + lists)
  }
}

const rowsOf = (lists: readonly List[]): number => lists.reduce((sum, { bucket }) => sum + bucket.size, 0)

function middleOf(centroids: Float32Array, dimension: number): Float32Array {
  const middle = new Float32Array(dimension)
  for (let at = 0; at < centroids.length; at++) middle[at % dimension]! += centroids[at]!
  return middle.map(sum => (sum * dimension) / centroids.length)
}

/** The kind of index that galleries use. Galleries with files of another kind get a new index at the next start. */
export const indexKind: IndexKind = {
  name: 'ivf',
  listsFor,
  samplePerList: SAMPLE_PER_LIST,
  open: (memory, trained, buckets) => new InvertedFile(memory, trained, buckets),
  openTrainer: openKMeansTrainer,
}
