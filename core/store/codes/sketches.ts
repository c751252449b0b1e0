/** The sketches of one list: those of its rows in their order, in groups that grow with it. */
import { GROUP_ROWS } from '../../../wasm/kernels/sketch.ts'
import type { Extents, Piece } from './extents.ts'
import type { Sketching } from './sketching.ts'

/** Groups that lie one behind the other. */
interface Groups {
  readonly piece: Piece
  /** The row of the first lane, and the rows that there are lanes for. */
  readonly first: number
  readonly rows: number
}

export class Sketches {
  readonly sketching: Sketching
  readonly #extents: Extents
  readonly #groups: Groups[] = []

  constructor(sketching: Sketching, extents: Extents) {
    this.sketching = sketching
    this.#extents = extents
  }

  /** Addresses of first groups, with the row of the first lane and the rows that there are lanes for, in their order. */
  *runs(): Generator<{ address: number; first: number; rows: number }> {
    for (const { piece, first, rows } of this.#groups) yield { address: piece.address, first, rows }
  }

  /** Makes room for `rows` rows; where there is too little, for `expected` ones. Throws StoreAway (`full`). */
  hold(rows: number, expected: number): void {
    while (this.#room < rows) {
      const { groupBytes } = this.sketching
      const missing = Math.ceil((Math.max(rows, expected) - this.#room) / GROUP_ROWS)
      const piece = this.#extents.take(missing * groupBytes, groupBytes)
      this.#groups.push({ piece, first: this.#room, rows: (piece.bytes / groupBytes) * GROUP_ROWS })
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
    const { piece, first } = this.#groups.findLast(groups => groups.first <= row)!
    const number = Math.floor((row - first) / GROUP_ROWS)
    return {
      group: piece.address + number * this.sketching.groupBytes,
      lane: (row - first) % GROUP_ROWS,
    }
  }
}
