/** Brightness, contrast and sharpness of synthetic pictures, and measures of faces that are too poor. */
import { isTooPoor, tonesOf } from '#wasm/quality/quality.ts'

const SIDE = 150

/** A grey picture computed from positions. */
const painted = (value: (x: number, y: number) => number) =>
  Uint8Array.from({ length: SIDE * SIDE * 3 }, (_, i) => {
    const pixel = Math.floor(i / 3)
    return value(pixel % SIDE, Math.floor(pixel / SIDE))
  })

describe('tonesOf', () => {
  it.each([
    ['black', 0, 0],
    ['white', 255, 1],
  ])('returns no contrast and no sharpness for plain %s', (_, value, brightness) => {
    const tones = tonesOf(
      painted(() => value),
      SIDE,
    )
    expect(tones).toEqual({ brightness: expect.closeTo(brightness, 6), contrast: 0, sharpness: 0 })
  })

  it('returns the greatest contrast and a high sharpness for a chequerboard', () => {
    const { brightness, contrast, sharpness } = tonesOf(
      painted((x, y) => ((x + y) % 2) * 255),
      SIDE,
    )
    expect(brightness).toBeCloseTo(0.5)
    expect(contrast).toBeCloseTo(0.5)
    expect(sharpness).toBeGreaterThan(0.85)
  })

  it('ignores the margin', () => {
    const within = (at: number) => at >= 25 && at < 125
    const plain = painted(() => 100)
    const framed = painted((x, y) => (within(x) && within(y) ? 100 : (x * y * 37) % 256))
    expect(tonesOf(framed, SIDE)).toEqual(tonesOf(plain, SIDE))
  })
})

it.each([
  [{ score: 0.69, quality: 0.049 }, true],
  [{ score: 0.7, quality: 0 }, false],
  [{ score: 0.5, quality: 0.05 }, false],
  [{ quality: 0 }, false],
])('a face with %o is too poor to recognise: %s', (measures, expected) => {
  expect(isTooPoor(measures)).toBe(expected)
})
