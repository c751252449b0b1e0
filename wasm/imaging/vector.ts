/** Vectors of three numbers. */

export type Vector = readonly [x: number, y: number, z: number]

export const sum = (a: Vector, b: Vector): Vector => [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
export const scaled = ([x, y, z]: Vector, by: number): Vector => [x * by, y * by, z * by]
/** The vector scaled to length 1. The zero vector stays unchanged. */
export const unit = (vector: Vector): Vector => scaled(vector, 1 / (Math.hypot(...vector) || 1))
export const dot = (a: Vector, b: Vector): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
export const cross = (a: Vector, b: Vector): Vector => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
]
