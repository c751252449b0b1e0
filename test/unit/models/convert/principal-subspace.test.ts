/** The principal subspace: direction, orthonormality and reproducibility. */
import { expect, it } from 'vitest'
import { innerProduct, principalSubspace } from '#models/convert/mobilefacenet.ts'

/** 6 x 4, in row-major order. Its columns lie in the plane of the first two axes, except for a small fifth coordinate. */
const MATRIX = Float64Array.from([
  3, 1, 2, 0, 1, 4, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0.01, 0, 0, 0.02, 0, 0, 0, 0,
])
const ROWS = 6

it('principalSubspace spans the plane of the columns', () => {
  const basis = principalSubspace(MATRIX, ROWS, 2)
  for (const vector of basis) {
    expect(Math.hypot(vector[0]!, vector[1]!)).toBeCloseTo(1, 4)
    expect(Math.abs(vector[2]!)).toBe(0)
  }
})

it('principalSubspace returns an orthonormal basis', () => {
  const [a, b] = principalSubspace(MATRIX, ROWS, 2)
  expect(innerProduct(a!, a!)).toBeCloseTo(1, 12)
  expect(innerProduct(b!, b!)).toBeCloseTo(1, 12)
  expect(innerProduct(a!, b!)).toBeCloseTo(0, 12)
})

it('principalSubspace finds a single dominant direction', () => {
  const direction = [2, 3, 6].map(value => value / 7)
  const dominant = Float64Array.from(direction.flatMap((value, row) => [10 * value, row === 0 ? 0.1 : 0]))
  const [first] = principalSubspace(dominant, 3, 1)
  expect(Math.abs(innerProduct(first!, Float64Array.from(direction)))).toBeCloseTo(1, 4)
})

it('principalSubspace returns equal numbers for equal input', () => {
  expect(principalSubspace(MATRIX, ROWS, 2)).toEqual(principalSubspace(MATRIX, ROWS, 2))
})
