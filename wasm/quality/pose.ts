/** Estimates the pose of a head from five landmarks. */
import { mean, type Point } from '../imaging/geometry.ts'

/** A vector of three numbers. */
type Vector = readonly [x: number, y: number, z: number]

const sum = (a: Vector, b: Vector): Vector => [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
const scaled = ([x, y, z]: Vector, by: number): Vector => [x * by, y * by, z * by]
/** The vector scaled to length 1. The zero vector stays unchanged. */
const unit = (vector: Vector): Vector => scaled(vector, 1 / (Math.hypot(...vector) || 1))
const dot = (a: Vector, b: Vector) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
const cross = (a: Vector, b: Vector): Vector => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
]

/** Angles in degrees. */
export interface Pose {
  /** Positive when the face looks to the right of the picture. */
  readonly yaw: number
  /** Positive when the face looks up. */
  readonly pitch: number
  /** Positive when the face is rotated clockwise in the picture. */
  readonly roll: number
}

/**
 * The five points on a head that looks straight ahead, in centimetres: x to the right of the picture, y down, z away
 * from the viewer. Order: centre of the right eye, centre of the left eye, nose tip, right and left mouth corner.
 * Source: MediaPipe, canonical_face_model.obj (eyes: midpoint of their corners).
 */
export const HEAD: readonly Vector[] = [
  [-3.15, -2.62, -3.46],
  [3.15, -2.62, -3.46],
  [0, 1.13, -7.48],
  [-2.46, 4.34, -4.28],
  [2.46, 4.34, -4.28],
]

/** Weight of each point for the direction of a picture axis in the head's coordinates. */
const WEIGHTS = weightsOf(HEAD)

/**
 * The rotation that fits the head best to the points: a least-squares scaled orthographic camera, then the nearest
 * rotation. Roll is factored out first: it follows a rotation of the picture, and yaw and pitch do not change.
 */
export function poseOf(five: readonly Point[]): Pose {
  const middle = mean(five)
  const [right, down] = atRightAngles(
    weighted(five.map(({ x }) => x - middle.x)),
    weighted(five.map(({ y }) => y - middle.y)),
  )
  const away = cross(right, down)
  return {
    yaw: degrees(Math.asin(Math.min(1, Math.max(-1, away[0])))),
    pitch: degrees(Math.atan2(-away[1], away[2])),
    roll: degrees(Math.atan2(down[0], right[0])),
  }
}

/** Rows of the least-squares pseudo-inverse of the centred points. */
function weightsOf(places: readonly Vector[]): Vector[] {
  const middle = scaled(places.reduce(sum), 1 / places.length)
  const centred = places.map(place => sum(place, scaled(middle, -1)))
  const moment = (axis: number) => centred.map(place => scaled(place, place[axis]!)).reduce(sum)
  const [x, y, z] = [moment(0), moment(1), moment(2)]
  const volume = dot(x, cross(y, z))
  // The moments are a symmetric matrix; these are the rows of its inverse.
  const rows = [cross(y, z), cross(z, x), cross(x, y)].map(row => scaled(row, 1 / volume))
  return centred.map(place => rows.map(row => dot(row, place)) as unknown as Vector)
}

const weighted = (numbers: readonly number[]): Vector =>
  numbers.map((number, i) => scaled(WEIGHTS[i]!, number)).reduce(sum)

/** The orthonormal vectors nearest to two vectors: the vectors times the inverse square root of their Gram matrix. */
function atRightAngles(a: Vector, b: Vector): [Vector, Vector] {
  const [aa, ab, bb] = [dot(a, a), dot(a, b), dot(b, b)]
  const root = Math.sqrt(Math.max(0, aa * bb - ab * ab))
  return [unit(sum(scaled(a, bb + root), scaled(b, -ab))), unit(sum(scaled(b, aa + root), scaled(a, -ab)))]
}

const degrees = (radians: number) => (radians * 180) / Math.PI
