/** The pyramid of P-Net: its scales, its bands, and the boxes of its cells. */
import * as fc from 'fast-check'
import { PHOTO_LIMITS } from '#contract/limits/photos.ts'
import { movedBox, pyramidBands, pyramidScales, readProposals } from '#wasm/detectors/mtcnn/pyramid.ts'
import { photoOfRaster } from '#wasm/imaging/orientation.ts'

const PIXELS = PHOTO_LIMITS.detectionPixels
const sides = fc.integer({ min: 1, max: PHOTO_LIMITS.side })

describe('pyramidScales', () => {
  it('shows the least face with 12 px, and ends when the photo fits one cell', () => {
    expect(pyramidScales({ width: 480, height: 480 }, 48, PIXELS)).toHaveLength(7)
    expect(pyramidScales({ width: 480, height: 480 }, 48, PIXELS)[0]).toBe(0.25)
    expect(pyramidScales({ width: 20, height: 30 }, 45, PIXELS)).toEqual([])
  })

  it('stays within the pixels for photos of every size', () => {
    fc.assert(
      fc.property(sides, sides, (width, height) => {
        const scales = pyramidScales({ width, height }, 45, PIXELS)
        const pixels = scales.reduce((sum, scale) => sum + width * height * scale ** 2, 0)
        expect(pixels).toBeLessThanOrEqual(1.001 * PIXELS)
        for (const scale of scales) expect(Math.min(width, height) * scale).toBeGreaterThan(11.99)
      }),
    )
  })
})

it('pyramidBands covers each level, and neighbouring bands share the rows of a cell', () => {
  const size = fc.integer({ min: 20, max: 500 })
  fc.assert(
    fc.property(size, size, (width, height) => {
      const photo = photoOfRaster({ data: new Uint8Array(width * height * 3), width, height })
      for (const bands of pyramidBands(photo, [1, Math.SQRT1_2, 0.5])) {
        let covered = 10
        for (const { top, pixels, ...band } of bands) {
          expect(band.width % 16).toBe(0)
          expect(band.height % 16).toBe(0)
          expect(pixels).toHaveLength(3 * band.width * band.height)
          expect(top % 2).toBe(0)
          expect(top).toBeLessThanOrEqual(covered - 10)
          covered = top + band.height
        }
        expect(covered).toBeGreaterThanOrEqual(height * bands[0]!.scale)
      }
    }),
    { numRuns: 30 },
  )
})

it('readProposals returns the moved square of each cell in photo pixels', () => {
  const band = { pixels: new Uint8Array(), width: 16, height: 16, top: 6, scale: 0.5 }
  const scores = Float32Array.of(-9, -9, -9, -9, -9, 4, -9, -9, -9)
  const boxes = new Float32Array(36)
  boxes[5] = 0.5
  const [face, ...others] = readProposals({ scores, boxes }, band, 0.7)
  expect(others).toEqual([])
  expect(face).toEqual({
    score: expect.closeTo(0.982, 3),
    box: { x1: 8 + 12, y1: 16, x2: 32, y2: 40 },
  })
})

it('movedBox moves each side by a part of the side of the square', () => {
  expect(movedBox({ x1: 10, y1: 20, x2: 30, y2: 40 }, [0.1, -0.1, 0, 0.5])).toEqual({
    x1: 12,
    y1: 18,
    x2: 30,
    y2: 50,
  })
})
