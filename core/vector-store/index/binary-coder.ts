/** Writes binary codes of an index's rows and scores them against a probe, to select the rows for the int8 scan. */

import {
  FACTOR_STEPS,
  GREATEST_ENTRY,
  groupBytes,
  OFFSET_STEPS,
  ROW_ZERO,
  rotatedValues,
  rotationFactors,
  rotationRounds,
} from '../../../wasm/kernels/kernels.ts'
import { type CodeMemory, type RecordShape, recordShape, STEP_AT } from '../codes/int8-codes.ts'
import { seededRandom } from './seeded-random.ts'

/** Parameters that convert sums of table entries into scores; see `Kernels.prefilter`. */
interface Scoring {
  shift: number
  bias: number
  offsetScale: number
}

/** Binary coder of one index, with its rotation and mean vector in code memory. */
export class BinaryCoder {
  readonly groupBytes: number
  readonly #memory: CodeMemory
  readonly #shape: RecordShape
  readonly #values: number
  readonly #address: number
  readonly #order: number
  #scoring: Scoring = { shift: 0, bias: 0, offsetScale: 0 }

  /** `middle` is the mean vector of all rows, which binary codes leave out. Throws StoreUnavailable (`full`). */
  constructor(memory: CodeMemory, middle: Float32Array) {
    this.#memory = memory
    this.#shape = recordShape(middle.length)
    this.#values = rotatedValues(middle.length)
    this.groupBytes = groupBytes(this.#values)
    // Arrays of 4 * values bytes each: the mean, work space, the probe's table, and the factors of each round.
    this.#order = Math.ceil(Math.log2(4 * this.#values * (3 + rotationRounds(this.#values))))
    this.#address = memory.take(this.#order)
    memory.floats.set(rotationFactors(this.#values, seededRandom(this.#values)), this.#factors / 4)
    this.#rotate(middle, this.#middle)
  }

  /** Writes the binary code of a record into a lane of a group. */
  write(record: number, group: number, lane: number): void {
    const { kernels, floats } = this.#memory
    const { code } = this.#shape
    const step = floats[(record + code + STEP_AT) / 4]!
    const [factors, middle, work, values] = [this.#factors, this.#middle, this.#work, this.#values]
    kernels.encodeBinary(record, code, ROW_ZERO, step, factors, middle, values, work, group, lane)
  }

  /** Overwrites a lane of a group with zeros. */
  clear(group: number, lane: number): void {
    const { bytes } = this.#memory
    const factors = group + 4 * this.#values
    const other = lane < 16 ? 0xf0 : 0x0f
    for (let part = group + (lane & 15); part < factors; part += 16) bytes[part]! &= other
    bytes[factors + lane] = 0
    bytes[factors + 32 + lane] = 0
  }

  /** Makes a unit vector the probe of the next scores. */
  probe(unit: Float32Array): void {
    const rotated = this.#rotate(unit, this.#work)
    const middle = this.#floatsAt(this.#middle)
    for (let i = 0; i < rotated.length; i++) rotated[i]! -= middle[i]!
    const table = this.#memory.bytes.subarray(this.#table, this.#table + 4 * this.#values)
    const step = fillTable(rotated, table)
    const sums = (this.#values / 4) * GREATEST_ENTRY
    // Largest shift at which the range of the sums, centred on zero, fits into 16 bits.
    const shift = 1 + Math.floor(Math.log2((2 ** 15 - 1) / sums))
    const unitOfScores = (256 / FACTOR_STEPS / this.#values) * (step / 2 ** shift)
    const offsetScale = Math.min(2 ** 15 - 1, Math.round(128 / OFFSET_STEPS / unitOfScores))
    this.#scoring = { shift, bias: (sums * 2 ** shift) / 2, offsetScale }
  }

  /**
   * Scores `rows` rows from a group on. Returns the number of scores above `bar`; their pairs (row, score) start at the
   * memory's `found`.
   */
  prefilter(group: number, rows: number, bar: number): number {
    const { shift, bias, offsetScale } = this.#scoring
    const { kernels, found } = this.#memory
    return kernels.prefilter(group, rows, this.#values, this.#table, shift, bias, offsetScale, bar, 4 * found)
  }

  /** Releases its memory. */
  release(): void {
    this.#memory.give(this.#address, this.#order)
  }

  get #middle(): number {
    return this.#address
  }

  get #work(): number {
    return this.#address + 4 * this.#values
  }

  get #table(): number {
    return this.#address + 8 * this.#values
  }

  get #factors(): number {
    return this.#address + 12 * this.#values
  }

  #floatsAt(address: number): Float32Array {
    return this.#memory.floats.subarray(address / 4, address / 4 + this.#values)
  }

  #rotate(vector: Float32Array, address: number): Float32Array {
    const rotated = this.#floatsAt(address).fill(0)
    rotated.set(vector)
    this.#memory.kernels.rotate(address, this.#values, this.#factors)
    return rotated
  }
}

/** Fills 16 entries per four values: the sum for each pattern of their signs, in steps. Returns the length of a step. */
function fillTable(rotated: Float32Array, table: Uint8Array) {
  let greatest = 0
  for (let at = 0; at < rotated.length; at += 4) greatest = Math.max(greatest, reach(rotated, at))
  const step = (2 * greatest) / GREATEST_ENTRY || 1
  for (let at = 0; at < rotated.length; at += 4) {
    for (let bits = 0; bits < 16; bits++) {
      let sum = 0
      for (let i = 0; i < 4; i++) sum += bits & (1 << i) ? rotated[at + i]! : -rotated[at + i]!
      table[4 * at + bits] = Math.round(sum / step + GREATEST_ENTRY / 2)
    }
  }
  return step
}

/** Largest sum of four values over all signs. */
const reach = (values: Float32Array, at: number) =>
  Math.abs(values[at]!) + Math.abs(values[at + 1]!) + Math.abs(values[at + 2]!) + Math.abs(values[at + 3]!)
