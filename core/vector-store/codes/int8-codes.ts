/**
 * Int8 codes of a shard: makes them of vectors and keeps them in one WebAssembly.Memory, divided into blocks. The arithmetic is in
 * wasm/kernels.
 */

import { STORE_LIMITS } from '../../../contract/limits/store.ts'
import { openKernels } from '../../../wasm/kernels/kernels.node.ts'
import {
  codeBytes,
  type Kernels,
  PROBE_LEVELS,
  ROW_LEVELS,
  ROW_ZERO,
  TRAILER_BYTES,
} from '../../../wasm/kernels/kernels.ts'
import { StoreUnavailable } from '../vector-store.ts'

/** Byte offsets from the end of the code. The kernels depend on STEP. The number of a bucket has three bytes. */
export const STEP_AT = 0
const BUCKET_AT = 4
const RESIDUAL_AT = 7
export const ID_AT = 8
export const BUCKET_NUMBERS = 2 ** 24

/** A record has its residual in these parts, rounded up; the greatest number stands for any longer residual as well. */
const RESIDUAL_PARTS = 2_048
const LONG_RESIDUAL = 255

/** Sizes in the records of one dimension. */
export interface RecordShape {
  /** Bytes of the code, which the trailer follows. */
  readonly code: number
  /** Bytes of a whole record. */
  readonly stride: number
}

export function recordShape(dimension: number): RecordShape {
  const code = codeBytes(dimension)
  return { code, stride: code + TRAILER_BYTES }
}

/** Sizes of the smallest and the largest block in bytes, as powers of two. The memory grows by the largest. */
export const SMALLEST_ORDER = 9
export const GREATEST_ORDER = 24

const NO_RECORD = -1

/**
 * Free blocks by order, the power of two of their size. Each order is a doubly linked list over arrays. Addresses are
 * in bytes, multiples of the block's size; the arrays are indexed by address in units of the smallest block.
 */
class BuddyAllocator {
  readonly #heads = new Int32Array(GREATEST_ORDER + 1).fill(NO_RECORD)
  /** For each smallest block: the order of the free block that starts there, or 0. */
  #orders = new Uint8Array(0)
  #next = new Int32Array(0)
  #previous = new Int32Array(0)

