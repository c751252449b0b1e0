/** Decoding of each format: equal pixels, upright, at the announced size. */
import { describe, expect, it } from 'vitest'
import { ExceedsDecodeLimits } from '#wasm/decode/budget.ts'
import { decode } from '#wasm/decode/decode.ts'
import { readHeader } from '#wasm/decode/header.ts'
import {
  COLOURS,
  codecs,
  decodeFile,
  difference,
  FULL,
  plain,
  portrait,
  quarters,
  seenBySharp,
} from './samples.ts'

const WIDTH = 203
const HEIGHT = 151
const photo = () => portrait(WIDTH, HEIGHT)
const pixels = await seenBySharp(await photo().png().toBuffer())

/** Files of one photo, and the greatest mean difference of each, 0..255. */
const FILES = [
  {
    file: 'a baseline JPEG',
    bytes: await photo().jpeg({ quality: 95, chromaSubsampling: '4:4:4' }).toBuffer(),
    off: 3,
  },
  {
    file: 'a progressive JPEG',
    bytes: await photo().jpeg({ quality: 95, chromaSubsampling: '4:4:4', progressive: true }).toBuffer(),
    off: 3,
  },
  { file: 'a PNG', bytes: await photo().png().toBuffer(), off: 0 },
  { file: 'an interlaced PNG', bytes: await photo().png({ progressive: true }).toBuffer(), off: 0 },
  { file: 'a 16-bit PNG', bytes: await photo().toColourspace('rgb16').png().toBuffer(), off: 0 },
  { file: 'an opaque PNG with alpha', bytes: await photo().ensureAlpha(1).png().toBuffer(), off: 0 },
  { file: 'a lossless WEBP', bytes: await photo().webp({ lossless: true }).toBuffer(), off: 0 },
  {
    file: 'a lossy WEBP',
    bytes: await photo().webp({ quality: 98, smartSubsample: true }).toBuffer(),
    off: 5,
  },
]

describe('decode', () => {
  it.each(FILES)('returns the pixels of $file', async ({ bytes, off }) => {
    const { raster, width, height, release } = await decodeFile(bytes)
    expect([raster.width, raster.height, width, height]).toEqual([WIDTH, HEIGHT, WIDTH, HEIGHT])
    expect(difference(raster.data, pixels)).toBeLessThanOrEqual(off)
    release()
  })

  it.each([
    { file: 'a grey JPEG', image: photo().toColourspace('b-w').jpeg({ quality: 95 }), off: 1 },
    { file: 'a grey PNG', image: photo().toColourspace('b-w').png(), off: 0 },
    { file: 'a JPEG at 4:2:0', image: photo().jpeg({ quality: 80 }), off: 1 },
    { file: 'a PNG with a palette', image: photo().png({ palette: true }), off: 0 },
    {
      file: 'an interlaced PNG with a palette of 16',
      image: photo().png({ palette: true, colours: 16, progressive: true }),
      off: 0,
    },
    { file: 'a half transparent PNG', image: photo().ensureAlpha(0.3).png(), off: 1 },
    { file: 'a half transparent WEBP', image: photo().ensureAlpha(0.3).webp(), off: 1 },
  ])('returns the same pixels as libvips for $file', async ({ image, off }) => {
    const bytes = await image.toBuffer()
    const { raster, release } = await decodeFile(bytes)
    expect(difference(raster.data, await seenBySharp(bytes))).toBeLessThanOrEqual(off)
    release()
  })

  it('converts CMYK to RGB', async () => {
    const { raster, release } = await decodeFile(
      await quarters(64, 64).toColourspace('cmyk').jpeg().toBuffer(),
    )
    const at = (x: number, y: number) => [...raster.data.subarray((y * 64 + x) * 3, (y * 64 + x) * 3 + 3)]
    const [red, green, blue] = [at(16, 16), at(48, 16), at(16, 48)] as [number[], number[], number[]]
    expect(red[0]).toBeGreaterThan(red[1]! + 100)
    expect(green[1]).toBeGreaterThan(green[0]! + 60)
    expect(blue[2]).toBeGreaterThan(blue[0]! + 60)
    release()
  })

  it('rejects with ExceedsDecodeLimits when the memory limit is too low', async () => {
    for (const { bytes } of FILES) {
      await expect(decodeFile(bytes, { maxBytes: 2 ** 16 })).rejects.toBeInstanceOf(ExceedsDecodeLimits)
    }
  })

  it('uses separate memory for photos that are not released', async () => {
    const [red, green] = await Promise.all(
      [COLOURS.red, COLOURS.green].map(async colour =>
        decodeFile(await plain(80, 80, colour).jpeg({ quality: 100 }).toBuffer()),
      ),
    )
    expect(difference(red!.raster.data.subarray(0, 3), Uint8Array.from(COLOURS.red))).toBeLessThan(4)
    expect(difference(green!.raster.data.subarray(0, 3), Uint8Array.from(COLOURS.green))).toBeLessThan(4)
    red!.release()
    const [again, other] = await Promise.all([decodeFile(FILES[0]!.bytes), decodeFile(FILES[1]!.bytes)])
    expect(again.raster.data.buffer).not.toBe(other.raster.data.buffer)
    expect(again.raster.data.buffer).not.toBe(green!.raster.data.buffer)
  })

  it('reuses a decoder when a photo is released', async () => {
    const first = await decodeFile(FILES[0]!.bytes)
    first.release()
    const second = await decodeFile(FILES[0]!.bytes)
    expect(second.raster.data.buffer).toBe(first.raster.data.buffer)
    second.release()
  })

  it('discards an idle decoder of another format for a large photo', async () => {
    const first = await decodeFile(FILES[0]!.bytes)
    first.release()
    await decodeFile(await plain(3000, 2400, COLOURS.red).png().toBuffer())
    const second = await decodeFile(FILES[0]!.bytes)
    expect(second.raster.data.buffer).not.toBe(first.raster.data.buffer)
    second.release()
  })

  it('ignores a second release of a photo', async () => {
    const first = await decodeFile(FILES[0]!.bytes)
    first.release()
    const second = await decodeFile(FILES[0]!.bytes)
    first.release()
    const third = await decodeFile(FILES[0]!.bytes)
    expect(third.raster.data.buffer).not.toBe(second.raster.data.buffer)
    second.release()
    third.release()
  })

  it('decodes JPEG and WEBP without waiting for the event loop', async () => {
    for (const { bytes, file } of FILES.filter(({ file }) => !file.includes('PNG'))) {
      let waited = false
      const timer = setImmediate(() => {
        waited = true
      })
      const { release } = await decode(bytes, readHeader(bytes), codecs, FULL)
      expect(waited, file).toBe(false)
      clearImmediate(timer)
      release()
    }
  })
})
