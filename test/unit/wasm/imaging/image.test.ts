/** Affine maps between an upright photo and its raster, and resampling along them. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { clockwiseAngle, mean, squareAt, transformPoint } from '#wasm/imaging/geometry.ts'
import { type Affine, compose, invert, type Photo, uprightToRaster, warp } from '#wasm/imaging/image.ts'

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

  it('compose applies the inner map first', () => {
    const move: Affine = [1, 0, 10, 0, 1, 20]
    const double: Affine = [2, 0, 0, 0, 2, 0]
    expect(at(compose(double, move), 1, 1)).toEqual([22, 42])
    expect(at(compose(move, double), 1, 1)).toEqual([12, 22])
  })

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

  it('invert throws RangeError for a singular map', () => {
    expect(() => invert([1, 2, 0, 2, 4, 0])).toThrow(RangeError)
  })

  it.each([
    { orientation: 1, stored: [10, 5] },
    { orientation: 2, stored: [390, 5] },
    { orientation: 3, stored: [390, 295] },
    { orientation: 4, stored: [10, 295] },
    { orientation: 5, stored: [5, 10] },
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

  it('uprightToRaster scales by the step of a reduced raster, with partial last pixels too', () => {
    const reduced = { ...photoOf(100, 75, () => BLACK), width: 397, height: 298, step: 4 }
    expect(at(uprightToRaster(reduced), 200, 100)).toEqual([50, 25])
    expect(at(uprightToRaster({ ...reduced, orientation: 3 }), 0, 0)).toEqual([397 / 4, 298 / 4])
  })
})

describe('warp', () => {
  const gradient = photoOf(40, 30, (x, y) => [x * 6, y * 8, x + y])

  it('returns the photo unchanged for the identity', () => {
    expect(warp(gradient, IDENTITY, 40, 30)).toEqual(gradient.raster.data)
  })

  it('interpolates between pixels', () => {
    const halfStep = warp(gradient, [1, 0, 0.5, 0, 1, 0], 10, 10)
    expect(pixel(halfStep, 10, 4, 3)).toEqual([27, 24, 8])
  })

  it('returns black outside the photo', () => {
    const white = photoOf(10, 10, () => WHITE)
    const shifted = warp(white, [1, 0, -5, 0, 1, -5], 20, 20)
    expect(pixel(shifted, 20, 4, 10)).toEqual([0, 0, 0])
    expect(pixel(shifted, 20, 5, 5)).toEqual([255, 255, 255])
    expect(pixel(shifted, 20, 14, 14)).toEqual([255, 255, 255])
    expect(pixel(shifted, 20, 15, 14)).toEqual([0, 0, 0])
  })

  it('returns black right outside the photo when it reduces', () => {
    const white = photoOf(10, 10, () => WHITE)
    const row = [...warp(white, [4, 0, 0, 0, 4, 0], 4, 1)]
    expect(row).toEqual([...WHITE, ...WHITE, ...BLACK, ...BLACK])
  })

  it.each([1, 4])("repeats the edge pixels with 'continued', at a step of %d pixels", step => {
    const halves = photoOf(40, 40, x => (x < 20 ? WHITE : BLACK))
    const target = warp(halves, [step, 0, -40, 0, step, -40], 120 / step, 120 / step, 'continued')
    const line = [...Array(60 / step).fill(WHITE), ...Array(60 / step).fill(BLACK)].flat()
    for (let row = 0; row < 120 / step; row++)
      expect([...target.subarray(row * line.length, (row + 1) * line.length)]).toEqual(line)
  })

  it('returns black for an area beside the photo', () => {
    for (const scale of [1, 7]) {
      for (const shift of [-5000, 5000]) {
        expect(warp(gradient, [scale, 0, shift, 0, scale, 0], 5, 5)).toEqual(new Uint8Array(75))
      }
    }
  })

  it('averages pixels when it reduces: a fine chequerboard becomes grey', () => {
    const board = photoOf(300, 200, (x, y) => ((x + y) % 2 === 0 ? WHITE : BLACK))
    const grey = warp(board, [8, 0, 0, 0, 8, 0], 36, 24)
    expect(Math.min(...grey)).toBeGreaterThanOrEqual(127)
    expect(Math.max(...grey)).toBeLessThanOrEqual(129)
  })

  it('keeps positions when it reduces', () => {
    const ramp = photoOf(240, 120, (x, y) => [x, y, 0])
    const small = warp(ramp, [6, 0, 30, 0, 6, 12], 30, 15)
    const [red, green] = pixel(small, 30, 10, 5) as [number, number]
    expect(Math.abs(red - (30 + 10.5 * 6 - 0.5))).toBeLessThanOrEqual(1)
    expect(Math.abs(green - (12 + 5.5 * 6 - 0.5))).toBeLessThanOrEqual(1)
  })

  it('applies the EXIF orientation', () => {
    const marked = photoOf(40, 30, (x, y) => (x < 20 && y < 15 ? WHITE : BLACK), 6)
    const upright = warp(marked, IDENTITY, 30, 40)
    expect(pixel(upright, 30, 25, 5)).toEqual([255, 255, 255])
    expect(pixel(upright, 30, 5, 5)).toEqual([0, 0, 0])
    expect(pixel(upright, 30, 25, 35)).toEqual([0, 0, 0])
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

it('squareAt maps the corners of a picture to the corners of a square of the photo', () => {
  const map = squareAt({ x: 100, y: 200 }, 50, 0, 10)
  expect(transformPoint(map, { x: 0, y: 0 })).toEqual(close(75, 175))
  expect(transformPoint(map, { x: 10, y: 10 })).toEqual(close(125, 225))
})

it('squareAt rotates the square clockwise around its centre', () => {
  const map = squareAt({ x: 100, y: 200 }, 50, Math.PI / 2, 10)
  expect(transformPoint(map, { x: 5, y: 5 })).toEqual(close(100, 200))
  // The upper left corner moves to the upper right.
  expect(transformPoint(map, { x: 0, y: 0 })).toEqual(close(125, 175))
})

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
