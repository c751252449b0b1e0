/** One photo in each format, whole and reduced: equal pixels at equal positions. */
import sharp from 'sharp'
import { sample } from '#test/support/client.ts'
import { reduce } from '#wasm/decode/budget.ts'
import { readHeader } from '#wasm/decode/header.ts'
import { decodeFile, difference, seenBySharp } from './samples.ts'

/** Not a multiple of the block size: each file ends within a block. */
const WIDTH = 1237
const HEIGHT = 829

const photo = sharp(await sample(1)).resize(WIDTH, HEIGHT, { fit: 'fill' })
const lossless = await photo.png().toBuffer()
const saved = sharp(lossless)

const FILES = await Promise.all(
  [
    { file: 'JPEG', image: saved.clone().jpeg({ quality: 95 }) },
    { file: 'progressive JPEG', image: saved.clone().jpeg({ quality: 95, progressive: true }) },
    { file: 'interlaced PNG', image: saved.clone().png({ progressive: true }) },
    { file: 'lossless WEBP', image: saved.clone().webp({ lossless: true, effort: 0 }) },
    { file: 'lossy WEBP', image: saved.clone().webp({ quality: 95, effort: 2 }) },
  ].map(async ({ file, image }) => ({ file, bytes: await image.toBuffer() })),
)

/** Greatest loss at these qualities: mean difference, 0..255. A shift by half a pixel gives more. */
const MOST_APART = 1.2
const MOST_APART_WHOLE = 5

describe.each([1, 2, 8])('decode reduced by %i', step => {
  const scale = 1 / step
  const decoded = decodeFile(lossless, { scale })

  it.each(FILES)('returns the pixels of the PNG for a $file', async ({ bytes }) => {
    const [plain, other] = [await decoded, await decodeFile(bytes, { scale })]
    expect([other.raster.width, other.raster.height]).toEqual([plain.raster.width, plain.raster.height])
    expect([plain.step, other.step]).toEqual([step, step])
    const most = step === 1 ? MOST_APART_WHOLE : MOST_APART
    expect(difference(plain.raster.data, other.raster.data)).toBeLessThan(most)
    other.release()
  })
})

it('reduce chooses the smallest step of at least the scale', () => {
  const header = readHeader(lossless)
  expect([0.126, 0.3, 0.51].map(scale => reduce(header, scale).step)).toEqual([4, 2, 1])
})

it.each([
  {
    file: 'an interlaced PNG with a palette of 16',
    image: saved.clone().png({ palette: true, colours: 16, progressive: true }),
    off: 0,
  },
  { file: 'a half transparent WEBP', image: saved.clone().ensureAlpha(0.3).webp(), off: 1 },
])('decode returns the same pixels as libvips for $file', async ({ image, off }) => {
  const bytes = await image.toBuffer()
  const { raster, release } = await decodeFile(bytes)
  expect(difference(raster.data, await seenBySharp(bytes))).toBeLessThanOrEqual(off)
  release()
})

it('decode reuses a decoder when a photo is released', async () => {
  const first = await decodeFile(FILES[0]!.bytes)
  first.release()
  const second = await decodeFile(FILES[0]!.bytes)
  expect(second.raster.data.buffer).toBe(first.raster.data.buffer)
  second.release()
})
