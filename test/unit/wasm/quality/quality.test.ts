/** Brightness, contrast and sharpness of synthetic pictures, and of a photo with increasing blur. */
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { threePeople } from '#bench/harness/vision.ts'
import { tonesOf } from '#wasm/quality/quality.ts'

const SIDE = 150

/** A grey picture computed from positions. */
const painted = (value: (x: number, y: number) => number): Uint8Array =>
  Uint8Array.from({ length: SIDE * SIDE * 3 }, (_, i) => {
    const pixel = Math.floor(i / 3)
    return value(pixel % SIDE, Math.floor(pixel / SIDE))
  })

/** A face of the photo, blurred by a Gaussian; sigma in pixels. */
const face = async (sigma: number): Promise<Uint8Array> => {
  const cut = sharp(await threePeople()).extract({ left: 800, top: 420, width: 280, height: 280 })
  const small = await cut.resize(SIDE, SIDE).png().toBuffer()
  const blurred = sigma > 0 ? sharp(small).blur(sigma) : sharp(small)
  return new Uint8Array(await blurred.removeAlpha().raw().toBuffer())
}

describe('tonesOf', () => {
  it.each([
    ['black', 0, 0],
    ['grey', 51, 0.2],
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

  it('returns a low sharpness for a smooth gradient', () => {
    expect(
      tonesOf(
        painted((x, y) => x + y / 2),
        SIDE,
      ).sharpness,
    ).toBeLessThan(0.1)
  })

  it('returns no sharpness for detail along one axis only', () => {
    const stripes = tonesOf(
      painted(x => (x % 2) * 255),
      SIDE,
    )
    expect(stripes.sharpness).toBe(0)
  })

  it('ignores the margin', () => {
    const within = (at: number) => at >= 25 && at < 125
    const plain = painted(() => 100)
    const framed = painted((x, y) => (within(x) && within(y) ? 100 : (x * y * 37) % 256))
    expect(tonesOf(framed, SIDE)).toEqual(tonesOf(plain, SIDE))
  })

  it('returns less sharpness and contrast for each stronger blur', async () => {
    const tones = []
    for (const sigma of [0, 0.8, 1.2, 2, 3, 5]) tones.push(tonesOf(await face(sigma), SIDE))
    for (const [i, tone] of tones.slice(1).entries()) {
      expect(tone.sharpness).toBeLessThan(tones[i]!.sharpness)
      expect(tone.contrast).toBeLessThan(tones[i]!.contrast)
    }
  })

  it('returns nearly the same sharpness when brightness and contrast halve', async () => {
    const pixels = await face(0)
    const darker = tonesOf(
      pixels.map(value => value / 2),
      SIDE,
    )
    expect(darker.sharpness).toBeCloseTo(tonesOf(pixels, SIDE).sharpness, 1)
    expect(darker.brightness).toBeLessThan(0.6 * tonesOf(pixels, SIDE).brightness)
  })
})
