/** Very many scores in little memory: counted in fine steps from -1 to 1. */

/** A step of 1e-5: finer than the four decimals that a table keeps. */
const STEPS_PER_UNIT = 100_000

export class ScoreHistogram {
  readonly #counts = new Float64Array(2 * STEPS_PER_UNIT + 1)
  #count = 0

  get count(): number {
    return this.#count
  }

  /** Counts a score; rounding may have carried it a little beyond -1 or 1. */
  add(score: number): void {
    const step = Math.floor((Math.min(1, Math.max(-1, score)) + 1) * STEPS_PER_UNIT)
    this.#counts[step] = this.#counts[step]! + 1
    this.#count += 1
  }

  /** The least score (a whole step) that at most this share of all scores reach. */
  scoreAbove(share: number): number {
    let above = 0
    for (let step = this.#counts.length - 1; step >= 0; step--) {
      above += this.#counts[step]!
      if (above > share * this.#count) return (step + 1) / STEPS_PER_UNIT - 1
    }
    return -1
  }

  /** The share of all scores that reach this one. */
  shareAbove(score: number): number {
    let above = 0
    for (let step = Math.round((score + 1) * STEPS_PER_UNIT); step < this.#counts.length; step++) {
      above += this.#counts[step]!
    }
    return above / this.#count
  }
}
