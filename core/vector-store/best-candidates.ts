/** Bounded heap of the best candidates of a scan. */
import type { Candidate, SearchBounds } from './vector-store.ts'

/** Compares by falling score, then by rising id: the order of search results. */
const byRank = (a: Candidate, b: Candidate): number => b.score - a.score || a.id - b.id

/** Collects candidates and keeps the best `limit` of those that reach `minScore`. */
export class BestCandidates {
  readonly #limit: number
  readonly #minScore: number
  /** Binary heap with the worst candidate on top. */
  readonly #heap: Candidate[] = []

  constructor({ limit, minScore }: SearchBounds) {
    this.#limit = limit
    this.#minScore = minScore
  }

  offer(id: number, score: number): void {
    if (score < this.#minScore) return
    const candidate = { id, score }
    if (this.#heap.length < this.#limit) {
      this.#heap.push(candidate)
      this.#rise(this.#heap.length - 1)
      return
    }
    const worst = this.#heap[0]
    if (worst === undefined || byRank(candidate, worst) > 0) return
    this.#heap[0] = candidate
    this.#sink(0)
  }

  /** Lowest score that can still enter the heap; infinity when `limit` is 0. Scans skip lower scores. */
  get bar(): number {
    return this.#heap.length < this.#limit
      ? this.#minScore
      : (this.#heap[0]?.score ?? Number.POSITIVE_INFINITY)
  }

  /** Candidates by falling score, then by rising id. */
  ranked(): Candidate[] {
    return this.#heap.toSorted(byRank)
  }

  #rise(from: number): void {
    let at = from
    while (at > 0) {
      const parent = (at - 1) >> 1
      if (!this.#isWorse(at, parent)) return
      this.#swap(at, parent)
      at = parent
    }
  }

  #sink(from: number): void {
    let at = from
    for (;;) {
      let worst = at
      for (const child of [2 * at + 1, 2 * at + 2]) {
        if (child < this.#heap.length && this.#isWorse(child, worst)) worst = child
      }
      if (worst === at) return
      this.#swap(at, worst)
      at = worst
    }
  }

  #isWorse(a: number, b: number): boolean {
    return byRank(this.#heap[a]!, this.#heap[b]!) > 0
  }

  #swap(a: number, b: number): void {
    const held = this.#heap[a]!
    this.#heap[a] = this.#heap[b]!
    this.#heap[b] = held
  }
}
