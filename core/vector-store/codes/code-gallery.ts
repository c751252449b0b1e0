/** One gallery as codes in memory: its spaces, its index, and the candidates that they give to a search. */

import { type Assignment, arrange, expectRows } from '../index/arrange.ts'
import { type Centroids, InvertedFile } from '../index/inverted-file.ts'
import { type CodeSlice, slices } from '../index/slices.ts'
import type { Space } from '../vector-store.ts'
import { BestRecords } from './best-records.ts'
import type { Bucket } from './bucket.ts'
import type { CodeMemory } from './code-memory.ts'
import { Rows } from './rows.ts'
import { type Scanned, scanBuckets, scannedBest, scoreError } from './scan.ts'

export interface ScanBounds {
  /** How many candidates there may be. */
  wanted: number
  /** Rows whose cosine is surely below it are passed over. */
  minScore?: number
  /** Looks at the space `linear` alone; it overrides `onlyIndex`. */
  linearOnly?: boolean
  /** Looks at the space `indexed` alone. */
  onlyIndex?: boolean
  /** Looks at every row, even where there is an index. */
  exact?: boolean
}

export interface ScannedWithIndex extends Scanned {
  /** Whether an index chose what was looked at: then rows of other lists are not spoken of. */
  readonly withIndex: boolean
}

/** Ids are unique within a gallery; vectors are unit vectors of its dimension. For one thread. */
export class CodeGallery {
  readonly dimension: number
  readonly #rows: Rows
  /** Takes what is added. */
  #newest: Bucket
  #index: InvertedFile | undefined
  /** The index whose lists are being filled. */
  #made: InvertedFile | undefined
  /** The greatest length that coding took away from a row since the gallery was empty. */
  #residual = 0

  constructor(memory: CodeMemory, dimension: number) {
    this.dimension = dimension
    this.#rows = new Rows(memory, dimension)
    this.#newest = this.#rows.open('linear')
  }

  get size(): number {
    return this.#rows.size
  }

