/** The best candidates of a scan, in the order of search results. */
import type { Candidate, SearchBounds } from './vector-store.ts'

/** Compares by falling score, then by rising id. */
const byRank = (a: Candidate, b: Candidate) => b.score - a.score || a.id - b.id

/** Keeps the best `limit` of the offered candidates that reach `minScore`. Offers in falling order cost least. */
export class BestCandidates {
  readonly #limit: number
  readonly #minScore: number
  readonly #ranked: Candidate[] = []

  constructor({ limit, minScore }: SearchBounds) {
    this.#limit = limit
    this.#minScore = minScore
  }

  offer(id: number, score: number): void {
    if (score < this.#minScore) return
    const candidate = { id, score }
    let [low, high] = [0, this.#ranked.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (byRank(this.#ranked[middle]!, candidate) < 0) low = middle + 1
      else high = middle
    }
    if (low === this.#limit) return
    this.#ranked.splice(low, 0, candidate)
    if (this.#ranked.length > this.#limit) this.#ranked.pop()
  }

  /** Lowest score that can still enter; infinity when `limit` is 0. Scans skip lower scores. */
  get bar(): number {
    if (this.#ranked.length < this.#limit) return this.#minScore
    return this.#ranked.at(-1)?.score ?? Number.POSITIVE_INFINITY
  }

  /** Candidates by falling score, then by rising id. */
  ranked(): Candidate[] {
    return [...this.#ranked]
  }
}
