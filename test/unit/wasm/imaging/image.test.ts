/** Affine maps between an upright photo and its raster, and resampling along them. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Affine, clockwiseAngle, mean, squareAt, transformPoint } from '#wasm/imaging/geometry.ts'
import {
  compose,
  invert,
  type Photo,
  turnedPhoto,
  uprightToRaster,
  warp,
  warpSmoothly,
} from '#wasm/imaging/image.ts'

type Colour = readonly [red: number, green: number, blue: number]

/** A photo whose pixels are computed from their stored position. */
function photoOf(
  width: number,
  height: number,
  colour: (x: number, y: number) => Colour,
  orientation = 1,
): Photo {
  const data = new Uint8Array(width * height * 3)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) data.set(colour(x, y), (y * width + x) * 3)
  }
  const turned = orientation >= 5
  return {
    raster: { data, width, height },
    orientation,
    width: turned ? height : width,
    height: turned ? width : height,
    step: 1,
    release() {},
  }
}

const at = (affine: Affine, x: number, y: number) => [
  affine[0] * x + affine[1] * y + affine[2],
  affine[3] * x + affine[4] * y + affine[5],
]

const pixel = (rgb: Uint8Array, width: number, x: number, y: number) => [
  ...rgb.subarray((y * width + x) * 3, (y * width + x) * 3 + 3),
]

const IDENTITY: Affine = [1, 0, 0, 0, 1, 0]
const WHITE: Colour = [255, 255, 255]
const BLACK: Colour = [0, 0, 0]

describe('affine maps', () => {
  const number = fc.double({ min: -50, max: 50, noNaN: true })
  // Most random doubles are tiny, and their maps singular.
  const entry = fc.integer({ min: -5000, max: 5000 }).map(hundredths => hundredths / 100)
  const anyAffine = fc.tuple(entry, entry, number, entry, entry, number)

  it('invert returns the inverse of a regular map', () => {
    fc.assert(
      fc.property(anyAffine, number, number, (affine, x, y) => {
        fc.pre(Math.abs(affine[0] * affine[4] - affine[1] * affine[3]) > 0.1)
        const [backX, backY] = at(compose(invert(affine), affine), x, y)
        expect(backX).toBeCloseTo(x, 4)
        expect(backY).toBeCloseTo(y, 4)
      }),
    )
  })

  it.each([
    { orientation: 2, stored: [390, 5] },
    { orientation: 4, stored: [10, 295] },
    { orientation: 6, stored: [5, 290] },
    { orientation: 7, stored: [395, 290] },
    { orientation: 8, stored: [395, 10] },
  ])(
    'uprightToRaster maps a point of a photo with orientation $orientation to the raster',
    ({ orientation, stored }) => {
      const photo = photoOf(400, 300, () => BLACK, orientation)
      expect(at(uprightToRaster(photo), 10, 5)).toEqual(stored)
    },
  )
})

