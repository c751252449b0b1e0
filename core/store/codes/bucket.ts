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

export class Bucket {
  readonly number: number
  space: Space
  size = 0
  /** How many records it will hold, as far as that is known: its blocks are cut for them. */
  expected = 0
  readonly #memory: CodeMemory
  readonly #shape: RecordShape
  readonly #blocks: { readonly address: number; readonly order: number }[] = []
  /** Bytes of all blocks. */
  #capacity = 0
  /** Records in the last block; all others are full. */
  #lastRows = 0

  constructor(memory: CodeMemory, shape: RecordShape, number: number, space: Space) {
    this.#memory = memory
    this.#shape = shape
    this.number = number
    this.space = space
  }

  /** The address of a new last record, which bears the bucket's number and is empty else. Throws StoreAway (`full`). */
  append(): number {
    let last = this.#blocks.at(-1)
    if (!last || this.#lastRows === this.#rowsOf(last.order)) {
      last = this.#extend()
      this.#lastRows = 0
    }
    const address = last.address + this.#lastRows * this.#shape.stride
    this.#memory.words[(address + this.#shape.code + BUCKET) / 4] = this.number
    this.#lastRows++
    this.size++
    return address
  }

  /** The address of the last record; the bucket must not be empty. */
  get last(): number {
    return this.#blocks.at(-1)!.address + (this.#lastRows - 1) * this.#shape.stride
  }

  /** Overwrites the last record with zeros, and gives its block back when it was the only one there. */
  removeLast(): void {
    const { last } = this
    this.#memory.bytes.fill(0, last, last + this.#shape.stride)
    this.#lastRows--
    this.size--
    if (this.#lastRows > 0) return
    const { address, order } = this.#blocks.pop()!
    this.#memory.give(address, order)
    this.#capacity -= 2 ** order
    const before = this.#blocks.at(-1)
    if (before) this.#lastRows = this.#rowsOf(before.order)
  }

  /** The records from number `from` on, block by block. */
  *runs(from = 0): Generator<Run> {
    const { stride } = this.#shape
    let passed = 0
    for (const [i, { address, order }] of this.#blocks.entries()) {
      const rows = i === this.#blocks.length - 1 ? this.#lastRows : this.#rowsOf(order)
      const skipped = Math.max(0, from - passed)
      if (skipped < rows) yield { address: address + skipped * stride, rows: rows - skipped }
      passed += rows
    }
  }

  /** Gives all blocks back. */
  clear(): void {
    for (const { address, order } of this.#blocks) this.#memory.give(address, order)
    this.#blocks.length = 0
    this.#capacity = 0
    this.#lastRows = 0
    this.size = 0
  }

  #extend() {
    const { stride } = this.#shape
    const least = Math.max(SMALLEST_ORDER, Math.ceil(Math.log2(LEAST_ROWS * stride)))
    const missing = this.expected - this.size
    const wanted = missing > 0 ? missing * stride : this.#capacity / GROWTH
    const order = Math.max(least, Math.min(GREATEST_BLOCK, Math.floor(Math.log2(wanted))))
    const block = { address: this.#memory.take(order), order }
    this.#blocks.push(block)
    this.#capacity += 2 ** order
    return block
  }

  #rowsOf(order: number): number {
    return Math.floor(2 ** order / this.#shape.stride)
  }
}
