/** Alignment of faces by five points, conversion between chip layouts, and the two frames of a face. */
import fc from 'fast-check'
import type { Box } from '#contract/model/bbox.ts'
import { type ChipModel, DLIB_CHIP } from '#models/manifest.ts'
import { browToChin, chipToChip, layout, withForehead } from '#wasm/alignment/align.ts'
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

const SQUARE: Box = { x1: 100, y1: 100, x2: 200, y2: 200 }
const near = (value: number) => expect.closeTo(value, 6)

describe('withForehead and browToChin', () => {
  it('withForehead returns a narrower box that extends more at the top than at the bottom', () => {
    expect(withForehead(SQUARE, 0)).toEqual({ x1: near(104), y1: near(82), x2: near(196), y2: near(202) })
  })

  it('browToChin returns the square of withForehead', () => {
    const place = fc.double({ min: -1000, max: 5000, noNaN: true })
    fc.assert(
      fc.property(place, place, fc.double({ min: 1, max: 2000, noNaN: true }), (x1, y1, side) => {
        const square = browToChin(withForehead({ x1, y1, x2: x1 + side, y2: y1 + side }, 0))
        expect(square.side).toBeCloseTo(side, 5)
        expect(square.centre.x).toBeCloseTo(x1 + side / 2, 5)
        expect(square.centre.y).toBeCloseTo(y1 + side / 2, 5)
      }),
    )
  })

  it.each([
    ['square', { x1: 0, y1: 0, x2: 100, y2: 100 }],
    ['wide', { x1: 0, y1: 20, x2: 100, y2: 80 }],
  ])('browToChin expects no forehead in a box that is %s', (_, box) => {
    expect(browToChin(box)).toEqual({ centre: { x: 50, y: 50 }, side: 100 })
  })
})
