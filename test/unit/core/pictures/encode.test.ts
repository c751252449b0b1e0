/** Pictures as files: a normalized face is read back unchanged. */
import { normalizedPng, readNormalized, thumbnailJpeg } from '#core/pictures/encode.ts'

const [width, height] = [150, 112]
const data = Uint8Array.from({ length: width * height * 3 }, (_, i) => (i * 7919) % 256)

it('readNormalized returns the pixels and the layout of normalizedPng unchanged', async () => {
  const face = { data, width, height, layout: 'arcface 112' }
  expect(await readNormalized(await normalizedPng(face))).toEqual(face)
})

it('readNormalized refuses truncated and empty files, and reads a JPEG', async () => {
  const png = await normalizedPng({ data, width, height })
  await expect(readNormalized(png.subarray(0, 200))).rejects.toThrow()
  await expect(readNormalized(new Uint8Array())).rejects.toThrow()
  await expect(readNormalized(await thumbnailJpeg({ data, width, height }))).resolves.toMatchObject({ width })
})
