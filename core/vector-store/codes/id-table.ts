/** Where the record of an id is: open addressing over the records themselves, which hold the ids. */

/** Slots of a new table, and the parts of all slots between which a table is neither made larger nor smaller. */
const FIRST_SLOTS = 64
const FULLEST = 0.75
const EMPTIEST = 0.125

/** Records lie at multiples of this, so that a slot holds an address in 32 bits. */
const UNIT = 16

/** Reads the id of the record at an address. */
export type IdAt = (address: number) => number

/** Addresses of records by id. Address 0 is no record. */
export class IdTable {
  readonly #idAt: IdAt
  #slots = new Uint32Array(FIRST_SLOTS)
  #size = 0

  constructor(idAt: IdAt) {
    this.#idAt = idAt
  }

  /** The address of the record; undefined when there is none. */
  find(id: number): number | undefined {
    const slot = this.#slots[this.#slotOf(id)]!
    return slot === 0 ? undefined : slot * UNIT
  }

  /** Takes up the record at this address; its id must not be in the table. */
  add(id: number, address: number): void {
    if (this.#size + 1 > this.#slots.length * FULLEST) this.#resize(this.#slots.length * 2)
    this.#slots[this.#slotOf(id)] = address / UNIT
    this.#size++
  }

  /** Notes that the record of an id of the table is now elsewhere; the old place must still hold it. */
  move(id: number, address: number): void {
    this.#slots[this.#slotOf(id)] = address / UNIT
  }

  /** Takes out an id of the table; its record must still be there. */
  remove(id: number): void {
    const slots = this.#slots
    const mask = slots.length - 1
    let gap = this.#slotOf(id)
    // Those behind it that would not be found past the gap move up, so that no slot ever means "was here".
    for (let at = (gap + 1) & mask; slots[at] !== 0; at = (at + 1) & mask) {
      const wanted = hash(this.#idAt(slots[at]! * UNIT)) & mask
      if (((at - wanted) & mask) < ((at - gap) & mask)) continue
      slots[gap] = slots[at]!
      gap = at
    }
    slots[gap] = 0
    this.#size--
    if (slots.length > FIRST_SLOTS && this.#size < slots.length * EMPTIEST) this.#resize(slots.length / 2)
  }

  /** The slot of the id, or the empty one where it would be. */
  #slotOf(id: number): number {
    const slots = this.#slots
    const mask = slots.length - 1
    let at = hash(id) & mask
    while (slots[at] !== 0 && this.#idAt(slots[at]! * UNIT) !== id) at = (at + 1) & mask
    return at
  }

  #resize(length: number): void {
    const old = this.#slots
    this.#slots = new Uint32Array(length)
    const mask = length - 1
    for (const slot of old) {
      if (slot === 0) continue
      let at = hash(this.#idAt(slot * UNIT)) & mask
      while (this.#slots[at] !== 0) at = (at + 1) & mask
      this.#slots[at] = slot
    }
  }
}

/** Mixes all 53 bits. Source of the constants: MurmurHash3's finalizer. */
function hash(id: number): number {
  let bits = (id | 0) ^ Math.imul(Math.floor(id / 2 ** 32), 0x9e3779b1)
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b)
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35)
  return (bits ^ (bits >>> 16)) >>> 0
}
