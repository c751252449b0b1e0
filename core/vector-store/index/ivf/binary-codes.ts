/** Binary codes of one list, in the order of its rows, in groups that grow with the list. */
import { GROUP_ROWS } from '../../../../wasm/kernels/kernels.ts'
import type { RowCodes } from '../../codes/bucket.ts'
import type { Extents, Piece } from '../../codes/extents.ts'
import type { BinaryCoder } from './binary-coding.ts'

/** Contiguous groups. */
export interface Groups {
  readonly address: number
  /** Row of the first lane, and number of lanes. */
  readonly first: number
  readonly rows: number
  readonly piece: Piece
}

export class BinaryCodes implements RowCodes {
  readonly coder: BinaryCoder
  readonly #extents: Extents
  readonly #groups: Groups[] = []

  constructor(coder: BinaryCoder, extents: Extents) {
    this.coder = coder
    this.#extents = extents
  }

  /** All groups, in the order of their rows. Read it again after every change. */
  get runs(): readonly Groups[] {
    return this.#groups
  }

  /** Ensures a capacity of `least` rows. Grows to `expected` rows if those are more. Throws StoreUnavailable (`full`). */
  hold(least: number, expected: number): void {
    while (this.#capacity < least) {
      const { groupBytes } = this.coder
      const missing = Math.ceil((Math.max(least, expected) - this.#capacity) / GROUP_ROWS)
      const piece = this.#extents.take(missing * groupBytes, groupBytes)
      const rows = (piece.bytes / groupBytes) * GROUP_ROWS
      this.#groups.push({ address: piece.address, first: this.#capacity, rows, piece })
    }
  }

  /** Writes the binary code of a row from its record. */
  write(row: number, record: number): void {
    const { group, lane } = this.#place(row)
    this.coder.write(record, group, lane)
  }

  /** Overwrites the binary code of the last row, `row`, with zeros, and releases the groups that no earlier row needs. */
  removeLast(row: number): void {
    const { group, lane } = this.#place(row)
    this.coder.clear(group, lane)
    while (this.#groups.length > 0 && this.#groups.at(-1)!.first >= row) {
      this.#extents.give(this.#groups.pop()!.piece)
    }
  }

  /** Releases all memory. */
  clear(): void {
    for (const { piece } of this.#groups) this.#extents.give(piece)
    this.#groups.length = 0
  }

  get #capacity(): number {
    const last = this.#groups.at(-1)
    return last ? last.first + last.rows : 0
  }

  #place(row: number): { group: number; lane: number } {
    const { address, first } = this.#groups.findLast(groups => groups.first <= row)!
    const number = Math.floor((row - first) / GROUP_ROWS)
    return {
      group: address + number * this.coder.groupBytes,
      lane: (row - first) % GROUP_ROWS,
    }
  }
}