describe('warp', () => {
  const gradient = photoOf(40, 30, (x, y) => [x * 6, y * 8, x + y])

  it('returns the photo unchanged for the identity', () => {
    expect(warp(gradient, IDENTITY, 40, 30)).toEqual(gradient.raster.data)
  })

  it('returns black outside the photo', () => {
    const white = photoOf(10, 10, () => WHITE)
    const shifted = warp(white, [1, 0, -5, 0, 1, -5], 20, 20)
    expect(pixel(shifted, 20, 4, 10)).toEqual([0, 0, 0])
    expect(pixel(shifted, 20, 5, 5)).toEqual([255, 255, 255])
    expect(pixel(shifted, 20, 14, 14)).toEqual([255, 255, 255])
    expect(pixel(shifted, 20, 15, 14)).toEqual([0, 0, 0])
  })

  it.each([1, 4])("repeats the edge pixels with 'continued', at a step of %d pixels", step => {
    const halves = photoOf(40, 40, x => (x < 20 ? WHITE : BLACK))
    const target = warp(halves, [step, 0, -40, 0, step, -40], 120 / step, 120 / step, 'continued')
    const line = [...Array(60 / step).fill(WHITE), ...Array(60 / step).fill(BLACK)].flat()
    for (let row = 0; row < 120 / step; row++)
      expect([...target.subarray(row * line.length, (row + 1) * line.length)]).toEqual(line)
  })

  it('averages pixels when it reduces: a fine chequerboard becomes grey', () => {
    const board = photoOf(300, 200, (x, y) => ((x + y) % 2 === 0 ? WHITE : BLACK))
    const grey = warp(board, [8, 0, 0, 0, 8, 0], 36, 24)
    expect(Math.min(...grey)).toBeGreaterThanOrEqual(127)
    expect(Math.max(...grey)).toBeLessThanOrEqual(129)
  })

  it('returns only colours of the photo or black, for any map', () => {
    const uniform = photoOf(37, 23, () => [90, 150, 210])
    const step = fc.double({ min: -60, max: 60, noNaN: true })
    fc.assert(
      fc.property(fc.tuple(step, step, step, step, step, step), affine => {
        const seen = warp(uniform, affine, 9, 7)
        for (let i = 0; i < seen.length; i += 3) {
          expect([
            [0, 0, 0],
            [90, 150, 210],
          ]).toContainEqual([seen[i], seen[i + 1], seen[i + 2]])
        }
      }),
    )
  })
})

const close = (x: number, y: number) => ({ x: expect.closeTo(x, 9), y: expect.closeTo(y, 9) })

it('squareAt rotated by the clockwiseAngle of the eyes maps them to a horizontal line', () => {
  const [right, left] = [
    { x: 90, y: 180 },
    { x: 110, y: 200 },
  ]
  const angle = clockwiseAngle(right, left)
  expect(angle).toBeCloseTo(Math.PI / 4)
  const map = squareAt(mean([right, left]), 100, angle, 100)
  const away = Math.hypot(20, 20) / 2
  expect(transformPoint(map, { x: 50 - away, y: 50 })).toEqual(close(90, 180))
  expect(transformPoint(map, { x: 50 + away, y: 50 })).toEqual(close(110, 200))
})

it('turnedPhoto shows the photo turned clockwise, and maps its points back, for each orientation', () => {
  const stored = {
    width: 40,
    height: 30,
    data: Uint8Array.from({ length: 3600 }, (_, i) => (i * 7919) % 251),
  }
  for (let orientation = 1; orientation <= 8; orientation++) {
    const [width, height] = orientation >= 5 ? [30, 40] : [40, 30]
    const photo = { raster: stored, orientation, width, height, step: 1, release: () => {} }
    for (const quarters of [1, 2, 3]) {
      const { turned, toUpright } = turnedPhoto(photo, quarters)
      const whole = warp(turned, [1, 0, 0, 0, 1, 0], turned.width, turned.height)
      expect(whole).toEqual(warp(photo, toUpright, turned.width, turned.height))
      // The upper left corner comes from the lower left, lower right and upper right corner.
      const { x, y } = transformPoint(toUpright, { x: 0, y: 0 })
      expect([x, y]).toEqual([quarters === 1 ? 0 : width, quarters === 3 ? 0 : height])
    }
  }
})

it.each([600, 1300])(
  'warpSmoothly gives the mean of what a pixel covers, on a raster of %i pixels a side',
  side => {
    const data = Uint8Array.from(
      { length: 3 * side * side },
      (_, i) => (Math.imul(i + 1, 2654435761) >>> 24) & 255,
    )
    const photo = { raster: { data, width: side, height: side }, orientation: 1, width: side, height: side }
    const view = warpSmoothly({ ...photo, step: 1, release: () => {} }, [8, 0, 16, 0, 8, 16], 40, 40)
    // The mean of 64 random bytes varies by 9, a single byte by 74.
    const spread = Math.sqrt(view.reduce((sum, value) => sum + (value - 127.5) ** 2, 0) / view.length)
    expect(spread).toBeLessThan(15)
  },
)
