/** Slots of rows in a file: free slots, slots that a transaction takes and releases, and the check of their positions. */
import { type StoredRow, toUint32 } from './row-record.ts'

/** Summand of a gallery's position check, which detects misplaced rows. The statement placeChecks computes the same sum. */
const placeCheck = (id: number, slot: number) => ((id % 8_191) + 1) * ((slot % 8_191) + 1)

/** Totals of the rows of a gallery, to compare with its record and with the sums of placeChecks. */
export class RowTally {
  count = 0
  /** Sum of the checksums. */
  sum = 0
  /** Sum of the position checks. */
  places = 0

  add({ id, slot, crc }: StoredRow): void {
    this.count++
    this.sum = toUint32(this.sum + crc)
    this.places += placeCheck(id, slot)
  }
}

export class Slots {
  /** By the bytes of a record, which never change: an overwritten record must fit exactly. */
  readonly #free = new Map<number, number[]>()
  #last = 0
  #taken: { slot: number; length: number }[] = []
  #given: { slot: number; length: number }[] = []
  #lastBefore = 0

  /** Registers a slot of the file. */
  seen(slot: number, length: number, free: boolean): void {
    this.#last = Math.max(this.#last, slot)
    this.#lastBefore = this.#last
    if (free) this.#freeOf(length).push(slot)
  }

  /** Takes a free slot for a record of `length` bytes; undefined when there is none. */
  takeFree(length: number): number | undefined {
    const slot = this.#free.get(length)?.pop()
    if (slot !== undefined) this.#taken.push({ slot, length })
    return slot
  }

  /** Takes a new slot at the end of the file. */
  takeNew(): number {
    return ++this.#last
  }

  /** Frees a slot for later transactions. */
  give(slot: number, length: number): void {
    this.#given.push({ slot, length })
  }

  /** Ends a committed transaction. */
  keep(): void {
    for (const { slot, length } of this.#given) this.#freeOf(length).push(slot)
    this.#begin()
  }

  /** Ends a transaction that was not committed. */
  takeBack(): void {
    for (const { slot, length } of this.#taken) this.#freeOf(length).push(slot)
    this.#last = this.#lastBefore
    this.#begin()
  }

  #begin() {
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
