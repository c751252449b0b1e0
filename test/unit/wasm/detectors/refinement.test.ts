/** The plan of detection: when the overview suffices, and the tiles of further passes. */
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { PHOTO_LIMITS } from '#contract/limits/photos.ts'
import type { Detection } from '#wasm/detectors/detection.ts'
import { isEnough, planRefinement } from '#wasm/detectors/refinement.ts'

const face = (side: number, score: number, x = 0): Detection => ({
  box: { x1: x, y1: 0, x2: x + side, y2: side },
  score,
})

describe('isEnough', () => {
  const portrait = face(300, 0.9)
  const photo = { width: 1000, height: 1000 }

  it.each([
    { what: 'a large and sure face', seen: [portrait], all: true, biggest: true },
    { what: 'noise beside a sure face', seen: [portrait, face(50, 0.15, 600)], all: true, biggest: true },
    {
      what: 'a small weak detection beside it',
      seen: [portrait, face(50, 0.2, 600)],
      all: false,
      biggest: true,
    },
    {
      what: 'a weak detection of half its side beside it',
      seen: [portrait, face(150, 0.2, 600)],
      all: false,
      biggest: false,
    },
    {
      what: 'a weak detection that is as large inside the photo as a sure face',
      seen: [face(300, 0.9, -225), face(150, 0.2, 600)],
      all: false,
      biggest: false,
    },
    { what: 'a small face', seen: [face(150, 0.9)], all: false, biggest: false },
    { what: 'no detection', seen: [], all: false, biggest: false },
  ])('returns for $what: $all for all faces, $biggest for the biggest', ({ seen, all, biggest }) => {
    expect(isEnough(seen, 10, { wanted: 'all', photo })).toBe(all)
    expect(isEnough(seen, 10, { wanted: 'biggest', photo })).toBe(biggest)
  })
})

const sizes = fc.record({
  width: fc.integer({ min: 1, max: PHOTO_LIMITS.side }),
  height: fc.integer({ min: 1, max: PHOTO_LIMITS.side }),
})

describe('planRefinement', () => {
  it('plans one tile of the whole photo, enlarged at most 1.5 times, within the pixel budget and a quarter more', () => {
    fc.assert(
      fc.property(sizes, photo => {
        const { tiles, pixel } = planRefinement(photo, PHOTO_LIMITS.detectionPixels)
        expect(pixel).toBeGreaterThanOrEqual(1 / 1.5)
        const [{ width, height } = { width: 0, height: 0 }, ...others] = tiles
        expect(others).toEqual([])
        expect(width * height).toBeLessThanOrEqual(1.25 * PHOTO_LIMITS.detectionPixels)
        expect(width * pixel).toBeGreaterThanOrEqual(photo.width - 1e-6)
        expect(height * pixel).toBeGreaterThanOrEqual(photo.height - 1e-6)
      }),
    )
  })
})