  /** Adds a free block of the largest order at this address. */
  grow(address: number): void {
    const needed = (address + 2 ** GREATEST_ORDER) / 2 ** SMALLEST_ORDER
    if (needed > this.#orders.length) {
      const length = Math.max(needed, 2 * this.#orders.length)
      this.#orders = copyInto(this.#orders, new Uint8Array(length))
      this.#next = copyInto(this.#next, new Int32Array(length))
      this.#previous = copyInto(this.#previous, new Int32Array(length))
    }
    this.#push(address / 2 ** SMALLEST_ORDER, GREATEST_ORDER)
  }

  /** Takes a block; returns its address, or undefined when no block is free. */
  take(order: number): number | undefined {
    let found = order
    while (found <= GREATEST_ORDER && this.#heads[found] === NO_RECORD) found++
    if (found > GREATEST_ORDER) return undefined
    const place = this.#heads[found]!
    this.#unlink(place)
    while (found > order) {
      found--
      this.#push(place + places(found), found)
    }
    return place * 2 ** SMALLEST_ORDER
  }

  /** Returns a block, and merges it with its free buddies. */
  give(address: number, order: number): void {
    let place = address / 2 ** SMALLEST_ORDER
    let joined = order
    for (; joined < GREATEST_ORDER; joined++) {
      const buddy = place ^ places(joined)
      if (this.#orders[buddy] !== joined) break
      this.#unlink(buddy)
      place = Math.min(place, buddy)
    }
    this.#push(place, joined)
  }

  #push(place: number, order: number) {
    const head = this.#heads[order]!
    this.#orders[place] = order
    this.#next[place] = head
    this.#previous[place] = NO_RECORD
    if (head !== NO_RECORD) this.#previous[head] = place
    this.#heads[order] = place
  }

  #unlink(place: number) {
    const [next, previous] = [this.#next[place]!, this.#previous[place]!]
    if (previous === NO_RECORD) this.#heads[this.#orders[place]!] = next
    else this.#next[previous] = next
    if (next !== NO_RECORD) this.#previous[next] = previous
    this.#orders[place] = 0
  }
}

const places = (order: number) => 2 ** (order - SMALLEST_ORDER)

function copyInto<T extends Uint8Array | Int32Array>(values: T, target: T): T {
  target.set(values)
  return target
}

const WASM_PAGE_BYTES = 65_536
const GROWTH_BYTES = 2 ** GREATEST_ORDER

/**
 * End of the last block in bytes. A block that ends at 4 GiB has an end address beyond 32 bits, so the last growth step
 * is left out.
 */
const END = 2 ** 32 - GROWTH_BYTES

/** Records or binary codes per kernel call, a multiple of GROUP_ROWS. The score threshold can rise between calls. */
export const RUN_ROWS = 1024

/** Addresses in the first block, which holds inputs and outputs of the kernels. */
const VECTOR = 64
const PROBE = VECTOR + 4 * STORE_LIMITS.vectorLength
const CODE_INFO = PROBE + STORE_LIMITS.vectorLength
const FOUND = CODE_INFO + 64
/** Result pairs, and the scratch space that the kernels need behind them. */
const FOUND_BYTES = 8 * RUN_ROWS + 64
const SCRATCH_ORDER = Math.ceil(Math.log2(FOUND + FOUND_BYTES))

/** A probe that is ready for scans; valid until the next call of `probe`. */
export interface Probe {
  readonly unit: Float32Array
  readonly shift: number
  readonly scale: number
  /** Length of the difference between the probe and its code. */
  readonly residual: number
}

/** Result of encoding a row. */
export interface Coded {
  readonly step: number
  /** Length of the difference between the row and its code. */
  readonly residual: number
}

/** Opens an empty memory. */
export async function openCodeMemory(): Promise<CodeMemory> {
  const memory = new WebAssembly.Memory({ initial: 0, maximum: END / WASM_PAGE_BYTES })
  return new CodeMemory(memory, await openKernels(memory))
}

/** Code memory for one thread. Every `take` may replace the views: read them from this object each time. */
export class CodeMemory {
  readonly kernels: Kernels
  readonly #memory: WebAssembly.Memory
  readonly #buddies = new BuddyAllocator()
  bytes = new Uint8Array(0)
  words = new Uint32Array(0)
  floats = new Float32Array(0)
  doubles = new Float64Array(0)

  constructor(memory: WebAssembly.Memory, kernels: Kernels) {
    this.#memory = memory
    this.kernels = kernels
    this.take(SCRATCH_ORDER)
  }

  /** Bytes of the memory. Bytes that were never written are not resident. */
  get size(): number {
    return this.bytes.length
  }

  /** Takes a block of 2 ** order bytes, all zeros; returns its address. Throws StoreUnavailable (`full`). */
  take(order: number): number {
    const address = this.#buddies.take(Math.max(order, SMALLEST_ORDER))
    if (address !== undefined) return address
    this.#grow(order)
    return this.#buddies.take(order)!
  }

  /** Overwrites a block with zeros and returns it. */
  give(address: number, order: number): void {
    this.bytes.fill(0, address, address + 2 ** order)
    this.#buddies.give(address, Math.max(order, SMALLEST_ORDER))
  }

  /** Writes the code, the step and the residual of a unit vector into a record. */
  code(unit: Float32Array, address: number): Coded {
    const bytes = this.#load(unit)
    this.kernels.encode(VECTOR, bytes, ROW_LEVELS, ROW_ZERO, address, CODE_INFO)
    const [step, squares] = [this.floats[CODE_INFO / 4]!, this.floats[CODE_INFO / 4 + 1]!]
    const residual = Math.sqrt(squares)
    this.floats[(address + bytes) / 4] = step
    this.bytes[address + bytes + RESIDUAL_AT] = Math.min(LONG_RESIDUAL, Math.ceil(residual * RESIDUAL_PARTS))
    return { step, residual }
  }

  /** Upper bound of the residual of a record, which is at most `greatest`. */
  residualAt(address: number, { code }: RecordShape, greatest: number): number {
    const parts = this.bytes[address + code + RESIDUAL_AT]!
    return parts === LONG_RESIDUAL ? greatest : Math.min(greatest, parts / RESIDUAL_PARTS)
  }

  bucketAt(address: number, { code }: RecordShape): number {
    return this.words[(address + code + BUCKET_AT) / 4]! % BUCKET_NUMBERS
  }

  setBucket(address: number, { code }: RecordShape, number: number): void {
    const word = this.words[(address + code + BUCKET_AT) / 4]!
    this.words[(address + code + BUCKET_AT) / 4] = word - (word % BUCKET_NUMBERS) + number
  }

  /** Makes a unit vector the probe of the next scans and rankings. */
  probe(unit: Float32Array): Probe {
    const bytes = this.#load(unit)
    this.kernels.encode(VECTOR, bytes, PROBE_LEVELS, 0, PROBE, CODE_INFO)
    const sum = this.words[CODE_INFO / 4 + 2]! | 0
    return {
      unit,
      shift: ROW_ZERO * sum,
      scale: this.floats[CODE_INFO / 4]!,
      residual: Math.sqrt(this.floats[CODE_INFO / 4 + 1]!),
    }
  }

  /**
   * Scores at most RUN_ROWS records against the probe. Returns the number of records above `bar`. Their pairs start at
   * `found`: the record's address in `words`, its score behind it in `floats`.
   */
  scan(address: number, rows: number, bytes: number, { shift, scale }: Probe, bar: number): number {
    return this.kernels.scan(address, rows, bytes, PROBE, shift, scale, bar, FOUND)
  }

  /** Index of the first result pair in `words` and `floats`. */
  readonly found = FOUND / 4

  /** Writes the dot products of the probe and `count` contiguous float vectors, as floats. */
  rank(vectors: number, count: number, floats: number, scores: number): void {
    this.kernels.rank(vectors, count, floats, VECTOR, scores)
  }

  /** Copies a vector to the kernels' input and pads it with zeros. Returns the bytes of its code. */
  #load(unit: Float32Array) {
    const bytes = codeBytes(unit.length)
    this.floats.set(unit, VECTOR / 4)
    this.floats.fill(0, VECTOR / 4 + unit.length, VECTOR / 4 + bytes)
    return bytes
  }

  #grow(order: number) {
    const from = this.size
    if (order > GREATEST_ORDER || from + GROWTH_BYTES > END) throw new StoreUnavailable('full')
    try {
      this.#memory.grow(GROWTH_BYTES / WASM_PAGE_BYTES)
    } catch (cause) {
      throw new StoreUnavailable('full', { cause })
    }
    const { buffer } = this.#memory
    this.bytes = new Uint8Array(buffer)
    this.words = new Uint32Array(buffer)
    this.floats = new Float32Array(buffer)
    this.doubles = new Float64Array(buffer)
    this.#buddies.grow(from)
  }
}
