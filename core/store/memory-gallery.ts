/** One gallery in memory: unit vectors side by side, in the order they came, and a scan over them. */
import { BestCandidates } from './best.ts'
import { type Candidate, type SearchBounds, VectorRefused } from './store.ts'
import { dot } from './unit-vector.ts'

/** Rows of a new gallery: most galleries are small, and there may be thousands. */
const FIRST_ROWS = 4

export class MemoryGallery {
  readonly dimension: number
  /** Row r is `#rows[r * dimension ...]`; its id is `#ids[r]`. */
  #rows: Float32Array
  readonly #ids: number[] = []
  readonly #rowOf = new Map<number, number>()

  constructor(dimension: number) {
    this.dimension = dimension
    this.#rows = new Float32Array(FIRST_ROWS * dimension)
  }

  get size(): number {
    return this.#ids.length
  }

  has(id: number): boolean {
    return this.#rowOf.has(id)
  }

  ids(): readonly number[] {
    return this.#ids
  }

  /** Takes a unit vector of the gallery's dimension under an id that it does not have. */
  add(id: number, unit: Float32Array): void {
    const row = this.#ids.length
    if ((row + 1) * this.dimension > this.#rows.length) this.#grow()
    this.#rows.set(unit, row * this.dimension)
    this.#ids.push(id)
    this.#rowOf.set(id, row)
  }

  /** Fills the gap with the last row, and leaves no copy of the vector behind. */
  remove(id: number): void {
    const row = this.#rowOf.get(id)
    if (row === undefined) return
    const last = this.#ids.length - 1
    const lastId = this.#ids[last]!
    this.#rows.copyWithin(row * this.dimension, last * this.dimension, (last + 1) * this.dimension)
    this.#rows.fill(0, last * this.dimension, (last + 1) * this.dimension)
    this.#ids[row] = lastId
    this.#ids.pop()
    this.#rowOf.set(lastId, row)
    this.#rowOf.delete(id)
  }

  search(unit: Float32Array, bounds: SearchBounds): Candidate[] {
    if (unit.length !== this.dimension) throw new VectorRefused('dimension')
    const best = new BestCandidates(bounds)
    let bar = best.bar
    for (let row = 0; row < this.#ids.length; row++) {
      // Rounding can carry the product of two unit vectors past the cosine's range.
      const score = Math.max(-1, Math.min(1, dot(unit, this.#rows, row * this.dimension)))
      if (score < bar) continue
      best.offer(this.#ids[row]!, score)
      bar = best.bar
    }
    return best.ranked()
  }

  #grow(): void {
    const larger = new Float32Array(this.#rows.length * 2)
    larger.set(this.#rows)
    this.#rows.fill(0)
    this.#rows = larger
  }
}
