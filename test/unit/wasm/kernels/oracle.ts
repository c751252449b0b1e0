/** Plain implementations of the kernels: bitwise equal codes, scores and lists. */
import { codeBytes, PROBE_LEVELS, ROW_LEVELS, ROW_ZERO } from '#wasm/kernels/kernels.ts'

export interface PlainCode {
  /** Numbers of steps, padded with zeros. */
  steps: Int32Array
  /** Size of a step. */
  step: number
  /** Norm of the rounding error. */
  residual: number
}

export function plainCode(vector: Float32Array, levels: number): PlainCode {
  const step = Math.fround(vector.reduce((most, value) => Math.max(most, Math.abs(value)), 0) / levels)
  const inverse = step > 0 ? Math.fround(1 / step) : 0
  const steps = new Int32Array(codeBytes(vector.length))
  let squares = 0
  for (const [i, value] of vector.entries()) {
    steps[i] = nearest(Math.fround(value * inverse))
    squares += (value - steps[i]! * step) ** 2
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
export function nearest(value: number): number {
  const below = Math.floor(value)
  if (value - below !== 0.5) return Math.round(value)
  return below % 2 === 0 ? below : below + 1
}
