/** Bounded heap of the best records of a scan by approximate score, over flat arrays with the worst record on top. */

/** Collects at most `wanted` records with scores above `least`. */
export class BestRecords {
  readonly #wanted: number
  readonly #least: number
  readonly #scores: Float32Array
  readonly #records: Uint32Array
  size = 0

  constructor(wanted: number, least: number) {
    this.#wanted = wanted
    this.#least = least
    this.#scores = new Float32Array(wanted)
    this.#records = new Uint32Array(wanted)
  }

  get full(): boolean {
    return this.size === this.#wanted
  }

  /** Only higher scores are accepted. */
  get bar(): number {
    if (!this.full) return this.#least
    return this.#wanted === 0 ? Number.POSITIVE_INFINITY : this.#scores[0]!
  }

  /** Takes a record whose score was above `bar` at its scan. Drops it when `bar` has reached the score since. */
  offer(record: number, score: number): void {
    if (!this.full) this.#rise(this.size++, record, score)
    else if (score > this.bar) this.#sink(record, score)
  }

  /** Record addresses and scores, best first. */
  ranked(): { record: number; score: number }[] {
    const ranked = Array.from({ length: this.size }, (_, i) => ({
      record: this.#records[i]!,
      score: this.#scores[i]!,
    }))
    return ranked.sort((a, b) => b.score - a.score)
  }

  #rise(from: number, record: number, score: number) {
    let at = from
    while (at > 0) {
      const parent = (at - 1) >> 1
      if (this.#scores[parent]! <= score) break
      this.#put(at, this.#records[parent]!, this.#scores[parent]!)
      at = parent
    }
    this.#put(at, record, score)
  }

  #sink(record: number, score: number) {
    let at = 0
    for (;;) {
      let child = 2 * at + 1
      if (child >= this.size) break
      if (child + 1 < this.size && this.#scores[child + 1]! < this.#scores[child]!) child++
      if (this.#scores[child]! >= score) break
      this.#put(at, this.#records[child]!, this.#scores[child]!)
      at = child
    }
    this.#put(at, record, score)
  }

  #put(at: number, record: number, score: number) {
    this.#records[at] = record
    this.#scores[at] = score
  }
}
