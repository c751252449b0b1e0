/** A loaded index: centroids, and for each the bucket of the rows that are closest to it. */
import { codeBytes } from '../../../wasm/kernels/kernels.ts'
import type { BestRecords } from '../codes/best-records.ts'
import type { Bucket } from '../codes/bucket.ts'
import type { CodeMemory, Probe } from '../codes/int8-codes.ts'
import type { Rows } from '../codes/rows.ts'
import { scanBuckets, scanRecords } from '../codes/scan.ts'
import { BinaryCoder } from './binary-coder.ts'
import { BinaryCodes, type List, prefilter } from './prefilter.ts'

/**
 * Fraction of the lists that a search reads, best first. Recall: 98.5 % of the same-person pairs with a cosine of 0.4 or more,
 * among a million vectors of 128 values (1,000 lists). Source: `npm run bench -- recall`.
 */
const PROBED_FRACTION = 0.5

/** Least number of rows that a search reads: scoring fewer binary codes saves no noticeable time. */
const MIN_ROWS_READ = 50_000

/**
 * Rows that are scored by their int8 codes: per wanted candidate, and at least. Fewer would lose pairs that the lists
 * contain.
 */
const RESCORED_PER_CANDIDATE = 8
const MIN_RESCORED = 1_024

/** Trained part of an index. The index file stores it. */
export interface TrainedIndex {
  /** One unit vector per list: its centroid. */
  readonly model: Float32Array
  /** Number of lists, at least 1. */
  readonly lists: number
}

/** Index of one gallery in the memory of a shard's thread. */
export class InvertedFile {
  /** Rows of the index: one bucket per list. */
  readonly buckets: readonly Bucket[]
  readonly #coder: BinaryCoder
  /** In the order of the buckets. */
  readonly #lists: readonly List[]
  readonly #memory: CodeMemory
  readonly #floats: number
  readonly #address: number
  readonly #order: number
  #memoryOrder: readonly number[] | undefined

  /** `buckets` has one empty bucket per list. Throws StoreUnavailable (`full`). */
  constructor(memory: CodeMemory, { model: centroids, lists }: TrainedIndex, buckets: readonly Bucket[]) {
    const dimension = centroids.length / lists
    this.#memory = memory
    this.#floats = codeBytes(dimension)
    // The scores of a ranking follow the centroids.
    this.#order = Math.ceil(Math.log2(lists * (this.#floats + 1) * 4))
    this.#address = memory.take(this.#order)
    this.buckets = buckets
    this.#coder = new BinaryCoder(memory, middleOf(centroids, dimension))
    this.#lists = buckets.map(bucket => {
      const codes = new BinaryCodes(memory, this.#coder)
      bucket.rowCodes = codes
      return { bucket, codes }
    })
    for (let list = 0; list < lists; list++) {
      const centroid = centroids.subarray(list * dimension, (list + 1) * dimension)
      memory.floats.set(centroid, this.#address / 4 + list * this.#floats)
    }
  }

  /** Sets the expected number of rows of each list: each gets a few large blocks of memory. */
  expectRows(sizes: ArrayLike<number>): void {
    for (const [list, bucket] of this.buckets.entries()) bucket.expected = sizes[list] ?? 0
  }

  /**
   * Offers rows of the best lists, by their scores for the memory's probe: every row when they are few, otherwise the
   * rows with the best binary codes. Offered rows have the same scores as in an exact scan.
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

const rowsOf = (lists: readonly List[]) => lists.reduce((sum, { bucket }) => sum + bucket.size, 0)

function middleOf(centroids: Float32Array, dimension: number): Float32Array {
  const middle = new Float32Array(dimension)
  for (let at = 0; at < centroids.length; at++) middle[at % dimension]! += centroids[at]!
  return middle.map(sum => (sum * dimension) / centroids.length)
}
