/** The shared suite of all picture stores. */
import sharp from 'sharp'
import type { NewObject, Objects } from '#core/pictures/objects.ts'
import { type PictureStore, pathOf, picturesIn } from '#core/pictures/pictures.ts'

export const OWNER = '0123456789abcdef01234567'
const OTHER = 'fedcba9876543210fedcba98'

const noise = (width: number, height: number) => ({
  width,
  height,
  data: Uint8Array.from({ length: width * height * 3 }, (_, i) => (i * 37 + (i >> 5) * 11) % 256),
})

export const face = (id: number, owner = OWNER) => ({
  owner,
  id,
  thumbnail: noise(60, 80),
  normalized: noise(150, 150),
})

export async function namesIn(pictures: PictureStore): Promise<string[]> {
  const names: string[] = []
  for await (const { owner, id, kind } of pictures.list()) names.push(`${owner}/${id}/${kind}`)
  return names.sort()
}

export async function pathsIn(objects: Objects): Promise<string[]> {
  const paths: string[] = []
  for await (const path of objects.list()) paths.push(path)
  return paths.sort()
}

const both = (owner: string, ...ids: number[]) =>
  ids.flatMap(id => [`${owner}/${id}/normalized`, `${owner}/${id}/thumbnail`]).sort()

const object = (path: string, text: string): NewObject => ({
  path,
  bytes: Buffer.from(text),
  type: 'text/plain',
})

/** `open` returns the same store within one test, and a new one in the next test. */
export function keepsPictures(name: string, open: () => Promise<Objects>): void {
  describe(`picturesIn ${name}`, () => {
    let objects: Objects
    let pictures: PictureStore

    beforeEach(async () => {
      objects = await open()
      pictures = picturesIn(objects)
    })

    it('returns the thumbnail as a JPEG and the normalized face with unchanged pixels', async () => {
      const written = face(7)
      await pictures.write([written])
      const thumbnail = await sharp((await pictures.read(written, 'thumbnail'))!).metadata()
      expect(thumbnail).toMatchObject({ format: 'jpeg', width: 60, height: 80 })
      const normalized = sharp((await pictures.read(written, 'normalized'))!)
      expect(await normalized.metadata()).toMatchObject({ format: 'png', width: 150, height: 150 })
      expect((await normalized.raw().toBuffer()).equals(written.normalized.data)).toBe(true)
    })

    it('removes all files of a face and no others, and accepts a repeated removal', async () => {
      await pictures.write([face(1), face(257), face(2)])
      for (const kind of ['snapshot', 'clip'] as const)
        await pictures.put({ owner: OWNER, id: 1, kind }, Buffer.from('a file'))
      expect(await namesIn(pictures)).toHaveLength(8)
      await pictures.remove([
        { owner: OWNER, id: 1 },
        { owner: OWNER, id: 99 },
      ])
      await pictures.remove([{ owner: OWNER, id: 1 }])
      expect(await pictures.read({ owner: OWNER, id: 1 }, 'thumbnail')).toBeUndefined()
      expect(await pictures.read({ owner: OWNER, id: 1 }, 'normalized')).toBeUndefined()
      expect(await namesIn(pictures)).toEqual(both(OWNER, 2, 257))
    })

    it('removes all pictures of one owner only', async () => {
      await pictures.write([face(1), face(2), face(1, OTHER)])
      await pictures.removeAll(OWNER)
      await pictures.removeAll(OWNER)
      expect(await namesIn(pictures)).toEqual(both(OTHER, 1))
    })

    it('keeps the pieces of one recording when another recording is removed, and none of a removed owner', async () => {
      const [one, another] = [9, 90].map(size => ({ owner: OWNER, camera: 'a', start: 1, size }))
      for (const file of [one!, another!]) await pictures.putPiece(file, 0, Buffer.from(`${file.size}`))
      await pictures.removePieces(one!)
      expect(await pictures.readPiece(one!, 0)).toBeUndefined()
      expect(Buffer.from((await pictures.readPiece(another!, 0))!).toString()).toBe('90')
      expect(await namesIn(pictures)).toEqual([])
      await pictures.removeAll(OWNER)
      expect(await pathsIn(objects)).toEqual([])
    })

    it('overwrites existing pictures', async () => {
      await pictures.write([face(1)])
      await pictures.write([{ ...face(1), thumbnail: noise(30, 40) }])
      const thumbnail = await sharp((await pictures.read(face(1), 'thumbnail'))!).metadata()
      expect(thumbnail).toMatchObject({ width: 30, height: 40 })
      expect(await namesIn(pictures)).toEqual(both(OWNER, 1))
    })

    it('writes nothing when one picture of a call is invalid', async () => {
      const broken = { ...face(2), thumbnail: { ...noise(60, 80), width: 61 } }
      await expect(pictures.write([face(1), broken])).rejects.toThrow()
      expect(await namesIn(pictures)).toEqual([])
    })

    it('reports missing pictures, but no missing snapshot or clip', async () => {
      await pictures.write([face(1), face(2)])
      const path = pathOf({ owner: OWNER, id: 2, kind: 'normalized' })
      expect(await objects.remove([path])).toBe(1)
      expect(await pictures.missing([face(1), face(2), face(3)])).toEqual([
        { owner: OWNER, id: 2, kind: 'normalized' },
        { owner: OWNER, id: 3, kind: 'thumbnail' },
        { owner: OWNER, id: 3, kind: 'normalized' },
      ])
    })

    it('lists its own pictures and ignores foreign objects', async () => {
      await pictures.write([face(1)])
      const ours = pathOf({ owner: OWNER, id: 2, kind: 'thumbnail' })
      await objects.write([
        object('0123/notes.txt', 'x'),
        object(ours.replace('02/', '03/'), 'in the wrong folder'),
        object(`${OWNER}/02/02.thumbnail.jpg`, 'under another spelling'),
      ])
      expect(await namesIn(pictures)).toEqual(both(OWNER, 1))
    })
  })
}
