/** Plain implementations of the kernels, to which both builds are equal bit by bit; the memory and the vectors of their tests. */
import fc from 'fast-check'
import { seededRandom } from '#core/vector-store/index/seeded-random.ts'
import { unitVector } from '#core/vector-store/unit-vector.ts'
import { openKernels } from '#wasm/kernels/kernels.node.ts'
import {
  codeBytes,
  FACTOR_STEPS,
  type KernelBuild,
  type Kernels,
  OFFSET_STEPS,
  PROBE_LEVELS,
  ROW_LEVELS,
  ROW_ZERO,
  transformedValues,
} from '#wasm/kernels/kernels.ts'

/** Pages of 64 KiB. */
const PAGES = 16

export class KernelMemory {
  readonly memory = new WebAssembly.Memory({ initial: PAGES })
  readonly bytes = new Uint8Array(this.memory.buffer)
  readonly floats = new Float32Array(this.memory.buffer)
  kernels!: Kernels

  static async open<Memory extends KernelMemory>(
    this: new () => Memory,
    build: KernelBuild,
  ): Promise<Memory> {
    const opened = new this()
    opened.kernels = await openKernels(opened.memory, build)
    return opened
  }
}

type Kind = 'even' | 'falling' | 'sparse' | 'steep' | 'coarse'

export const kinds = fc.constantFrom<Kind[]>('even', 'falling', 'sparse', 'steep', 'coarse')

/** Dimensions from 16 to 1024, multiples of 16 and others. */
export const dimensions = fc.oneof(
  fc.constantFrom(16, 17, 31, 32, 100, 128, 160, 500, 512, 1023, 1024),
  fc.integer({ min: 16, max: 300 }),
)

/** A generator of unit vectors. The values of `falling` ones fall along the vector; `coarse` ones are often equal. */
export function unitVectors(dimension: number, kind: Kind, seed: number): () => Float32Array {
  const random = seededRandom(seed)
  const value: Record<Kind, (i: number) => number> = {
    even: () => random() - 0.5,
    falling: i => (random() - 0.5) * 8 ** (-i / dimension),
    sparse: i => (i === 0 || random() < 0.1 ? random() - 0.5 : 0),
    steep: i => (random() - 0.5) * (i === seed % dimension ? 100 : 0.1),
    coarse: i => (i < 3 ? Math.round(random() * 2) - 1 : i === 3 ? 1 : 0),
  }
  return () => unitVector(Float32Array.from({ length: dimension }, (_, i) => value[kind](i)))
}

export interface PlainCode {
  /** Numbers of steps, padded with zeros. */
  steps: Int32Array
  /** Size of a step. */
  step: number
  /** Norm of the rounding error. */
  residual: number
}

function plainCode(vector: Float32Array, levels: number): PlainCode {
  const step = Math.fround(vector.reduce((most, value) => Math.max(most, Math.abs(value)), 0) / levels)
  const inverse = step > 0 ? Math.fround(1 / step) : 0
  const steps = new Int32Array(codeBytes(vector.length))
  let squares = 0
  for (const [i, value] of vector.entries()) {
    steps[i] = nearest(Math.fround(value * inverse))
    squares += (value - steps[i] * step) ** 2
  }
  return { steps, step, residual: Math.sqrt(squares) }
}

export const rowCode = (vector: Float32Array): PlainCode => plainCode(vector, ROW_LEVELS)
export const probeCode = (vector: Float32Array): PlainCode => plainCode(vector, PROBE_LEVELS)

/** A row's code in its memory form. */
export const rowBytes = ({ steps }: PlainCode): Uint8Array => Uint8Array.from(steps, step => step + ROW_ZERO)

export function plainScore(probe: PlainCode, row: PlainCode): number {
  const whole = probe.steps.reduce((sum, step, i) => sum + step * row.steps[i]!, 0)
  return Math.fround(Math.fround(Math.fround(whole) * probe.step) * row.step)
}

/** Index of the first centroid with the greatest score. */
export function plainList(row: PlainCode, centroids: readonly PlainCode[]): number {
  const scores = centroids.map(({ steps, step }) =>
    Math.fround(Math.fround(steps.reduce((sum, value, i) => sum + value * row.steps[i]!, 0)) * step),
  )
  return scores.indexOf(Math.max(...scores))
}

/** Rounds to the nearest integer, halves to even. */
function nearest(value: number) {
  const below = Math.floor(value)
  if (value - below !== 0.5) return Math.round(value)
  return below % 2 === 0 ? below : below + 1
}

export interface ExpectedCode {
  /** 0 or 1 for each value. */
  bits: number[]
  factor: number
  offset: number
}

/** Parameters that convert table entries to scores. */
export interface Scoring {
  /** 16 entries per four values. */
  table: Uint8Array
  shift: number
  bias: number
  offsetScale: number
}

/** `factors`: the factors of all rounds, concatenated. */
export function plainRotation(vector: Float32Array, factors: Float32Array, values: number): Float32Array {
  const rotated = new Float32Array(values)
  rotated.set(vector)
  const part = transformedValues(values)
  for (let round = 0; round * values < factors.length; round++) {
    for (let i = 0; i < values; i++) rotated[i]! *= factors[round * values + i]!
    const first = round % 2 === 0 ? 0 : values - part
    plainTransform(rotated.subarray(first, first + part))
  }
  return rotated
}

function plainTransform(values: Float32Array) {
  for (let half = 1; half < values.length; half *= 2) {
    for (let i = 0; i < values.length; i++) {
      if (i & half) continue
      const [a, b] = [values[i]!, values[i + half]!]
      values[i] = a + b
      values[i + half] = a - b
    }
  }
}

export function expectedCode(row: PlainCode, factors: Float32Array, middle: Float32Array): ExpectedCode {
  const vector = Float32Array.from(row.steps, steps => steps * row.step)
  const rest = plainRotation(vector, factors, middle.length).map((value, i) => value - middle[i]!)
  const length = sum(rest.map(Math.abs))
  const factor = Math.fround(
    Math.fround(FACTOR_STEPS * sum(rest.map(value => Math.fround(value * value)))) / length,
  )
  const offset = Math.fround(
    Math.fround(OFFSET_STEPS * sum(rest.map((value, i) => value * middle[i]!))) / rest.length,
  )
  return {
    bits: Array.from(rest, value => Number(value >= 0)),
    factor: length > 0 ? Math.min(255, nearest(factor)) : 0,
    // No negative zero.
    offset: Math.max(-127, Math.min(127, nearest(offset))) + 0,
  }
}

export function expectedScore({ bits, factor, offset }: ExpectedCode, scoring: Scoring): number {
  const { table, shift, bias, offsetScale } = scoring
  let entries = 0
  for (let at = 0; at < bits.length; at += 4) {
    const pattern = bits[at]! + 2 * bits[at + 1]! + 4 * bits[at + 2]! + 8 * bits[at + 3]!
    entries += table[4 * at + pattern]!
  }
  const product = rounded((entries * 2 ** shift - bias) * factor, 256)
  return within16(product + rounded(offset * offsetScale, 128))
}

/** The total of four partial sums, in the order of the kernel. */
function sum(values: Float32Array) {
  const sums = new Float32Array(4)
  for (const [i, value] of values.entries()) sums[i % 4]! += value
  return Math.fround(Math.fround(sums[0]! + sums[1]!) + Math.fround(sums[2]! + sums[3]!))
}

const rounded = (value: number, divisor: number) => Math.floor(value / divisor + 0.5)

const within16 = (value: number) => Math.max(-(2 ** 15), Math.min(2 ** 15 - 1, value))
