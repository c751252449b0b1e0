/** Memory for the lists of an index, one behind the other: a scan of many lists then seldom jumps. */
import { SMALLEST_ORDER } from './buddy-allocator.ts'
import type { CodeMemory } from './code-memory.ts'

/** Bytes of the greatest extent, as a power of two. */
const GREATEST_EXTENT = 18

/** A block that is given away in pieces, from its beginning on, and given back with the last of them. */
interface Extent {
  readonly address: number
  used: number
  pieces: number
}

export interface Piece {
  readonly address: number
  readonly bytes: number
  readonly extent: Extent
}

export class Extents {
  readonly #memory: CodeMemory
  readonly #order: number
  #current: Extent | undefined

  /** For so many bytes in all, as far as that is known. */
  constructor(memory: CodeMemory, expected: number) {
    this.#memory = memory
    const order = Math.ceil(Math.log2(Math.max(1, expected)))
    this.#order = Math.max(SMALLEST_ORDER, Math.min(GREATEST_EXTENT, order))
  }

  /**
   * A piece for records of `stride` bytes, all zeros: of so many bytes, or of what is left of an extent, but of one record
   * at least. Throws StoreUnavailable (`full`).
   */
  take(bytes: number, stride: number): Piece {
    const whole = 2 ** this.#order
    let extent = this.#current
    if (!extent || whole - extent.used < stride) {
      if (stride > whole) throw new RangeError('a record is larger than an extent')
      extent = { address: this.#memory.take(this.#order), used: 0, pieces: 0 }
      this.#current = extent
    }
    const room = Math.floor((whole - extent.used) / stride) * stride
    const piece = { address: extent.address + extent.used, bytes: Math.min(bytes, room), extent }
    extent.used += piece.bytes
    extent.pieces++
    return piece
  }

  /** Gives a piece back, overwritten with zeros. */
  give({ address, bytes, extent }: Piece): void {
    this.#memory.bytes.fill(0, address, address + bytes)
    if (--extent.pieces > 0) return
    if (extent === this.#current) this.#current = undefined
    this.#memory.give(extent.address, this.#order)
  }
}