  counts(): Record<Space, number> {
    const counts = { linear: 0, preindex: 0, indexed: 0 }
    for (const { space, size } of this.#rows.buckets()) counts[space] += size
    return counts
  }

  has(id: number): boolean {
    return this.#rows.find(id) !== undefined
  }

  /** Where the row of this id is; undefined when there is none. */
  space(id: number): Space | undefined {
    const address = this.#rows.find(id)
    return address === undefined ? undefined : this.#rows.bucketAt(address).space
  }

  /** All ids, in no order. */
  ids(): Float64Array {
    const ids = new Float64Array(this.size)
    let at = 0
    for (const bucket of this.#rows.buckets()) {
      for (const { address, rows } of bucket.runs) {
        for (let row = 0; row < rows; row++)
          ids[at++] = this.#rows.idAt(address + row * this.#rows.shape.stride)
      }
    }
    return ids
  }

  /**
   * Adds a row under an id that the gallery does not have: to `linear`, or to a list of the loaded index. Throws
   * StoreUnavailable (`full`), and nothing is changed.
   */
  add(id: number, unit: Float32Array, list?: number): void {
    const bucket = list === undefined ? this.#newest : this.#index!.buckets[list]!
    const { residual } = this.#rows.add(id, unit, bucket)
    this.#residual = Math.max(this.#residual, residual)
  }

  /** Removes a row and overwrites its record. Returns where it was; undefined when there was none. */
  remove(id: number): Space | undefined {
    const address = this.#rows.find(id)
    if (address === undefined) return undefined
    const { space } = this.#rows.bucketAt(address)
    this.#rows.remove(address)
    if (this.size === 0) this.#residual = 0
    return space
  }

  /** The best rows for a unit vector, by approximate scores. */
  scan(probe: Float32Array, bounds: ScanBounds): ScannedWithIndex {
    const { wanted, minScore = -2 } = bounds
    const ready = this.#rows.memory.probe(probe)
    const error = scoreError(ready, this.#residual)
    const index = bounds.exact || bounds.linearOnly ? undefined : this.#index
    const best = new BestRecords(Math.min(wanted, this.size), minScore - error)
    const looked = scanBuckets(this.#rows, this.#toScan(bounds, index), ready, best)
    index?.scan(this.#rows, wanted, ready, best)
    const complete = index !== undefined || !best.full || best.size === looked
    return { ...scannedBest(this.#rows, best, complete, error), withIndex: index !== undefined }
  }

  /** What is `linear` becomes `preindex`. */
  seal(): void {
    for (const bucket of this.#rows.buckets()) if (bucket.space === 'linear') bucket.space = 'preindex'
    this.#newest = this.#rows.open('linear')
    this.#closeEmpty()
  }

  /**
   * Copies of all that is `preindex` or `indexed`, or of each `every`-th row of it, at most so many rows each. The gallery
   * may change between two of them: a row that moves meanwhile may be missed, but comes never twice. Ends early when the
   * index is forgotten.
   */
  slices(rows: number, every = 1): Generator<CodeSlice> {
    return slices(this.#rows, rows, every)
  }

  /** Puts an index in force that has no rows yet: `sizes` says how many each list will have. Throws StoreUnavailable (`full`). */
  loadIndex(index: Centroids, sizes: ArrayLike<number>): void {
    this.forgetIndex()
    this.#index = this.#open(index)
    expectRows(this.#rows, this.#index, sizes)
  }

  /**
   * Puts `preindex` and `indexed` rows into the lists of a new index, some with each step, and the index in force with
   * the last one. In between every search looks at everything. Rows that are gone or `linear` are passed over; those
   * that have no list get their best one. Broken off, or overtaken by another or by `forgetIndex`, it leaves
   * everything that it moved `preindex` or `linear`. Throws StoreUnavailable (`full`).
   */
  *arrange(index: Centroids, assignment: Assignment): Generator<void> {
    this.#dropIndex()
    this.#abandon()
    const made = this.#open(index)
    this.#made = made
    try {
      for (const _ of arrange(this.#rows, made, assignment)) {
        yield
        if (this.#made !== made) return
      }
      this.#index = made
      this.#made = undefined
    } finally {
      if (this.#made === made) this.#abandon()
    }
  }

  /** Rows of all lists become `linear`, and a search looks at every row. */
  forgetIndex(): void {
    this.#dropIndex()
    this.#abandon()
    for (const bucket of this.#rows.buckets()) bucket.space = 'linear'
    this.#closeEmpty()
  }

  /** Gives all memory back. The gallery may not be used any more. */
  release(): void {
    this.#dropIndex()
    this.#abandon()
    this.#rows.clear()
  }

  #open(index: Centroids): InvertedFile {
    const buckets = Array.from({ length: index.lists }, () => this.#rows.open('indexed'))
    return new InvertedFile(this.#rows.memory, index, buckets)
  }

  #dropIndex(): void {
    this.#index?.release()
    this.#index = undefined
  }

  #abandon(): void {
    if (!this.#made) return
    this.#made.release()
    for (const bucket of this.#made.buckets) bucket.space = 'preindex'
    this.#made = undefined
  }

  /** Lists stay, as their index knows them. */
  #closeEmpty(): void {
    for (const bucket of this.#rows.buckets()) {
      if (bucket.size === 0 && bucket.space !== 'indexed' && bucket !== this.#newest) this.#rows.close(bucket)
    }
  }

  /** The buckets of which every row is looked at. */
  #toScan({ linearOnly, onlyIndex }: ScanBounds, index: InvertedFile | undefined): Bucket[] {
    const chosen: Bucket[] = []
    for (const bucket of this.#rows.buckets()) {
      const { space } = bucket
      const asked = linearOnly ? space === 'linear' : !onlyIndex || space === 'indexed'
      if (asked && !(index && space === 'indexed')) chosen.push(bucket)
    }
    return chosen
  }
}
