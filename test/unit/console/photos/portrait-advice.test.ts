import { adviceFor, LEAST_QUALITY } from '#console/photos/portrait-advice.ts'
import { FOUNDING_QUALITY } from '#core/metadata/persons/template-faces.ts'

const SIZE = { width: 480, height: 360 }

/** A good face at a place, with this side in pixels, and these differences. */
const face = (side: number, difference: object = {}) => ({
  x1: 100,
  y1: 100,
  x2: 100 + side,
  y2: 100 + side,
  quality: {
    quality: 0.98,
    score: 0.99,
    size: side,
    sharpness: 0.5,
    brightness: 0.5,
    contrast: 0.2,
    yaw: 0,
    pitch: 0,
    roll: 0,
    ...difference,
  },
})

describe('the advice for a portrait', () => {
  it.each([
    ['missing', []],
    ['ready', [face(150)]],
    ['several', [face(150), face(100)]],
    ['ready', [face(40), face(150)]],
    // The edge of the picture cuts the larger box.
    ['ready', [face(150), face(300, { size: 40 })]],
    ['closer', [face(60)]],
    ['light', [face(150, { brightness: 0.1 })]],
    ['straight', [face(150, { yaw: -30 })]],
    ['straight', [face(150, { pitch: 30 })]],
    ['straight', [face(150, { roll: 40 })]],
    ['still', [face(150, { quality: 0.7 })]],
  ])('is %s', (advice, faces) => {
    expect(adviceFor(faces, SIZE)).toBe(advice)
  })

  it('is not ready for a face that founds no person', () => {
    expect(LEAST_QUALITY).toBe(FOUNDING_QUALITY)
  })
})
