/** Animations: the photo is the first frame on a white canvas. And the memory limit of the decoder. */
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { counted } from '#test/support/wasm-memories.ts'
import { reduce, webpHeapBytes } from '#wasm/decode/budget.ts'
import { loadCodecs } from '#wasm/decode/codecs.node.ts'
import { readHeader } from '#wasm/decode/header.ts'
import { decodeWebp } from '#wasm/decode/webp.ts'
import type { WebpHeader } from '#wasm/decode/webp-header.ts'
import { NO_PAUSES } from '#wasm/runtime/pace.ts'
import { COLOURS, decodeFile, difference, plain, quarters } from './samples.ts'

const WIDTH = 64
const HEIGHT = 48

/** An animation of three frames. */
async function animation(alpha: number): Promise<Buffer> {
  const frames = await Promise.all(
    [quarters(WIDTH, HEIGHT), plain(WIDTH, HEIGHT, COLOURS.blue), plain(WIDTH, HEIGHT, COLOURS.red)].map(
      frame => frame.ensureAlpha(alpha).png().toBuffer(),
    ),
  )
  return sharp(frames, { join: { animated: true } })
    .webp({ quality: 95 })
    .toBuffer()
}

describe('decode of an animated WEBP', () => {
  it('returns the first frame, composited on white', async () => {
    const bytes = await animation(0.5)
    expect(readHeader(bytes)).toMatchObject({ width: WIDTH, height: HEIGHT, animated: true })
    const { raster } = await decodeFile(bytes)
    const onWhite = (colour: readonly number[]) => Uint8Array.from(colour, v => (v + 255) / 2)
    const at = (x: number, y: number) => raster.data.subarray((y * WIDTH + x) * 3, (y * WIDTH + x) * 3 + 3)
    expect(difference(at(10, 10), onWhite(COLOURS.red))).toBeLessThan(8)
    expect(difference(at(50, 10), onWhite(COLOURS.green))).toBeLessThan(8)
    expect(difference(at(10, 40), onWhite(COLOURS.blue))).toBeLessThan(8)
  })
})

const uint24 = (value: number): number[] => [value & 255, (value >> 8) & 255, value >> 16]

function riff(type: string, data: Uint8Array): Buffer {
  const head = Buffer.alloc(8)
  head.write(type, 'latin1')
  head.writeUInt32LE(data.length, 4)
  return Buffer.concat([head, data, Buffer.alloc(data.length % 2)])
}

/** An animation of one frame at x, y of a larger canvas. */
function framed(
  still: Buffer,
  canvas: [number, number],
  x: number,
  y: number,
  size: [number, number],
): Buffer {
  const [width, height] = size
  const frame = [
    ...uint24(x / 2),
    ...uint24(y / 2),
    ...uint24(width - 1),
    ...uint24(height - 1),
    ...uint24(100),
    0,
  ]
  const chunks = [
    riff('VP8X', Buffer.from([2, 0, 0, 0, ...uint24(canvas[0] - 1), ...uint24(canvas[1] - 1)])),
    // A green background, which viewers ignore.
    riff('ANIM', Buffer.from([0, 255, 0, 255, 0, 0])),
    riff('ANMF', Buffer.concat([Buffer.from(frame), still.subarray(12)])),
  ]
  return riff('RIFF', Buffer.concat([Buffer.from('WEBP'), ...chunks]))
}

describe('decode of a WEBP frame smaller than its canvas', () => {
  const CANVAS: [number, number] = [100, 80]

  it.each([1, 0.5])('places the frame on a white canvas at scale %d', async scale => {
    const still = await quarters(WIDTH, HEIGHT).webp({ lossless: true }).toBuffer()
    const bytes = framed(still, CANVAS, 20, 30, [WIDTH, HEIGHT])
    expect(readHeader(bytes)).toMatchObject({ width: 100, height: 80, animated: true })
    const { raster } = await decodeFile(bytes, { scale })
    expect([raster.width, raster.height]).toEqual([100 * scale, 80 * scale])
    const at = (x: number, y: number) => {
      const pixel = (y * scale * raster.width + x * scale) * 3
      return [...raster.data.subarray(pixel, pixel + 3)]
    }
    for (const [x, y] of [
      [0, 0],
      [20, 28],
      [84, 40],
      [98, 78],
    ] as const)
      expect(at(x, y), `${x}, ${y}`).toEqual([255, 255, 255])
    expect(at(20, 30)).toEqual(COLOURS.red)
    expect(at(82, 30)).toEqual(COLOURS.green)
    expect(at(20, 76)).toEqual(COLOURS.blue)
    expect(at(82, 76)).toEqual(COLOURS.yellow)
  })
})

describe('decodeWebp', () => {
  it('fails within webpHeapBytes when the file has more pixels than its header', async () => {
    const bytes = await quarters(1600, 1300).webp({ lossless: true, effort: 0 }).toBuffer()
    const header = readHeader(bytes) as WebpHeader
    const reduction = reduce(header, 1)
    const priced = decodeWebp(bytes, header, loadCodecs().webp, reduction, NO_PAUSES)
    await expect(priced).resolves.toMatchObject({ width: 1600 })
    // A header with fewer pixels than the file.
    const understated = { ...header, frame: { ...header.frame, height: 10 } }
    const { result, wasm } = await counted(() =>
      decodeWebp(bytes, understated, loadCodecs().webp, reduction, NO_PAUSES).catch(error => error),
    )
    expect(result).toBeInstanceOf(Error)
    expect(wasm).toBeLessThanOrEqual(webpHeapBytes(understated))
  })
})
