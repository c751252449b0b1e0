/** Animations: the first frame is the photo. */
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { readHeader } from '../../../wasm/decode/header.ts'
import { COLOURS, decodeFile, difference, plain, quarters } from './samples.ts'

const WIDTH = 64
const HEIGHT = 48

/** Frames, one after the other. */
async function animation(options: { lossless: boolean }, alpha = 1): Promise<Buffer> {
  const frames = await Promise.all(
    [quarters(WIDTH, HEIGHT), plain(WIDTH, HEIGHT, COLOURS.blue), plain(WIDTH, HEIGHT, COLOURS.red)].map(
      frame => frame.ensureAlpha(alpha).png().toBuffer(),
    ),
  )
  return sharp(frames, { join: { animated: true } })
    .webp({ ...options, quality: 95 })
    .toBuffer()
}

describe('an animated WEBP', () => {
  it.each([
    { kind: 'lossy', lossless: false, alpha: 1 },
    { kind: 'lossless', lossless: true, alpha: 1 },
    { kind: 'half transparent', lossless: false, alpha: 0.5 },
  ])('is its first frame: $kind', async ({ lossless, alpha }) => {
    const bytes = await animation({ lossless }, alpha)
    expect(readHeader(bytes)).toMatchObject({ width: WIDTH, height: HEIGHT, animated: true })
    const { raster } = await decodeFile(bytes)
    const onWhite = (colour: readonly number[]) => Uint8Array.from(colour, v => v * alpha + 255 * (1 - alpha))
    const at = (x: number, y: number) => raster.data.subarray((y * WIDTH + x) * 3, (y * WIDTH + x) * 3 + 3)
    expect(difference(at(10, 10), onWhite(COLOURS.red))).toBeLessThan(8)
    expect(difference(at(50, 10), onWhite(COLOURS.green))).toBeLessThan(8)
    expect(difference(at(10, 40), onWhite(COLOURS.blue))).toBeLessThan(8)
  })
})
