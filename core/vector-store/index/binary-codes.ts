/** The sketches of one list: those of its rows in their order, in groups that grow with it. */
import { GROUP_ROWS } from '../../../wasm/kernels/sketch.ts'
import type { Extents, Piece } from '../codes/extents.ts'
import type { BinaryCoder } from './binary-coding.ts'

/** Groups that lie one behind the other. */
export interface Groups {
  readonly address: number
  /** The row of the first lane, and the rows that there are lanes for. */
  readonly first: number
  readonly rows: number
  readonly piece: Piece
}

export class BinaryCodes {
  readonly sketching: BinaryCoder
  readonly #extents: Extents
  readonly #groups: Groups[] = []

  constructor(sketching: BinaryCoder, extents: Extents) {
    this.sketching = sketching
    this.#extents = extents
  }

  /** All groups, in the order of their rows. Read anew after every change. */
  get runs(): readonly Groups[] {
    return this.#groups
  }

  /** Makes room for `least` rows; where there is too little, for `expected` ones. Throws StoreUnavailable (`full`). */
  hold(least: number, expected: number): void {
    while (this.#room < least) {
      const { groupBytes } = this.sketching
      const missing = Math.ceil((Math.max(least, expected) - this.#room) / GROUP_ROWS)
      const piece = this.#extents.take(missing * groupBytes, groupBytes)
      const rows = (piece.bytes / groupBytes) * GROUP_ROWS
      this.#groups.push({ address: piece.address, first: this.#room, rows, piece })
    }
  }

  /** Sketches the record of a row. */
  write(row: number, record: number): void {
    const { group, lane } = this.#place(row)
    this.sketching.write(record, group, lane)
  }

  /** Overwrites the sketch of the last row, `row`, with zeros, and gives back what no row before it needs. */
  removeLast(row: number): void {
    const { group, lane } = this.#place(row)
    this.sketching.clear(group, lane)
    while (this.#groups.length > 0 && this.#groups.at(-1)!.first >= row) {
      this.#extents.give(this.#groups.pop()!.piece)
    }
  }

  /** Gives all memory back. */
  clear(): void {
    for (const { piece } of this.#groups) this.#extents.give(piece)
    this.#groups.length = 0
  }

  get #room(): number {
    const last = this.#groups.at(-1)
    return last ? last.first + last.rows : 0
  }

  #place(row: number): { group: number; lane: number } {
    const { address, first } = this.#groups.findLast(groups => groups.first <= row)!
    const number = Math.floor((row - first) / GROUP_ROWS)
    return {
      group: address + number * this.sketching.groupBytes,
      lane: (row - first) % GROUP_ROWS,
    }
  }
}
