/** Plain implementations of the kernels for binary codes: bitwise equal rotations, codes and scores. */
import { FACTOR_STEPS, OFFSET_STEPS, transformedValues } from '#wasm/kernels/kernels.ts'
import { nearest, type PlainCode } from './oracle.ts'

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

function plainTransform(values: Float32Array): void {
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
function sum(values: Float32Array): number {
  const sums = new Float32Array(4)
  for (const [i, value] of values.entries()) sums[i % 4]! += value
  return Math.fround(Math.fround(sums[0]! + sums[1]!) + Math.fround(sums[2]! + sums[3]!))
}

const rounded = (value: number, divisor: number): number => Math.floor(value / divisor + 0.5)

const within16 = (value: number): number => Math.max(-(2 ** 15), Math.min(2 ** 15 - 1, value))
