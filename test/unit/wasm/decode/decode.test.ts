/** Decoding of each format: equal pixels, upright, at the announced size. */
import { describe, expect, it } from 'vitest'
import { decodeFile, difference, portrait, seenBySharp } from './samples.ts'

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
    {
      file: 'an interlaced PNG with a palette of 16',
      image: photo().png({ palette: true, colours: 16, progressive: true }),
      off: 0,
    },
    { file: 'a half transparent WEBP', image: photo().ensureAlpha(0.3).webp(), off: 1 },
  ])('returns the same pixels as libvips for $file', async ({ image, off }) => {
    const bytes = await image.toBuffer()
    const { raster, release } = await decodeFile(bytes)
    expect(difference(raster.data, await seenBySharp(bytes))).toBeLessThanOrEqual(off)
    release()
  })

  it('reuses a decoder when a photo is released', async () => {
    const first = await decodeFile(FILES[0]!.bytes)
    first.release()
    const second = await decodeFile(FILES[0]!.bytes)
    expect(second.raster.data.buffer).toBe(first.raster.data.buffer)
    second.release()
  })
})
