/** The pose of heads that are rotated by known angles. */
import fc from 'fast-check'
import type { Point } from '#wasm/imaging/geometry.ts'
import { HEAD, type Pose, poseOf } from '#wasm/quality/pose.ts'

const radians = (degrees: number) => (degrees * Math.PI) / 180

/** The head's points in parallel projection: rotated by pitch, then yaw, then roll of the picture. */
function projected({ yaw, pitch, roll }: Pose, scale = 30, at: Point = { x: 400, y: 300 }): Point[] {
  const [y, p, r] = [radians(yaw), radians(pitch), radians(roll)]
  return HEAD.map(([x0, y0, z0]) => {
    const y1 = Math.cos(p) * y0 + Math.sin(p) * z0
    const z1 = -Math.sin(p) * y0 + Math.cos(p) * z0
    const x1 = Math.cos(y) * x0 - Math.sin(y) * z1
    return {
      x: at.x + scale * (Math.cos(r) * x1 - Math.sin(r) * y1),
      y: at.y + scale * (Math.sin(r) * x1 + Math.cos(r) * y1),
    }
  })
}

const angle = (most: number) => fc.double({ min: -most, max: most, noNaN: true })

const anyPose = fc.record({ yaw: angle(85), pitch: angle(60), roll: angle(175) })

const near = ({ yaw, pitch, roll }: Pose) => ({
  yaw: expect.closeTo(yaw, 4),
  pitch: expect.closeTo(pitch, 4),
  roll: expect.closeTo(roll, 4),
})

describe('poseOf', () => {
  it('defines positive yaw as a nose to the right, positive pitch as a raised nose, and positive roll as clockwise', () => {
    const level = projected({ yaw: 0, pitch: 0, roll: 0 })
    const withNoseMoved = (x: number, y: number) =>
      poseOf(level.map((point, i) => (i === 2 ? { x: point.x + x, y: point.y + y } : point)))
    expect(withNoseMoved(20, 0).yaw).toBeGreaterThan(10)
    expect(withNoseMoved(0, -10).pitch).toBeGreaterThan(5)
    const lowered = level.map(({ x, y }) => ({ x, y: y + (x - level[0]!.x) / 2 }))
    expect(poseOf(lowered).roll).toBeGreaterThan(10)
  })

  it('returns the same pose at any scale and position', () => {
    const place = fc.record({ x: angle(5000), y: angle(5000) })
    const scale = fc.double({ min: 0.5, max: 500, noNaN: true })
    fc.assert(
      fc.property(anyPose, scale, place, (pose, size, at) => {
        expect(poseOf(projected(pose, size, at))).toEqual(near(pose))
      }),
    )
  })

  it('returns angles when all points are on one line', () => {
    const { yaw } = poseOf([57, 103, 387, 0, 0].map(x => ({ x, y: -9 * x })))
    expect(yaw).not.toBeNaN()
  })

  it('returns zero angles when all points are equal', () => {
    expect(poseOf(Array(5).fill({ x: 3, y: 4 }))).toEqual({ yaw: 0, pitch: expect.closeTo(0), roll: 0 })
  })
})
