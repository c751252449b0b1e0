/** The memory of a shard's codes: one WebAssembly.Memory with the kernels over it, cut into blocks. */
import { openKernels } from '../../../wasm/kernels/kernels.node.ts'
import {
  codeBytes,
  type KernelBuild,
  type Kernels,
  PROBE_LEVELS,
  ROW_LEVELS,
  ROW_ZERO,
} from '../../../wasm/kernels/kernels.ts'
import { LIMITS } from '../../contract/limits.ts'
import { StoreUnavailable } from '../vector-store.ts'
import { BuddyAllocator, GREATEST_ORDER, SMALLEST_ORDER } from './buddy-allocator.ts'

const PAGE_BYTES = 65_536
const GROWTH_BYTES = 2 ** GREATEST_ORDER

/**
 * The end of the last block. A block at the very end of the 4 GiB would end at an address that 32 bits do not hold, so
 * the last growth is left out.
 */
const END = 2 ** 32 - GROWTH_BYTES

/** Records or sketches that one call of a kernel looks at, whole groups of them: the bar can rise after each. */
export const RUN_ROWS = 1024

/** The first block is what the kernels read and write beside the blocks of galleries. */
const VECTOR = 64
const PROBE = VECTOR + 4 * LIMITS.vectorLength
const ABOUT = PROBE + LIMITS.vectorLength
const FOUND = ABOUT + 64
/** Pairs, and what the kernels need behind them. */
const FOUND_BYTES = 8 * RUN_ROWS + 64
const SCRATCH_ORDER = Math.ceil(Math.log2(FOUND + FOUND_BYTES))

/** A probe that is ready for scanning, until the next one is made ready. */
export interface Probe {
  readonly unit: Float32Array
  readonly shift: number
  readonly scale: number
  /** Length of what coding took away from the probe. */
  readonly residual: number
}

/** What coding a row gave. */
export interface Coded {
  readonly step: number
  /** Length of what coding took away from the row. */
  readonly residual: number
}

/** Opens an empty memory. `build` is for measurements: else it is the quickest one. */
export async function openCodeMemory(build?: KernelBuild): Promise<CodeMemory> {
  const memory = new WebAssembly.Memory({ initial: 0, maximum: END / PAGE_BYTES })
  return new CodeMemory(memory, await openKernels(memory, build))
}

/** For one thread. Views of the memory are new after every `take`: read them from here each time. */
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

  /** Bytes that the memory has grown to; what was never written of them is not resident. */
  get size(): number {
    return this.bytes.length
  }

  /** The address of a block of 2 ** order bytes, all zeros. Throws StoreUnavailable (`full`). */
  take(order: number): number {
    const address = this.#buddies.take(Math.max(order, SMALLEST_ORDER))
    if (address !== undefined) return address
    this.#grow(order)
    return this.#buddies.take(order)!
  }

  /** Gives a block back, overwritten with zeros. */
  give(address: number, order: number): void {
    this.bytes.fill(0, address, address + 2 ** order)
    this.#buddies.give(address, Math.max(order, SMALLEST_ORDER))
  }

  /** Codes a unit vector into a record's place and notes its step. */
  code(unit: Float32Array, address: number): Coded {
    const bytes = this.#load(unit)
    this.kernels.encode(VECTOR, bytes, ROW_LEVELS, ROW_ZERO, address, ABOUT)
    const [step, squares] = [this.floats[ABOUT / 4]!, this.floats[ABOUT / 4 + 1]!]
    this.floats[(address + bytes) / 4] = step
    return { step, residual: Math.sqrt(squares) }
  }

  /** Makes a unit vector the probe of the next scans and rankings. */
  probe(unit: Float32Array): Probe {
    const bytes = this.#load(unit)
    this.kernels.encode(VECTOR, bytes, PROBE_LEVELS, 0, PROBE, ABOUT)
    const sum = this.words[ABOUT / 4 + 2]! | 0
    return {
      unit,
      shift: ROW_ZERO * sum,
      scale: this.floats[ABOUT / 4]!,
      residual: Math.sqrt(this.floats[ABOUT / 4 + 1]!),
    }
  }

  /**
   * Scores at most RUN_ROWS records against the probe. The pairs above the bar are then at `found`: the address of the
   * record in `words`, its score behind it in `floats`. Returns their number.
   */
  scan(address: number, rows: number, bytes: number, { shift, scale }: Probe, bar: number): number {
    return this.kernels.scan(address, rows, bytes, PROBE, shift, scale, bar, FOUND)
  }

  readonly found = FOUND / 4

  /** Writes the dot products of the probe and float vectors, which lie one behind the other, as floats. */
  rank(vectors: number, count: number, floats: number, scores: number): void {
    this.kernels.rank(vectors, count, floats, VECTOR, scores)
  }

  /** Lays a vector where the kernels read it, filled up with zeros. Returns the bytes of its code. */
  #load(unit: Float32Array): number {
    const bytes = codeBytes(unit.length)
    this.floats.set(unit, VECTOR / 4)
    this.floats.fill(0, VECTOR / 4 + unit.length, VECTOR / 4 + bytes)
    return bytes
  }

  #grow(order: number): void {
    const from = this.size
    if (order > GREATEST_ORDER || from + GROWTH_BYTES > END) throw new StoreUnavailable('full')
    try {
      this.#memory.grow(GROWTH_BYTES / PAGE_BYTES)
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
