/** Vector normalization and dot products, from which all scores are computed. */
import { VectorRefused } from './vector-store.ts'

/**
 * Returns the vector scaled to length 1. Throws VectorRefused (`malformed`) when it has no direction: NaN, infinite, or
 * all zeros.
 */
export function unitVector(vector: Float32Array): Float32Array {
  const length = vector.length
  let squares = 0
  for (let i = 0; i < length; i++) squares += vector[i]! * vector[i]!
  if (!Number.isFinite(squares) || squares === 0) throw new VectorRefused('malformed')
  const scale = 1 / Math.sqrt(squares)
  const unit = new Float32Array(length)
  for (let i = 0; i < length; i++) unit[i] = vector[i]! * scale
  return unit
}

/** Cosine of the angle between a unit vector and any vector: clamped, because rounding can carry it past 1. */
export const cosine = (unit: Float32Array, vector: Float32Array): number =>
  Math.max(-1, Math.min(1, dot(unit, unitVector(vector), 0)))

/**
 * Dot product of `a` and the vector at `offset` in `rows`; the cosine if both are unit vectors. Four partial sums let
 * the CPU compute four products in parallel.
 */
export function dot(a: Float32Array, rows: Float32Array, offset: number): number {
  const length = a.length
  const whole = length - (length % 4)
  let sum0 = 0
  let sum1 = 0
  let sum2 = 0
  let sum3 = 0
  let i = 0
  for (; i < whole; i += 4) {
    sum0 += a[i]! * rows[offset + i]!
    sum1 += a[i + 1]! * rows[offset + i + 1]!
    sum2 += a[i + 2]! * rows[offset + i + 2]!
    sum3 += a[i + 3]! * rows[offset + i + 3]!
  }
  for (; i < length; i++) sum0 += a[i]! * rows[offset + i]!
  return sum0 + sum1 + (sum2 + sum3)
}
