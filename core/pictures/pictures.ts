/** The pictures of faces: two per face, encoded, sealed where there is a key, and kept in a folder or in a bucket. */
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { DataKey } from '../encryption/encrypt.ts'
import { type FileForm, fileForm } from '../encryption/file-form.ts'
import { type NormalizedPixels, normalizedPng, type Pixels, thumbnailJpeg } from './encode.ts'
import { eachAtOnce, type NewObject, type Objects } from './objects.ts'

/** The file that each kind of picture is, and its type. */
export const PICTURES = {
  thumbnail: { file: 'thumbnail.jpg', type: 'image/jpeg' },
  normalized: { file: 'normalized.png', type: 'image/png' },
} as const

export type PictureKind = keyof typeof PICTURES

const KINDS = Object.keys(PICTURES) as PictureKind[]

/** The kind that a file name stands for. */
export const kindOfFile = (file: string): PictureKind | undefined =>
  KINDS.find(kind => PICTURES[kind].file === file)

/** The face whose pictures they are; each owner's lie in a folder of their own. */
export interface PictureKey {
  owner: string
  id: number
}

/** One of a face's pictures. */
export interface PictureFile extends PictureKey {
  kind: PictureKind
}

export interface NewPictures extends PictureKey {
  thumbnail: Pixels
  normalized: NormalizedPixels
}

/** What keeps pictures. Each of these rejects with PicturesUnavailable where they are in a bucket, and that does not answer. */
export interface PictureStore {
  /** Rejects when it is known already that pictures can't be written or removed now. */
  reach(): Promise<void>
  /** Encodes and writes both pictures of each face; durable when it resolves. May leave some when it rejects. */
  write(pictures: readonly NewPictures[]): Promise<void>
  /** The picture's bytes; undefined when there is none, and when it is sealed and not what was sealed. */
  read(key: PictureKey, kind: PictureKind): Promise<Uint8Array<ArrayBuffer> | undefined>
  /** Removes both pictures of each face, and says how many were there, or may have been. */
  remove(keys: readonly PictureKey[]): Promise<number>
  /** Removes all pictures of an owner. */
  removeAll(owner: string): Promise<void>
  /** Those of the pictures of these faces that `read` would give nothing of. */
  missing(keys: readonly PictureKey[]): Promise<PictureFile[]>
  /** Every picture there is, in no order. */
  list(): AsyncIterable<PictureFile>
  /** Puts a copy of every picture, as it is kept, into a folder. Those that go meanwhile may be left out. */
  copyTo(folder: string): Promise<void>
  /** Nothing may be asked any more. */
  close(): void
}

/** Faces of one owner are spread over this many folders: no folder gets too many files. */
const SPREAD = 256

/** Pictures that are looked at, or copied, at once. */
const AT_ONCE = 16

/** How pictures are written down. */
export const pictureForm = (dataKey: DataKey | undefined): FileForm => fileForm(dataKey, 'pictures')

/** What a sealed picture is bound to: it is none of another face. */
export const placeOf = ({ owner, id, kind }: PictureFile): string => `${owner}/${id}/${kind}`

/** Where a picture lies, in a folder and in a bucket. */
export const pathOf = ({ owner, id, kind }: PictureFile): string =>
  `${owner}/${(id % SPREAD).toString(16).padStart(2, '0')}/${id}.${PICTURES[kind].file}`

/** The picture that lies there; undefined for what is none of ours. */
export function pictureAt(path: string): PictureFile | undefined {
  const [, owner, id, file] = /^(\w+)\/[0-9a-f]{2}\/(\d{1,16})\.(.+)$/.exec(path) ?? []
  const kind = file === undefined ? undefined : kindOfFile(file)
  const picture = owner !== undefined && kind && { owner, id: Number(id), kind }
  return picture && pathOf(picture) === path ? picture : undefined
}

const bothOf = ({ owner, id }: PictureKey): PictureFile[] => KINDS.map(kind => ({ owner, id, kind }))

/** The pictures that are kept there; with a data key they are sealed. */
export function picturesIn(objects: Objects, dataKey?: DataKey): PictureStore {
  const form = pictureForm(dataKey)

  async function encoded(face: NewPictures): Promise<NewObject[]> {
    const files = await Promise.all([thumbnailJpeg(face.thumbnail), normalizedPng(face.normalized)])
    return bothOf(face).map((picture, i) => ({
      path: pathOf(picture),
      bytes: form.stored(files[i]!, placeOf(picture)),
      type: form.mark === 0 ? PICTURES[picture.kind].type : 'application/octet-stream',
    }))
  }

  async function read(picture: PictureFile): Promise<Uint8Array<ArrayBuffer> | undefined> {
    const stored = await objects.read(pathOf(picture))
    return stored && form.read(stored, placeOf(picture))
  }

  /** What lies in the clear has no check: to be there is enough. */
  const isThere = async (picture: PictureFile): Promise<boolean> =>
    form.mark === 0 ? objects.has(pathOf(picture)) : (await read(picture)) !== undefined

  async function* list(): AsyncGenerator<PictureFile> {
    for await (const path of objects.list()) {
      const picture = pictureAt(path)
      if (picture) yield picture
    }
  }

  return {
    reach: () => objects.reach(),
    write: async pictures => objects.write((await Promise.all(pictures.map(encoded))).flat()),
    read: (key, kind) => read({ ...key, kind }),
    remove: keys => objects.remove(keys.flatMap(bothOf).map(pathOf)),
    removeAll: owner => objects.removeBelow(owner),

    async missing(keys) {
      const pictures = keys.flatMap(bothOf)
      const found = new Set<PictureFile>()
      await eachAtOnce(AT_ONCE, pictures, async picture => {
        if (await isThere(picture)) found.add(picture)
      })
      return pictures.filter(picture => !found.has(picture))
    },

    list,

    async copyTo(folder) {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      await eachAtOnce(AT_ONCE, list(), async picture => {
        const bytes = await objects.read(pathOf(picture))
        if (!bytes) return
        const target = join(folder, pathOf(picture))
        await mkdir(dirname(target), { recursive: true, mode: 0o700 })
        await writeFile(target, bytes, { mode: 0o600 })
      })
    },

    close: () => objects.close(),
  }
}
