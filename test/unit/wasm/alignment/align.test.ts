/** Alignment of faces by 68 landmarks or five points, and conversion between chip layouts. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type ChipModel, DLIB_CHIP } from '#models/manifest.ts'
import { chipToChip, layout } from '#wasm/alignment/align.ts'
import { mean, type Point, transformPoint } from '#wasm/imaging/geometry.ts'

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

it('layout reduces 68 landmarks to eye centres, nose tip and mouth corners', () => {
  const face: Point[] = Array.from({ length: 68 }, (_, i) => ({ x: (i * 37) % 101, y: (i * 53) % 97 }))
  const five = [mean(face.slice(36, 42)), mean(face.slice(42, 48)), face[30]!, face[48]!, face[54]!]
  expect(layout(face, ARCFACE)).toEqual(layout(five, ARCFACE))
})

it('layout of a dlib chip returns the golden transform, on which the measured accuracy depends', () => {
  const face = Array.from({ length: 68 }, (_, i) => ({ x: 100 + 7 * (i % 9), y: 200 + 3 * i }))
  const golden = [0.624867, 0.002856, 80.560024, -0.002856, 0.624867, 288.981405]
  for (const [i, value] of layout(face, DLIB_CHIP).entries()) expect(value).toBeCloseTo(golden[i]!, 5)
})

it.each([DLIB_CHIP, ARCFACE])('chipToChip returns the identity for equal layouts: $template', chip => {
  expect(chipToChip(chip, { ...chip })).toEqual([1, 0, 0, 0, 1, 0])
})
