/** Views of photos, compared with plain sampling. */

import fc from 'fast-check'
import { times } from '#test/support/times.ts'
import { type Affine, type Size, transformPoint } from '#wasm/imaging/geometry.ts'
import { type Photo, photoOfRaster } from '#wasm/imaging/orientation.ts'
import { halveWhole, warp, warpSmoothly } from '#wasm/imaging/views.ts'

type Colour = readonly [red: number, green: number, blue: number]

/** A photo whose pixels are computed from their position. */
function photoOf(width: number, height: number, colour: (x: number, y: number) => Colour) {
  const data = new Uint8Array(width * height * 3)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) data.set(colour(x, y), (y * width + x) * 3)
  }
  return photoOfRaster({ data, width, height })
}

const WHITE: Colour = [255, 255, 255]
const BLACK: Colour = [0, 0, 0]

describe('warp', () => {
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

  it.each([Number.NaN, Number.POSITIVE_INFINITY])('returns black for a map with %s', step => {
    const white = photoOf(10, 10, () => WHITE)
    expect(new Set(warp(white, [step, 0, 0, 0, step, 0], 4, 4))).toEqual(new Set([0]))
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

/** Plain bilinear sampling of a map from the view to a photo with step 1. A pixel on the border of the photo has no numbers. */
function plainView({ raster: { data, width, height } }: Photo, map: Affine, size: Size) {
  const value = (x: number, y: number, channel: number) => data[3 * (y * width + x) + channel]!
  return times(size.width * size.height, i => {
    const { x, y } = transformPoint(map, { x: (i % size.width) + 0.5, y: Math.floor(i / size.width) + 0.5 })
    if ([x, y, width - x, height - y].some(distance => Math.abs(distance) < 1e-6)) return []
    if (x < 0 || x > width || y < 0 || y > height) return [0, 0, 0]
    const [left, top] = [
      Math.min(Math.max(x - 0.5, 0), width - 1),
      Math.min(Math.max(y - 0.5, 0), height - 1),
    ]
    const [x1, y1] = [Math.floor(left), Math.floor(top)]
    const [x2, y2] = [Math.min(x1 + 1, width - 1), Math.min(y1 + 1, height - 1)]
    return [0, 1, 2].map(channel => {
      const [upper, lower] = [y1, y2].map(
        row => value(x1, row, channel) * (1 - left + x1) + value(x2, row, channel) * (left - x1),
      )
      return upper! * (1 - top + y1) + lower! * (top - y1)
    })
  })
}

it('warp agrees with plain bilinear sampling within a level, for any photo and any map that does not shrink', () => {
  const side = fc.integer({ min: 1, max: 40 })
  const turn = fc.double({ min: -1.4, max: 1.4, noNaN: true })
  const shift = fc.double({ min: -30, max: 30, noNaN: true })
  fc.assert(
    fc.property(side, side, fc.tuple(turn, turn, shift, turn, turn, shift), (width, height, map) => {
      fc.pre(Math.hypot(map[0], map[3]) < 2 && Math.hypot(map[1], map[4]) < 2)
      const photo = photoOf(width, height, (x, y) => [
        (x * 97 + y * 31) & 255,
        (x * y * 7) & 255,
        (x ^ y) & 255,
      ])
      const view = warp(photo, map, 13, 11)
      for (const [i, expected] of plainView(photo, map, { width: 13, height: 11 }).entries())
        for (const [channel, value] of expected.entries())
          expect(Math.abs(view[3 * i + channel]! - value)).toBeLessThanOrEqual(1)
    }),
  )
})

it('warp halves a photo of odd sides: the last column and row stand for two', () => {
  const photo = photoOf(5, 3, (x, y) => [40 * x, 80 * y, 8 * x + 16 * y])
  const rows = [0, 1].map(y => [0, 1, 2].map(x => [x === 2 ? 160 : 80 * x + 20, y === 1 ? 160 : 40]))
  const view = warp(photo, [2, 0, 0, 0, 2, 0], 3, 2, 'continued')
  expect([0, 1].map(y => [0, 1, 2].map(x => [...view.subarray(9 * y + 3 * x, 9 * y + 3 * x + 2)]))).toEqual(
    rows,
  )
})

it.each([
  ['small', 600, () => {}],
  ['large', 1300, () => {}],
  ['large and halved', 1300, halveWhole],
] as const)('warpSmoothly gives the mean of what a pixel covers, on a %s raster', (_, side, prepare) => {
  const data = Uint8Array.from(
    { length: 3 * side * side },
    (_, i) => (Math.imul(i + 1, 2654435761) >>> 24) & 255,
  )
  const photo = { raster: { data, width: side, height: side }, orientation: 1, width: side, height: side }
  prepare(photo.raster)
  const view = warpSmoothly({ ...photo, step: 1, release: () => {} }, [8, 0, 16, 0, 8, 16], 40, 40)
  // The mean of 64 random bytes varies by 9, a single byte by 74.
  const spread = Math.sqrt(view.reduce((sum, value) => sum + (value - 127.5) ** 2, 0) / view.length)
  expect(spread).toBeLessThan(15)
})

describe('a large raster', () => {
  const noise = (x: number, y: number) => (Math.imul(x * 1_301 + y + 1, 2654435761) >>> 24) & 255
  const large = () => photoOf(1_301, 807, (x, y) => [noise(x, y), noise(y, x), (x + y) & 255])

  it('is quartered in strips like one that is halved as a whole', () => {
    const [photo, halvedPhoto] = [large(), large()]
    halveWhole(halvedPhoto.raster)
    const view = (of: Photo, step: number) =>
      warp(of, [step, 0, 0, 0, step, 0], Math.ceil(1_301 / step), Math.ceil(807 / step))
    for (const step of [4, 5, 8]) expect(Buffer.compare(view(photo, step), view(halvedPhoto, step))).toBe(0)
  })

  it('is read once for all views that shrink it much', () => {
    const photo = large()
    const view = () => warp(photo, [9, 0, 0, 0, 9, 0], 140, 80)
    const first = view()
    photo.raster.data.fill(0)
    expect(Buffer.compare(view(), first)).toBe(0)
  })
})
