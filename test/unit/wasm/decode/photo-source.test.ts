/** Rasters of one photo: the number of decodes, and equality with direct decodes. */
import { readHeader } from '#wasm/decode/header.ts'
import { type PhotoSource, photoSource } from '#wasm/decode/photo-source.ts'
import type { Photo } from '#wasm/imaging/orientation.ts'
import { decodeFile, difference, portrait } from './samples.ts'

/** Not a multiple of the block size. */
const SIZE = [1237, 829] as const

const jpeg = await portrait(...SIZE)
  .jpeg()
  .toBuffer()
const png = await portrait(...SIZE)
  .png()
  .toBuffer()

/** A source of this file, the scales of its decodes, and its released rasters. */
function sourceOf(
  file: Uint8Array,
  usual: number,
): { source: PhotoSource; scales: number[]; released: Photo[] } {
  const scales: number[] = []
  const released: Photo[] = []
  const source = photoSource(readHeader(file), usual, async scale => {
    scales.push(scale)
    const photo = await decodeFile(file, { scale })
    const release = () => {
      released.push(photo)
      photo.release()
    }
    return { ...photo, release }
  })
  return { source, scales, released }
}

describe('photoSource of a PNG', () => {
  it('decodes once for all rasters up to the usual scale', async () => {
    const { source, scales } = sourceOf(png, 0.5)
    const widths = []
    for (const scale of [0.125, 0.2, 0.5]) widths.push((await source.at(scale)).raster.width)
    expect(widths).toEqual([155, 310, 619])
    expect(scales).toEqual([0.5])
  })

  it.each([0.125, 0.25])('returns the pixels of a direct decode at scale %d', async scale => {
    const { source } = sourceOf(png, 0.5)
    const [photo, decoded] = [await source.at(scale), await decodeFile(png, { scale })]
    expect(photo.step).toBe(decoded.step)
    expect([photo.width, photo.height]).toEqual(SIZE)
    expect(difference(photo.raster.data, decoded.raster.data)).toBeLessThan(0.5)
  })

  it('decodes again beyond the usual scale, and releases the first raster', async () => {
    const { source, scales, released } = sourceOf(png, 0.25)
    await source.at(0.125)
    expect((await source.at(1)).raster.width).toBe(SIZE[0])
    expect(scales).toEqual([0.25, 1])
    expect(released).toHaveLength(1)
  })
})

it('photoSource of a JPEG decodes again for each larger scale', async () => {
  const { source, scales, released } = sourceOf(jpeg, 0.5)
  for (const scale of [0.125, 0.1, 0.5, 0.25]) await source.at(scale)
  expect(scales).toEqual([0.125, 0.5])
  source.release()
  expect(released).toHaveLength(2)
})
