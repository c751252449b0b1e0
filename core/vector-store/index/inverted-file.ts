/** A loaded index: centroids, and of each the bucket of the rows that are closest to it. */
import { codeBytes } from '../../../wasm/kernels/kernels.ts'
import type { BestRecords } from '../codes/best-records.ts'
import type { Bucket } from '../codes/bucket.ts'
import type { CodeMemory, Probe } from '../codes/code-memory.ts'
import type { Rows } from '../codes/rows.ts'
import { scanBuckets, scanRecords } from '../codes/scan.ts'
import { BinaryCoder } from './binary-coding.ts'
import { prefilter } from './prefilter.ts'

/** What an index is made of beside the rows: unit vectors one behind the other, one for each list. */
export interface Centroids {
  readonly centroids: Float32Array
  readonly lists: number
}

/**
 * Part of the lists that a search looks at, the best first. Of the pairs of one person with a cosine of 0.4 or more it finds
 * 98 in 100 among a million vectors of 128 values (1,000 lists). Source: `npm run bench -- recall`.
 */
const PROBED_PART = 0.6

/** Rows that a search looks at, at least: their sketches are done before the gain of fewer would be felt. */
const LEAST_LOOKED = 50_000

/** Rows that are scored by their codes: for each that is wanted, and at least. Fewer lose pairs that the lists have. */
const SIEVED_FOR_EACH = 8
const LEAST_SIEVED = 1_024

export class InvertedFile {
  readonly sketching: BinaryCoder
  readonly buckets: readonly Bucket[]
  readonly #memory: CodeMemory
  readonly #floats: number
  readonly #address: number
  readonly #order: number
  #lists: readonly number[] | undefined

  /** `buckets`: one for each list. Throws StoreUnavailable (`full`). */
  constructor(memory: CodeMemory, { centroids, lists }: Centroids, buckets: readonly Bucket[]) {
    const dimension = centroids.length / lists
    this.#memory = memory
    this.#floats = codeBytes(dimension)
    // The scores of a ranking lie behind the centroids.
    this.#order = Math.ceil(Math.log2(lists * (this.#floats + 1) * 4))
    this.#address = memory.take(this.#order)
    this.buckets = buckets
    this.sketching = new BinaryCoder(memory, middleOf(centroids, dimension))
    for (let list = 0; list < lists; list++) {
      const centroid = centroids.subarray(list * dimension, (list + 1) * dimension)
      memory.floats.set(centroid, this.#address / 4 + list * this.#floats)
    }
  }

  /**
   * Offers rows of the best lists, by their scores for the memory's probe: of few all that are above the bar, of many those
   * whose sketches score best.
   */
  scan(rows: Rows, wanted: number, probe: Probe, best: BestRecords): void {
    const lists = this.#closest(Math.max(LEAST_LOOKED, wanted))
    const sieved = Math.max(LEAST_SIEVED, SIEVED_FOR_EACH * wanted)
    if (rowsOf(lists) <= sieved) {
      scanBuckets(rows, lists, probe, best)
      return
    }
    this.sketching.probe(probe.unit)
    scanRecords(rows, prefilter(this.#memory, this.sketching, lists, sieved), probe, best)
  }

  /**
   * The buckets to look at for the memory's probe: those of the best lists, enough of them to have so many rows. In the
   * order in which they lie in memory: jumping to and fro costs a fifth of a scan.
   */
  #closest(least: number): Bucket[] {
    const scores = this.#rank()
    const sorted = Float32Array.from(scores).sort()
    const lists = scores.length
    for (let count = Math.ceil(lists * PROBED_PART); ; count = Math.min(2 * count, lists)) {
      const worst = sorted[lists - count]!
      const chosen: Bucket[] = []
      for (const list of this.#inMemory()) if (scores[list]! >= worst) chosen.push(this.buckets[list]!)
      if (count === lists || rowsOf(chosen) >= least) return chosen
    }
  }

  /** The bucket of the centroid that is closest to the memory's probe. */
  best(): Bucket {
    const scores = this.#rank()
    let best = 0
    for (let list = 1; list < scores.length; list++) if (scores[list]! > scores[best]!) best = list
    return this.buckets[best]!
  }

  /** Gives the memory of the centroids and of all sketches back. */
  release(): void {
    for (const bucket of this.buckets) bucket.dropSketches()
    this.sketching.release()
    this.#memory.give(this.#address, this.#order)
  }

  /** The lists by where their first rows lie, as they did at the first search: few of them ever move. */
  #inMemory(): readonly number[] {
    if (this.#lists) return this.#lists
    const places = this.buckets.map(({ runs }, list) => ({ list, address: runs[0]?.address ?? 0 }))
    this.#lists = places.sort((a, b) => a.address - b.address).map(({ list }) => list)
    return this.#lists
  }

  #rank(): Float32Array {
    const lists = this.buckets.length
    const scores = this.#address + lists * this.#floats * 4
    this.#memory.rank(this.#address, lists, this.#floats, scores)
    return this.#memory.floats.subarray(scores / 4, scores / 4 + lists)
  }
}

const rowsOf = (buckets: readonly Bucket[]): number => buckets.reduce((sum, { size }) => sum + size, 0)

function middleOf(centroids: Float32Array, dimension: number): Float32Array {
  const middle = new Float32Array(dimension)
  for (let at = 0; at < centroids.length; at++) middle[at % dimension]! += centroids[at]!
  return middle.map(sum => (sum * dimension) / centroids.length)
}
