/** A bucket: records of one gallery that are scanned together, in blocks that grow with it. */
import type { Space } from '../store.ts'
import { SMALLEST_ORDER } from './buddies.ts'
import type { CodeMemory } from './code-memory.ts'
import { BUCKET, type RecordShape } from './record.ts'

/** Records that the smallest block has room for, at least: fewer would leave much of it unused. */
const LEAST_ROWS = 3

/** Bytes of the greatest block, as a power of two. */
const GREATEST_BLOCK = 18

/** A new block is at most one of so many parts of what the bucket has, so that little of it is ever left empty. */
const GROWTH = 4

/** Records that lie one behind the other. */
export interface Run {
  readonly address: number
  readonly rows: number
}

interface Block {
  readonly address: number
  readonly order: number
  /** Records that there is room for, and records. */
  readonly room: number
  rows: number
}

/** A block for records that are expected may be so much larger than they are: each further block costs every scan a call. */
const SPARE = 4 / 3

export class Bucket {
  readonly number: number
  space: Space
  size = 0
  /** How many records it will hold, as far as that is known: its blocks are cut for them. */
  expected = 0
  readonly #memory: CodeMemory
  readonly #shape: RecordShape
  /** All but the last are full, and none is empty. */
  readonly #blocks: Block[] = []
  /** Bytes of all blocks. */
  #capacity = 0

  constructor(memory: CodeMemory, shape: RecordShape, number: number, space: Space) {
    this.#memory = memory
    this.#shape = shape
    this.number = number
    this.space = space
  }

  /** All records, block by block. Read anew after every change. */
  get runs(): readonly Run[] {
    return this.#blocks
  }

  /** The address of a new last record, which bears the bucket's number and is empty else. Throws StoreAway (`full`). */
  append(): number {
    let last = this.#blocks.at(-1)
    if (!last || last.rows === last.room) last = this.#extend()
    const address = last.address + last.rows * this.#shape.stride
    this.#memory.words[(address + this.#shape.code + BUCKET) / 4] = this.number
    last.rows++
    this.size++
    return address
  }

  /** The address of the last record; the bucket must not be empty. */
  get last(): number {
    const { address, rows } = this.#blocks.at(-1)!
    return address + (rows - 1) * this.#shape.stride
  }

  /** Overwrites the last record with zeros, and gives its block back when it was the only one there. */
  removeLast(): void {
    const { last } = this
    const block = this.#blocks.at(-1)!
    this.#memory.bytes.fill(0, last, last + this.#shape.stride)
    block.rows--
    this.size--
    if (block.rows > 0) return
    this.#blocks.pop()
    this.#memory.give(block.address, block.order)
    this.#capacity -= 2 ** block.order
  }

  /** Gives all blocks back. */
  clear(): void {
    for (const { address, order } of this.#blocks) this.#memory.give(address, order)
    this.#blocks.length = 0
    this.#capacity = 0
    this.size = 0
  }

  #extend(): Block {
    const { stride } = this.#shape
    const least = Math.max(SMALLEST_ORDER, Math.ceil(Math.log2(LEAST_ROWS * stride)))
    const missing = this.expected - this.size
    const wanted = missing > 0 ? missing * stride * SPARE : this.#capacity / GROWTH
    const order = Math.max(least, Math.min(GREATEST_BLOCK, Math.floor(Math.log2(wanted))))
    const room = Math.floor(2 ** order / stride)
    const block = { address: this.#memory.take(order), order, room, rows: 0 }
    this.#blocks.push(block)
    this.#capacity += 2 ** order
    return block
  }
}
