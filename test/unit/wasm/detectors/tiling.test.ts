import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { PHOTO_LIMITS } from '#contract/limits/photos.ts'
import { networkOf, planWholePhoto, type Tile, wholePhoto } from '#wasm/detectors/tiling.ts'
import { photoOfRaster } from '#wasm/imaging/image.ts'

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

const sizes = fc.record({
  width: fc.integer({ min: 1, max: PHOTO_LIMITS.side }),
  height: fc.integer({ min: 1, max: PHOTO_LIMITS.side }),
})

describe('planWholePhoto', () => {
  it('enlarges the photo at most 1.5 times, within the pixel budget and a quarter more', () => {
    fc.assert(
      fc.property(sizes, photo => {
        const pixel = planWholePhoto(photo, PHOTO_LIMITS.detectionPixels)
        expect(pixel).toBeGreaterThanOrEqual(1 / 1.5)
        const { width, height } = wholePhoto(photo, pixel)
        expect(width * height).toBeLessThanOrEqual(1.25 * PHOTO_LIMITS.detectionPixels)
        expect(width * pixel).toBeGreaterThanOrEqual(photo.width - 1e-6)
        expect(height * pixel).toBeGreaterThanOrEqual(photo.height - 1e-6)
      }),
    )
  })
})

describe('networkOf', () => {
  const photo = photoOfRaster({ data: new Uint8Array(100 * 50 * 3), width: 100, height: 50 })
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
})
