/** Pictures as files: what is written of a normalized face is what is read back. */
import { expect, it } from 'vitest'
import { normalizedPng, readNormalized, thumbnailJpeg } from '../../../../core/pictures/encode.ts'

const [width, height] = [150, 112]
const data = Uint8Array.from({ length: width * height * 3 }, (_, i) => (i * 7919) % 256)

it('a normalized face comes back to the last bit, with its layout', async () => {
  const face = { data, width, height, layout: 'arcface 112' }
  expect(await readNormalized(await normalizedPng(face))).toEqual(face)
})

it('a normalized face of before layouts were noted has none', async () => {
  const face = { data, width, height }
  expect(await readNormalized(await normalizedPng(face))).toEqual(face)
})

it('what is no picture is refused', async () => {
  const png = await normalizedPng({ data, width, height })
  await expect(readNormalized(png.subarray(0, 200))).rejects.toThrow()
  await expect(readNormalized(new Uint8Array())).rejects.toThrow()
  await expect(readNormalized(await thumbnailJpeg({ data, width, height }))).resolves.toMatchObject({ width })
})
