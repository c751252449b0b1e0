/** A bucket: records of one gallery that are scanned together, in memory blocks that grow with it. */

import type { Space } from '../vector-store.ts'
import { type CodeMemory, type RecordShape, SMALLEST_ORDER } from './int8-codes.ts'

/** Least capacity of the smallest block, in records; a lower one would waste memory. */
const MIN_ROWS = 3

/** Size of the largest block in bytes, as a power of two. */
const LARGEST_BLOCK = 18

/** A new block has at most 1/BLOCK_GROWTH of the bucket's capacity: this bounds unused memory. Expected records make it larger. */
const BLOCK_GROWTH = 4

/** Contiguous records. */
interface Run {
  readonly address: number
  readonly rows: number
}

interface Block {
  readonly address: number
  /** Capacity in records, and records in use. */
  readonly capacity: number
  rows: number
  /** Power of two of its size in bytes. */
  readonly order: number
}

/** Additional codes of a bucket's rows, in the order of the rows. An index uses them to select rows. */
export interface RowCodes {
  /** Ensures a capacity of `least` rows. Grows to `expected` rows if those are more. Throws StoreUnavailable (`full`). */
  hold(least: number, expected: number): void
  /** Writes the code of a row from its record. */
  write(row: number, record: number): void
  /** Overwrites the code of the last row, `row`, with zeros. */
  removeLast(row: number): void
  /** Releases all memory. */
  clear(): void
}

/** Records of one gallery in one space, or in one list of an index. */
export class Bucket {
  readonly number: number
  space: Space
  size = 0
  /** Number of records that will be added, as far as it is known. */
  expected = 0
  /** Additional codes that an index keeps of the rows. Set before the first record is added. */
  rowCodes: RowCodes | undefined
  readonly #memory: CodeMemory
  readonly #shape: RecordShape
  /** All blocks except the last are full; no block is empty. */
  readonly #blocks: Block[] = []
  /** Bytes of all blocks. */
  #capacity = 0

  constructor(memory: CodeMemory, shape: RecordShape, number: number, space: Space) {
    this.#memory = memory
    this.#shape = shape
    this.number = number
    this.space = space
  }

  /** All records, block by block. Read it again after every change. */
  get runs(): readonly Run[] {
    return this.#blocks
  }

  /**
   * Appends a record that has the bucket's number and is otherwise zero; returns its address. Throws StoreUnavailable
   * (`full`).
   */
  append(): number {
    this.rowCodes?.hold(this.size + 1, this.expected)
    let last = this.#blocks.at(-1)
    if (!last || last.rows === last.capacity) last = this.#extend()
    const address = last.address + last.rows * this.#shape.stride
    this.#memory.setBucket(address, this.#shape, this.number)
    last.rows++
    this.size++
    return address
  }

  /** Address of the last record. The bucket must not be empty. */
  get last(): number {
    const { address, rows } = this.#blocks.at(-1)!
    return address + (rows - 1) * this.#shape.stride
  }

  /** Address of a record by its number, 0..size - 1, counted block by block. Throws RangeError. */
  recordAt(number: number): number {
    let within = number
    for (const { address, rows } of this.#blocks) {
      if (within < rows) return address + within * this.#shape.stride
      within -= rows
    }
    throw new RangeError('a record that the bucket does not have')
  }

  /** Writes the additional code of a record after its int8 code has changed, if the bucket has additional codes. */
  updateCodes(address: number): void {
    this.rowCodes?.write(this.#numberOf(address), address)
  }

  /** Releases the additional codes. The bucket writes none from then on. */
  dropRowCodes(): void {
    this.rowCodes?.clear()
    this.rowCodes = undefined
  }

  /** Overwrites the last record with zeros. Releases its block when the block is empty. */
  removeLast(): void {
    const { last } = this
    const block = this.#blocks.at(-1)!
    this.#memory.bytes.fill(0, last, last + this.#shape.stride)
    block.rows--
    this.size--
    this.rowCodes?.removeLast(this.size)
    if (block.rows > 0) return
    this.#blocks.pop()
    this.#release(block)
  }

  /** Releases all blocks and additional codes. */
  clear(): void {
    this.dropRowCodes()
    for (const block of this.#blocks) this.#release(block)
    this.#blocks.length = 0
    this.size = 0
  }

  #numberOf(address: number) {
    let before = 0
    for (const block of this.#blocks) {
      const within = address - block.address
      if (within >= 0 && within < block.rows * this.#shape.stride) return before + within / this.#shape.stride
      before += block.rows
    }
    throw new RangeError('a record of another bucket')
  }

  #release({ address, order }: Block) {
    this.#memory.give(address, order)
    this.#capacity -= 2 ** order
  }

  #extend(): Block {
    const { stride } = this.#shape
    const least = Math.max(SMALLEST_ORDER, Math.ceil(Math.log2(MIN_ROWS * stride)))
    const missing = (this.expected - this.size) * stride
    const wanted = missing > 0 ? missing : this.#capacity / BLOCK_GROWTH
    const order = Math.max(least, Math.min(LARGEST_BLOCK, Math.floor(Math.log2(wanted))))
    const block = {
      address: this.#memory.take(order),
      capacity: Math.floor(2 ** order / stride),
      rows: 0,
      order,
    }
    this.#capacity += 2 ** order
    this.#blocks.push(block)
    return block
  }
}
