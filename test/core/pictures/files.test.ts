/** Picture files: there, right and gone when they should be. */
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { expect, it } from 'vitest'
import { openPictureFiles, type PictureFiles } from '../../../core/pictures/files.ts'
import { temporaryFolder } from '../folder.ts'

const OWNER = '0123456789abcdef01234567'

const noise = (width: number, height: number) => ({
  width,
  height,
  data: Uint8Array.from({ length: width * height * 3 }, (_, i) => (i * 37 + (i >> 5) * 11) % 256),
})

const face = (id: number, owner = OWNER) => ({
  owner,
  id,
  thumbnail: noise(60, 80),
  normalized: noise(150, 150),
})

async function listed(pictures: PictureFiles): Promise<string[]> {
  const names: string[] = []
  for await (const { owner, id, kind } of pictures.list()) names.push(`${owner}/${id}/${kind}`)
  return names.sort()
}

it('reads back a JPEG of the thumbnail and exactly the pixels of the normalized face', async () => {
  const pictures = await openPictureFiles(await temporaryFolder())
  const written = face(7)
  await pictures.write([written])
  const thumbnail = await sharp((await pictures.read(written, 'thumbnail'))!).metadata()
  expect(thumbnail).toMatchObject({ format: 'jpeg', width: 60, height: 80 })
  const normalized = sharp((await pictures.read(written, 'normalized'))!)
  expect(await normalized.metadata()).toMatchObject({ format: 'png', width: 150, height: 150 })
  expect((await normalized.raw().toBuffer()).equals(written.normalized.data)).toBe(true)
})

it('removes both pictures of a face and no other', async () => {
  const pictures = await openPictureFiles(await temporaryFolder())
  await pictures.write([face(1), face(257), face(2)])
  await pictures.remove([
    { owner: OWNER, id: 1 },
    { owner: OWNER, id: 99 },
  ])
  expect(await pictures.read({ owner: OWNER, id: 1 }, 'thumbnail')).toBeUndefined()
  expect(await pictures.read({ owner: OWNER, id: 1 }, 'normalized')).toBeUndefined()
  expect(await listed(pictures)).toEqual(
    [2, 257].flatMap(id => [`${OWNER}/${id}/normalized`, `${OWNER}/${id}/thumbnail`]).sort(),
  )
})

it("never gives one owner another's picture", async () => {
  const pictures = await openPictureFiles(await temporaryFolder())
  await pictures.write([face(1)])
  expect(await pictures.read({ owner: 'fedcba9876543210fedcba98', id: 1 }, 'thumbnail')).toBeUndefined()
})

it('leaves nothing half-written when one picture of a call fails', async () => {
  const folder = await temporaryFolder()
  const pictures = await openPictureFiles(folder)
  const broken = { ...face(2), thumbnail: { ...noise(60, 80), width: 61 } }
  await expect(pictures.write([face(1), broken])).rejects.toThrow()
  await pictures.remove([face(1), broken])
  expect(await listed(pictures)).toEqual([])
  expect(await readdir(join(folder, '.writing'))).toEqual([])
})

it('clears away what a process that died was writing, and lists none of it', async () => {
  const folder = await temporaryFolder()
  await mkdir(join(folder, '.writing'), { recursive: true })
  await writeFile(join(folder, '.writing', '1.thumbnail.jpg'), 'half a pict')
  const pictures = await openPictureFiles(folder)
  expect(await readdir(join(folder, '.writing'))).toEqual([])
  expect(await listed(pictures)).toEqual([])
})
