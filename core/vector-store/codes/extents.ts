/** Contiguous memory for the lists of an index; scans of many lists then read mostly in sequence. */
import { type CodeMemory, SMALLEST_ORDER } from './code-memory.ts'

/** Size of the largest extent in bytes, as a power of two. */
const LARGEST_EXTENT = 18

/** A block that is handed out in pieces from its start, and released with its last piece. */
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

  /** `expected` is the total number of bytes, as far as it is known. */
  constructor(memory: CodeMemory, expected: number) {
    this.#memory = memory
    const order = Math.ceil(Math.log2(Math.max(1, expected)))
    this.#order = Math.max(SMALLEST_ORDER, Math.min(LARGEST_EXTENT, order))
  }

  /**
   * Takes a piece for records of `stride` bytes, all zeros. It has `bytes` bytes, or fewer at the end of an extent, but
   * space for at least one record. Throws StoreUnavailable (`full`).
   */
  take(bytes: number, stride: number): Piece {
    const whole = 2 ** this.#order
    let extent = this.#current
    if (!extent || whole - extent.used < stride) {
      if (stride > whole) throw new RangeError('a record is larger than an extent')
      extent = { address: this.#memory.take(this.#order), used: 0, pieces: 0 }
      this.#current = extent
    }
    const available = Math.floor((whole - extent.used) / stride) * stride
    const piece = { address: extent.address + extent.used, bytes: Math.min(bytes, available), extent }
    extent.used += piece.bytes
    extent.pieces++
    return piece
  }

  /** Overwrites a piece with zeros and returns it. */
  give({ address, bytes, extent }: Piece): void {
    this.#memory.bytes.fill(0, address, address + bytes)
    if (--extent.pieces > 0) return
    if (extent === this.#current) this.#current = undefined
    this.#memory.give(extent.address, this.#order)
  }
}
