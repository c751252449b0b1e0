import fc from 'fast-check'
import { expect, it } from 'vitest'
import { DLIB_CHIP } from '#models/manifest.ts'
import { chipToUpright, similarity } from '#wasm/alignment/align.ts'
import { type Point, transformPoint } from '#wasm/imaging/geometry.ts'
import type { Affine } from '#wasm/imaging/image.ts'

const coordinate = fc.double({ min: -1000, max: 1000, noNaN: true })
const point = fc.record({ x: coordinate, y: coordinate })

/** A rotation, a scale from 0.1 to 10, and a translation. */
const anySimilarity = fc
  .tuple(fc.double({ min: -3, max: 3, noNaN: true }), fc.double({ min: 0.1, max: 10, noNaN: true }), point)
  .map(([turn, scale, { x, y }]): Affine => {
    const [cos, sin] = [scale * Math.cos(turn), scale * Math.sin(turn)]
    return [cos, -sin, x, sin, cos, y]
  })

/** 68 different points as landmarks. */
const FACE: Point[] = Array.from({ length: 68 }, (_, i) => ({ x: 100 + 7 * (i % 9), y: 200 + 3 * i }))

const CORNERS: Point[] = [
  { x: 0, y: 0 },
  { x: 100, y: 0 },
  { x: 30, y: 80 },
]

it('similarity recovers the transform of moved points', () => {
  fc.assert(
    fc.property(anySimilarity, map => {
      const found = similarity(
        CORNERS,
        CORNERS.map(corner => transformPoint(map, corner)),
      )
      for (const [i, value] of map.entries()) expect(found[i]).toBeCloseTo(value, 6)
    }),
  )
})

it('chipToUpright follows the rotation and the scale of the face', () => {
  const chip = DLIB_CHIP
  const upright = chipToUpright(FACE, chip)
  const turned = chipToUpright(
    FACE.map(landmark => transformPoint([0, -2, 10, 2, 0, 20], landmark)),
    chip,
  )
  fc.assert(
    fc.property(fc.record({ x: fc.nat(150), y: fc.nat(150) }), place => {
      const expected = transformPoint([0, -2, 10, 2, 0, 20], transformPoint(upright, place))
      expect(transformPoint(turned, place).x).toBeCloseTo(expected.x, 6)
      expect(transformPoint(turned, place).y).toBeCloseTo(expected.y, 6)
    }),
  )
})

it('chipToUpright returns the golden transform, on which the measured accuracy depends', () => {
  const golden = [0.624867, 0.002856, 80.560024, -0.002856, 0.624867, 288.981405]
  for (const [i, value] of chipToUpright(FACE, DLIB_CHIP).entries()) {
    expect(value).toBeCloseTo(golden[i]!, 5)
  }
})
