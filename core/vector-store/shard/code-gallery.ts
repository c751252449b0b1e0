/** One gallery as int8 codes in memory: its spaces, its index, and the candidates of a search. */

import { BestRecords } from '../codes/best-records.ts'
import type { Bucket } from '../codes/bucket.ts'
import type { CodeMemory } from '../codes/int8-codes.ts'
import { Rows } from '../codes/rows.ts'
import { rankRows, type Scanned, scanBuckets, scoreError } from '../codes/scan.ts'
import { type Assignment, arrange } from '../index/arrange.ts'
import { InvertedFile, type TrainedIndex } from '../index/inverted-file.ts'
import { type CodeSlice, slices } from '../index/slices.ts'
import type { Space } from '../vector-store.ts'

export interface ScanBounds {
  /** Greatest number of candidates. */
  wanted: number
  /** Rows whose cosine is certainly lower are skipped. */
  minScore?: number
  /** Searches only the space `linear`. */
  linearOnly?: boolean
}

interface ScannedWithIndex extends Scanned {
  /** Whether an index selected the scanned rows. `complete` and `floor` then ignore the rows of other lists. */
  readonly withIndex: boolean
}

/** Codes of one gallery, for one thread. Ids are unique; vectors are unit vectors of the gallery's dimension. */
export class CodeGallery {
  readonly dimension: number
  readonly #rows: Rows
  /** Receives added rows. */
  #newest: Bucket
  #index: InvertedFile | undefined
  /** Index whose lists are being filled. */
  #nextIndex: InvertedFile | undefined
  /** Largest coding error (length of the difference) of a row since the gallery was empty. */
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

  /** Space of the row with this id; undefined when there is none. */
  space(id: number): Space | undefined {
    const address = this.#rows.find(id)
    return address === undefined ? undefined : this.#rows.bucketAt(address).space
  }

  /** All ids, in no particular order. */
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
   * Adds a row with a new id to `linear`, or to a list of the loaded index. Throws StoreUnavailable (`full`) without a
   * change.
   */
  add(id: number, unit: Float32Array, list?: number): void {
    const bucket = list === undefined ? this.#newest : this.#index!.buckets[list]!
    const { residual } = this.#rows.add(id, unit, bucket)
    this.#residual = Math.max(this.#residual, residual)
  }

  /** Removes a row and overwrites its record. Returns its former space; undefined when there was no row. */
  remove(id: number): Space | undefined {
    const address = this.#rows.find(id)
    if (address === undefined) return undefined
    const { space } = this.#rows.bucketAt(address)
    this.#rows.remove(address)
    if (this.size === 0) this.#residual = 0
    return space
  }

  /** The best rows for a unit vector by approximate score. */
  scan(probe: Float32Array, bounds: ScanBounds): ScannedWithIndex {
    const { wanted, minScore = -2 } = bounds
    const ready = this.#rows.memory.probe(probe)
    const error = scoreError(ready, this.#residual)
    const index = bounds.linearOnly ? undefined : this.#index
    const best = new BestRecords(Math.min(wanted, this.size), minScore - error)
    const scannedRows = scanBuckets(this.#rows, this.#toScan(bounds, index), ready, best)
    index?.scan(this.#rows, wanted, ready, best)
    const complete = index !== undefined || !best.full || best.size === scannedRows
    const candidates = rankRows(this.#rows, best, ready, this.#residual)
    const floor = complete ? Number.NEGATIVE_INFINITY : best.bar
    return { candidates, complete, floor, error, withIndex: index !== undefined }
  }

  /** Moves all `linear` rows to `preindex`. */
  seal(): void {
    for (const bucket of this.#rows.buckets()) if (bucket.space === 'linear') bucket.space = 'preindex'
    this.#newest = this.#rows.open('linear')
    this.#closeEmpty()
  }

  /**
   * Copies of all `preindex` and `indexed` rows, or of every `every`-th one, in slices of at most `rows` rows. The gallery may
   * change between two slices: a row that moves may be missing but never occurs twice. Ends early when the index is dropped.
   */
  slices(rows: number, every = 1): Generator<CodeSlice> {
    return slices(this.#rows, rows, every)
  }

  /** Installs an index without rows; `sizes` has the expected number of rows per list. Throws StoreUnavailable (`full`). */
  loadIndex(index: TrainedIndex, sizes: ArrayLike<number>): void {
    this.forgetIndex()
    this.#index = this.#open(index)
    this.#index.expectRows(sizes)
  }

  /**
   * Moves `preindex` and `indexed` rows into the lists of a new index, some per step, and installs the index in the
   * last step. Until then, searches scan every row. Skips rows that are removed or `linear`; rows without a list go to
   * the closest one. When the iteration is interrupted, or superseded by another one or by `forgetIndex`, all moved
   * rows stay `preindex` or `linear`. Throws StoreUnavailable (`full`).
   */
  *arrange(index: TrainedIndex, assignment: Assignment): Generator<void> {
    this.#dropIndex()
    this.#abandonNextIndex()
    const nextIndex = this.#open(index)
    this.#nextIndex = nextIndex
    try {
      for (const _ of arrange(this.#rows, nextIndex, assignment)) {
        yield
        if (this.#nextIndex !== nextIndex) return
      }
      this.#index = nextIndex
      this.#nextIndex = undefined
    } finally {
      if (this.#nextIndex === nextIndex) this.#abandonNextIndex()
    }
  }

  /** Drops the index. All rows become `linear`, and searches scan every row. */
  forgetIndex(): void {
    this.#dropIndex()
    this.#abandonNextIndex()
    for (const bucket of this.#rows.buckets()) bucket.space = 'linear'
    this.#closeEmpty()
  }

  /** Releases all memory. The gallery must not be used afterwards. */
  release(): void {
    this.#dropIndex()
    this.#abandonNextIndex()
    this.#rows.clear()
  }

  #open(index: TrainedIndex): InvertedFile {
    const buckets = Array.from({ length: index.lists }, () => this.#rows.open('indexed'))
    return new InvertedFile(this.#rows.memory, index, buckets)
  }

  #dropIndex() {
    this.#index?.release()
    this.#index = undefined
  }

  #abandonNextIndex() {
    if (!this.#nextIndex) return
    this.#nextIndex.release()
    for (const bucket of this.#nextIndex.buckets) bucket.space = 'preindex'
    this.#nextIndex = undefined
  }

  /** Closes empty buckets. Lists stay open, because their index refers to them. */
  #closeEmpty() {
    for (const bucket of this.#rows.buckets()) {
      if (bucket.size === 0 && bucket.space !== 'indexed' && bucket !== this.#newest) this.#rows.close(bucket)
    }
  }

  /** The buckets to scan completely. */
  #toScan({ linearOnly }: ScanBounds, index: InvertedFile | undefined): Bucket[] {
    const chosen: Bucket[] = []
    for (const bucket of this.#rows.buckets()) {
      const { space } = bucket
      if ((!linearOnly || space === 'linear') && !(index && space === 'indexed')) chosen.push(bucket)
    }
    return chosen
  }
}
