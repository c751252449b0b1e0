/** The places of rows in a file: which are free, and what a transaction takes and gives of them. */

/** Part of the sum that says, over all rows of a gallery, where each of them is; statements.placeChecks sums the same. */
export const placeCheck = (id: number, slot: number): number => ((id % 8_191) + 1) * ((slot % 8_191) + 1)

export class Slots {
  /** By the bytes of a record, which do not change: a row that is overwritten has to fit exactly. */
  readonly #free = new Map<number, number[]>()
  #last = 0
  #taken: { slot: number; length: number }[] = []
  #given: { slot: number; length: number }[] = []
  #lastBefore = 0

  /** Takes notice of a slot that is in the file. */
  seen(slot: number, length: number, free: boolean): void {
    this.#last = Math.max(this.#last, slot)
    this.#lastBefore = this.#last
    if (free) this.#freeOf(length).push(slot)
  }

  /** A free slot for a record of so many bytes; undefined when there is none. */
  takeFree(length: number): number | undefined {
    const slot = this.#free.get(length)?.pop()
    if (slot !== undefined) this.#taken.push({ slot, length })
    return slot
  }

  /** A slot at the end of the file. */
  takeNew(): number {
    return ++this.#last
  }

  /** Gives a slot free, for the transactions after this one. */
  give(slot: number, length: number): void {
    this.#given.push({ slot, length })
  }

  /** Ends a transaction that was written. */
  keep(): void {
    for (const { slot, length } of this.#given) this.#freeOf(length).push(slot)
    this.#begin()
  }

  /** Ends a transaction that was not written. */
  takeBack(): void {
    for (const { slot, length } of this.#taken) this.#freeOf(length).push(slot)
    this.#last = this.#lastBefore
    this.#begin()
  }

  #begin(): void {
    this.#taken = []
    this.#given = []
    this.#lastBefore = this.#last
  }

  #freeOf(length: number): number[] {
    const free = this.#free.get(length) ?? []
    this.#free.set(length, free)
    return free
  }
}
