/** A bucket: records of one gallery that are scanned together, in blocks that grow with it. */

import type { BinaryCodes } from '../index/binary-codes.ts'
import type { Space } from '../vector-store.ts'
import { SMALLEST_ORDER } from './buddy-allocator.ts'
import type { CodeMemory } from './code-memory.ts'
import type { Extents, Piece } from './extents.ts'
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
  /** Records that there is room for, and records. */
  readonly room: number
  rows: number
  /** What it is to its memory: a block of its own with this order, or a piece of an extent. */
  readonly order: number
  readonly piece?: Piece
}

/** What is known of the records to come: how many there will be, and where they are to lie. */
export interface Expected {
  readonly records: number
  readonly extents: Extents
}

export class Bucket {
  readonly number: number
  space: Space
  size = 0
  /** Set before the first record is added, where it is known. */
  expected: Expected | undefined
  /** Of a list: its rows' sketches. Set before the first record is added. */
  sketches: BinaryCodes | undefined
  readonly #memory: CodeMemory
  readonly #shape: RecordShape
  /** All but the last are full, and none is empty. */
  readonly #blocks: Block[] = []
  /** Bytes of the blocks of its own. */
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

  /** The address of a new last record, which bears the bucket's number and is empty else. Throws StoreUnavailable (`full`). */
  append(): number {
    this.sketches?.hold(this.size + 1, this.expected?.records ?? 0)
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

  /** The address of a record by its number, 0 .. size - 1: they are counted block by block. */
  recordAt(number: number): number {
    let within = number
    for (const { address, rows } of this.#blocks) {
      if (within < rows) return address + within * this.#shape.stride
      within -= rows
    }
    throw new RangeError('a record that the bucket does not have')
  }

  /** Keeps the sketch of a record in step with its code, where there are sketches. */
  sketch(address: number): void {
    this.sketches?.write(this.#numberOf(address), address)
  }

  /** Gives the sketches back, and keeps none from now on. */
  dropSketches(): void {
    this.sketches?.clear()
    this.sketches = undefined
  }

  /** Overwrites the last record with zeros, and gives its block back when it was the only one there. */
  removeLast(): void {
    const { last } = this
    const block = this.#blocks.at(-1)!
    this.#memory.bytes.fill(0, last, last + this.#shape.stride)
    block.rows--
    this.size--
    this.sketches?.removeLast(this.size)
    if (block.rows > 0) return
    this.#blocks.pop()
    this.#give(block)
  }

  /** Gives all blocks back. */
  clear(): void {
    this.dropSketches()
    for (const block of this.#blocks) this.#give(block)
    this.#blocks.length = 0
    this.size = 0
  }

  #numberOf(address: number): number {
    let before = 0
    for (const block of this.#blocks) {
      const within = address - block.address
      if (within >= 0 && within < block.rows * this.#shape.stride) return before + within / this.#shape.stride
      before += block.rows
    }
    throw new RangeError('a record of another bucket')
  }

  #give({ address, order, piece }: Block): void {
    if (piece) {
      this.expected?.extents.give(piece)
      return
    }
    this.#memory.give(address, order)
    this.#capacity -= 2 ** order
  }

  #extend(): Block {
    const block = this.#expectedBlock() ?? this.#grownBlock()
    this.#blocks.push(block)
    return block
  }

  #expectedBlock(): Block | undefined {
    const { stride } = this.#shape
    const missing = (this.expected?.records ?? 0) - this.size
    if (!this.expected || missing <= 0) return undefined
    const piece = this.expected.extents.take(missing * stride, stride)
    return { address: piece.address, room: piece.bytes / stride, rows: 0, order: 0, piece }
  }

  #grownBlock(): Block {
    const { stride } = this.#shape
    const least = Math.max(SMALLEST_ORDER, Math.ceil(Math.log2(LEAST_ROWS * stride)))
    const order = Math.max(least, Math.min(GREATEST_BLOCK, Math.floor(Math.log2(this.#capacity / GROWTH))))
    const block = { address: this.#memory.take(order), room: Math.floor(2 ** order / stride), rows: 0, order }
    this.#capacity += 2 ** order
    return block
  }
}
