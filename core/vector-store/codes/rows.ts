/** Rows of one gallery: records in its buckets, and the hash table that finds them by id. */
import type { Space } from '../vector-store.ts'
import { Bucket } from './bucket.ts'
import {
  BUCKET_NUMBERS,
  type Coded,
  type CodeMemory,
  ID_AT,
  type RecordShape,
  recordShape,
} from './int8-codes.ts'

export class Rows {
  readonly memory: CodeMemory
  readonly shape: RecordShape
  readonly #buckets = new Map<number, Bucket>()
  #table = new IdTable(address => this.idAt(address))
  #lastNumber = -1
  size = 0

  constructor(memory: CodeMemory, dimension: number) {
    this.memory = memory
    this.shape = recordShape(dimension)
  }

  /** Opens a new, empty bucket. */
  open(space: Space): Bucket {
    do this.#lastNumber = (this.#lastNumber + 1) % BUCKET_NUMBERS
    while (this.#buckets.has(this.#lastNumber))
    const bucket = new Bucket(this.memory, this.shape, this.#lastNumber, space)
    this.#buckets.set(bucket.number, bucket)
    return bucket
  }

  /** Removes a bucket, which must be empty. */
  close(bucket: Bucket): void {
    this.#buckets.delete(bucket.number)
  }

  /** All buckets, in the order of their opening. */
  buckets(): MapIterator<Bucket> {
    return this.#buckets.values()
  }

  idAt(address: number): number {
    return this.memory.doubles[(address + this.shape.code + ID_AT) / 8]!
  }

  bucketAt(address: number): Bucket {
    return this.#buckets.get(this.memory.bucketAt(address, this.shape))!
  }

  /** Address of the record of an id; undefined when there is none. */
  find(id: number): number | undefined {
    return this.#table.find(id)
  }

  /** Encodes a unit vector into a bucket under a new id. Throws StoreUnavailable (`full`) without a change. */
  add(id: number, unit: Float32Array, bucket: Bucket): Coded {
    const address = bucket.append()
    const coded = this.memory.code(unit, address)
    this.memory.doubles[(address + this.shape.code + ID_AT) / 8] = id
    bucket.updateCodes(address)
    this.size++
    this.#table.add(id, address)
    return coded
  }

  remove(address: number): void {
    this.#table.remove(this.idAt(address))
    this.#vacate(address)
    this.size--
  }

  /** Moves a record to the end of another bucket. Throws StoreUnavailable (`full`) without a change. */
  move(address: number, bucket: Bucket): void {
    const to = bucket.append()
    this.#copy(address, to)
    this.memory.setBucket(to, this.shape, bucket.number)
    bucket.updateCodes(to)
    this.#table.move(this.idAt(address), to)
    this.#vacate(address)
  }

  /** Releases all memory. */
  clear(): void {
    for (const bucket of this.#buckets.values()) bucket.clear()
    this.#buckets.clear()
    this.#table = new IdTable(address => this.idAt(address))
    this.size = 0
  }

  /** Moves the last record of a bucket into the place of a record that is no longer needed. */
  #vacate(address: number) {
    const bucket = this.bucketAt(address)
    const { last } = bucket
    if (last !== address) {
      this.#table.move(this.idAt(last), address)
      this.#copy(last, address)
      bucket.updateCodes(address)
    }
    bucket.removeLast()
  }

  #copy(from: number, to: number) {
    this.memory.bytes.copyWithin(to, from, from + this.shape.stride)
  }
}

/** Slots of a new table, and the load factors above and below which a table is resized. */
const FIRST_SLOTS = 16
const GREATEST_LOAD = 0.75
const LEAST_LOAD = 0.125

/** Alignment of records in bytes. Slots store addresses in this unit, in 32 bits. */
const ALIGNMENT_BYTES = 16

/** Record addresses by id. Address 0 means no record. */
class IdTable {
  readonly #idAt: (address: number) => number
  #slots = new Uint32Array(FIRST_SLOTS)
  #size = 0

  /** `idAt` returns the id of the record at an address. */
  constructor(idAt: (address: number) => number) {
    this.#idAt = idAt
  }

  /** Address of the record; undefined when there is none. */
  find(id: number): number | undefined {
    const slot = this.#slots[this.#slotOf(id)]!
    return slot === 0 ? undefined : slot * ALIGNMENT_BYTES
  }

  /** Adds the record at this address. Its id must not be in the table. */
  add(id: number, address: number): void {
    if (this.#size + 1 > this.#slots.length * GREATEST_LOAD) this.#resize(this.#slots.length * 2)
    this.#slots[this.#slotOf(id)] = address / ALIGNMENT_BYTES
    this.#size++
  }

  /** Sets a new address for an id in the table. The record at the old address must still hold the id. */
  move(id: number, address: number): void {
    this.#slots[this.#slotOf(id)] = address / ALIGNMENT_BYTES
  }

  /** Removes an id in the table. Its record must still hold the id. */
  remove(id: number): void {
    const slots = this.#slots
    const mask = slots.length - 1
    let gap = this.#slotOf(id)
    // Later entries that the gap would make unreachable move into it, which avoids tombstones.
    for (let at = (gap + 1) & mask; slots[at] !== 0; at = (at + 1) & mask) {
      const wanted = hash(this.#idAt(slots[at]! * ALIGNMENT_BYTES)) & mask
      if (((at - wanted) & mask) < ((at - gap) & mask)) continue
      slots[gap] = slots[at]!
      gap = at
    }
    slots[gap] = 0
    this.#size--
    if (slots.length > FIRST_SLOTS && this.#size < slots.length * LEAST_LOAD) this.#resize(slots.length / 2)
  }

  /** The slot of the id, or the empty slot where it belongs. */
  #slotOf(id: number) {
    const slots = this.#slots
    const mask = slots.length - 1
    let at = hash(id) & mask
    while (slots[at] !== 0 && this.#idAt(slots[at]! * ALIGNMENT_BYTES) !== id) at = (at + 1) & mask
    return at
  }

  #resize(length: number) {
    const old = this.#slots
    this.#slots = new Uint32Array(length)
    const mask = length - 1
    for (const slot of old) {
      if (slot === 0) continue
      let at = hash(this.#idAt(slot * ALIGNMENT_BYTES)) & mask
      while (this.#slots[at] !== 0) at = (at + 1) & mask
      this.#slots[at] = slot
    }
  }
}

/** Mixes all 53 bits of an id. Source of the shifts and the last two constants: finalizer of MurmurHash3. */
function hash(id: number) {
  let bits = (id | 0) ^ Math.imul(Math.floor(id / 2 ** 32), 0x9e3779b1)
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b)
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35)
  return (bits ^ (bits >>> 16)) >>> 0
}
