/** A face's box with its forehead, and the square from brow to chin within. */
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Box } from '#contract/model/bbox.ts'
import { browToChin, withForehead } from '#wasm/alignment/face-frame.ts'

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
