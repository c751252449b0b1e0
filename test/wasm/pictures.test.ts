import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { uprightPhoto } from '../../wasm/image.ts'
import { mirrored, networkOf, type Picture, tilesOf, wholeOf } from '../../wasm/pictures.ts'

/** Where a picture lies on the photo. */
const placeOf = ({ width, height, toUpright: [a, , c, , e, f] }: Picture) => ({
  left: c,
  top: f,
  right: c + a * width,
  bottom: f + e * height,
})

const sizes = fc.record({
  width: fc.integer({ min: 1, max: 8000 }),
  height: fc.integer({ min: 1, max: 8000 }),
})
const SIDE = 416
const SHARED = 96

describe('tiles', () => {
  it('cover the photo, are of one size that is small enough, and share what they are told', () => {
    fc.assert(
      fc.property(sizes, fc.double({ min: 1, max: 6, noNaN: true }), (photo, pixel) => {
        const tiles = tilesOf(photo, pixel, SIDE, SHARED)
        const places = tiles.map(placeOf)
        for (const { width, height } of tiles) {
          expect([width, height]).toEqual([tiles[0]!.width, tiles[0]!.height])
          expect([width % 32, height % 32, width <= SIDE, height <= SIDE]).toEqual([0, 0, true, true])
        }
        for (const [from, to, length] of [
          ['left', 'right', photo.width],
          ['top', 'bottom', photo.height],
        ] as const) {
          const steps = [...new Map(places.map(place => [place[from], place])).values()]
          expect(steps[0]![from]).toBeLessThanOrEqual(1e-6)
          expect(steps.at(-1)![to]).toBeGreaterThanOrEqual(length - 1e-6)
          for (const [i, place] of steps.slice(1).entries())
            expect(steps[i]![to] - place[from]).toBeGreaterThanOrEqual(SHARED * pixel - 1e-6)
        }
      }),
    )
  })

  it('are one for a photo that fits', () => {
    expect(tilesOf({ width: 400, height: 300 }, 1, SIDE, SHARED)).toHaveLength(1)
  })
})

it('a picture of the whole photo has it in its middle', () => {
  const place = placeOf(wholeOf({ width: 1000, height: 500 }, 4))
  expect(place).toEqual({ left: -12, top: -6, right: 1012, bottom: 506 })
})

describe('what a network says of a picture', () => {
  const photo = uprightPhoto({ data: new Uint8Array(100 * 50 * 3), width: 100, height: 50 })
  const input = { name: 'in', layout: 'NCHW', channels: 'RGB', mean: [0, 0, 0], std: [1, 1, 1] } as const
  const saying = (box: { x1: number; y1: number; x2: number; y2: number }) =>
    networkOf({ run: async () => ({}) }, { ...input, mean: [0, 0, 0], std: [1, 1, 1] }, () => [
      { score: 1, box, points: [{ x: box.x1, y: box.y1 }] },
    ])
  const BOX = { x1: 10, y1: 8, x2: 20, y2: 18 }
  const left: Picture = { width: 32, height: 32, toUpright: [2, 0, 0, 0, 2, 0] }

  it('is told in pixels of the photo, mirrored or not', async () => {
    const [face] = await saying(BOX)(photo, left, 0)
    expect(face).toEqual({ score: 1, box: { x1: 20, y1: 16, x2: 40, y2: 36 }, points: [{ x: 20, y: 16 }] })
    const [same] = await saying(BOX)(photo, mirrored(left), 0)
    expect(same).toEqual({ score: 1, box: { x1: 24, y1: 16, x2: 44, y2: 36 }, points: [{ x: 44, y: 16 }] })
  })

  it.each([
    ['ends within the photo', { ...BOX, x2: 31 }, 0],
    ['ends with the photo', { ...BOX, x1: 0 }, 1],
  ])('is left out where it reaches an edge at which the picture %s', async (_, box, count) => {
    expect(await saying(box)(photo, left, 0)).toHaveLength(count)
  })
})
