/** Alignment of faces by five points, and conversion between chip layouts. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type ChipModel, DLIB_CHIP } from '#models/manifest.ts'
import { chipToChip, layout } from '#wasm/alignment/align.ts'
import { transformPoint } from '#wasm/imaging/geometry.ts'

const ARCFACE: ChipModel = { template: 'arcface', size: 112, margin: 0 }

/** ArcFace positions of eyes, nose and mouth corners on a chip of 112 pixels. */
const EXPECTED = [
  { x: 38.2946, y: 51.6963 },
  { x: 73.5318, y: 51.5014 },
  { x: 56.0252, y: 71.7366 },
  { x: 41.5493, y: 92.3655 },
  { x: 70.7299, y: 92.2041 },
]

it('layout maps the template exactly onto a rotated, scaled and moved copy of it', () => {
  const number = fc.double({ min: -400, max: 400, noNaN: true })
  const turns = fc.double({ min: -3, max: 3, noNaN: true })
  fc.assert(
    fc.property(turns, fc.double({ min: 0.2, max: 20, noNaN: true }), number, number, (turn, scale, x, y) => {
      const [cos, sin] = [Math.cos(turn) * scale, Math.sin(turn) * scale]
      const onPhoto = EXPECTED.map(point => transformPoint([cos, -sin, x, sin, cos, y], point))
      const toUpright = layout(onPhoto, ARCFACE)
      for (const [i, point] of EXPECTED.entries()) {
        expect(transformPoint(toUpright, point).x).toBeCloseTo(onPhoto[i]!.x, 5)
        expect(transformPoint(toUpright, point).y).toBeCloseTo(onPhoto[i]!.y, 5)
      }
    }),
  )
})

const GOLDEN = [2.061129, 0.011441, 114.668926, -0.011441, 2.061129, 261.631698]

it('layout of a dlib chip returns the golden transform of the five points', () => {
  const face = EXPECTED.map(({ x, y }) => ({ x: 100 + 3 * x, y: 200 + 3 * y }))
  for (const [i, value] of layout(face, DLIB_CHIP).entries()) expect(value).toBeCloseTo(GOLDEN[i]!, 5)
})

it.each([DLIB_CHIP, ARCFACE])('chipToChip returns the identity for equal layouts: $template', chip => {
  expect(chipToChip(chip, { ...chip })).toEqual([1, 0, 0, 0, 1, 0])
})
