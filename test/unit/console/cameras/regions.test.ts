import fc from 'fast-check'
import {
  EMPTY_FIELDS,
  moveRegion,
  type Region,
  type RegionFields,
  regionBetween,
  regionOf,
} from '#console/cameras/regions.ts'

const SIZE = { width: 640, height: 360 }

const point = fc.record({
  x: fc.double({ min: -500, max: 1500, noNaN: true }),
  y: fc.double({ min: -500, max: 1500, noNaN: true }),
})

const isInside = ([width, height, x, y]: Region) =>
  [width, height, x, y].every(Number.isInteger) &&
  width > 0 &&
  height > 0 &&
  x >= 0 &&
  y >= 0 &&
  x + width <= SIZE.width &&
  y + height <= SIZE.height

describe('a region that is drawn', () => {
  it('is nothing after a click', () => {
    expect(regionBetween({ x: 100, y: 100 }, { x: 103, y: 103 }, SIZE)).toBeUndefined()
  })

  it('lies inside the picture, wherever the mouse goes and wherever it is moved', () => {
    fc.assert(
      fc.property(point, point, point, (a, b, by) => {
        const region = regionBetween(a, b, SIZE)
        if (!region) return
        expect(isInside(region)).toBe(true)
        const moved = moveRegion(region, by, SIZE)
        expect(isInside(moved)).toBe(true)
        expect(moved.slice(0, 2)).toEqual(region.slice(0, 2))
      }),
    )
  })
})

it('the number fields of a region are no region when they are empty, and wrong when they are unfinished', () => {
  expect(regionOf(EMPTY_FIELDS)).toBeUndefined()
  const wrong: RegionFields[] = [
    ['200', '', '', ''],
    ['0', '10', '0', '0'],
    ['10', '10', '-1', '0'],
    ['10', '10', '1.5', '0'],
    ['ten', '10', '0', '0'],
  ]
  expect(wrong.map(regionOf)).toEqual(wrong.map(() => null))
})
