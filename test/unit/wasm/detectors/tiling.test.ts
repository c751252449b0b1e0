import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { networkOf, type Tile, tilesAround, wholePhoto } from '#wasm/detectors/tiling.ts'
import { centreOf } from '#wasm/imaging/geometry.ts'
import { uprightPhoto } from '#wasm/imaging/image.ts'

/** Position of a tile on the photo. */
const placeOf = ({ width, height, toUpright: [a, , c, , e, f] }: Tile) => ({
  left: c,
  top: f,
  right: c + a * width,
  bottom: f + e * height,
})

describe('wholePhoto', () => {
  it('centres the photo in its tile', () => {
    expect(placeOf(wholePhoto({ width: 1000, height: 500 }, 4))).toEqual({
      left: -12,
      top: -6,
      right: 1012,
      bottom: 506,
    })
  })
})

describe('tilesAround', () => {
  const boxes = fc.array(
    fc.record({ x: fc.integer({ min: 0, max: 4000 }), y: fc.integer({ min: 0, max: 3000 }) }),
    { maxLength: 30 },
  )
  const SIDE = 160
  const PIXEL = 3

  it('has each face in the central half of a tile, with at most one tile per face', () => {
    fc.assert(
      fc.property(boxes, places => {
        const faces = places.map(({ x, y }) => ({ x1: x, y1: y, x2: x + 60, y2: y + 60 }))
        const tiles = tilesAround(PIXEL, SIDE, faces)
        expect(tiles.length).toBeLessThanOrEqual(faces.length)
        for (const tile of tiles) expect(tile).toMatchObject({ width: SIDE, height: SIDE })
        for (const { x, y } of faces.map(centreOf)) {
          const isShown = tiles.map(placeOf).some(({ left, top, right, bottom }) => {
            const [inX, inY] = [(right - left) / 4, (bottom - top) / 4]
            return x >= left + inX && x <= right - inX && y >= top + inY && y <= bottom - inY
          })
          expect(isShown).toBe(true)
        }
      }),
    )
  })
})

describe('networkOf', () => {
  const photo = uprightPhoto({ data: new Uint8Array(100 * 50 * 3), width: 100, height: 50 })
  const networkReturning = (box: { x1: number; y1: number; x2: number; y2: number }) =>
    networkOf(
      { run: async () => ({}), release: async () => {} },
      { name: 'in', layout: 'NCHW', channels: 'RGB', mean: [0, 0, 0], std: [1, 1, 1] },
      () => [{ score: 1, box, points: [{ x: box.x1, y: box.y1 }] }],
    )
  const BOX = { x1: 10, y1: 8, x2: 20, y2: 18 }
  const left: Tile = { width: 32, height: 32, toUpright: [2, 0, 0, 0, 2, 0] }

  it('returns detections in pixels of the photo', async () => {
    const [face] = await networkReturning(BOX)(photo, left, 0)
    expect(face).toEqual({ score: 1, box: { x1: 20, y1: 16, x2: 40, y2: 36 }, points: [{ x: 20, y: 16 }] })
  })

  it.each([
    ['drops a detection at an inner edge of the tile', { ...BOX, x2: 31 }, 0],
    ['keeps a detection at an edge of the photo', { ...BOX, x1: 0 }, 1],
  ])('%s', async (_, box, count) => {
    expect(await networkReturning(box)(photo, left, 0)).toHaveLength(count)
  })
})
