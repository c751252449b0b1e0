import * as fc from 'fast-check'
import { PHOTO_LIMITS } from '#contract/limits/photos.ts'
import { planWholePhoto, wholePhoto } from '#wasm/detectors/tiling.ts'

const sizes = fc.record({
  width: fc.integer({ min: 1, max: PHOTO_LIMITS.side }),
  height: fc.integer({ min: 1, max: PHOTO_LIMITS.side }),
})

it('planWholePhoto enlarges the photo at most 1.5 times, within the pixel budget and a quarter more', () => {
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
