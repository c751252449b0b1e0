/** The picture files of faces: two per face, written durably, read, removed and listed. */
import { access, opendir, readFile, rm } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { makeFolder, syncFolder, writeWhole } from '../files/durable.ts'
import { unless } from '../files/unless.ts'
import { type FileForm, fileForm } from '../sealing/file-form.ts'
import type { DataKey } from '../sealing/seal.ts'
import { type NormalizedPixels, normalizedPng, type Pixels, thumbnailJpeg } from './encode.ts'

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

/** The pictures below one folder. */
export interface PictureFiles {
  /** Encodes and writes both pictures of each face; on the disk when it resolves. May leave some when it rejects. */
  write(pictures: readonly NewPictures[]): Promise<void>
  /** The picture's bytes; undefined when there is none, and when it is sealed and not what was sealed. */
  read(key: PictureKey, kind: PictureKind): Promise<Uint8Array<ArrayBuffer> | undefined>
  /** Removes both pictures of each face, and says how many were there. */
  remove(keys: readonly PictureKey[]): Promise<number>
  /** Removes all pictures of an owner. */
  removeAll(owner: string): Promise<void>
  /** Those of the pictures of these faces that `read` would give nothing of. */
  missing(keys: readonly PictureKey[]): Promise<PictureFile[]>
  /** Every picture there is, in no order. */
  list(): AsyncIterable<PictureFile>
}

/** Faces of one owner are spread over this many folders: no folder gets too many files. */
const SPREAD = 256

/** For `catch`: a missing file is nothing. */
const missing = unless('ENOENT')

/** Where files are written before they get their names. */
export const WRITING = '.writing'

/** How pictures lie on the disk. */
export const pictureForm = (dataKey: DataKey | undefined): FileForm => fileForm(dataKey, 'pictures')

/** What a sealed picture is bound to: it is none of another face. */
export const placeOf = ({ owner, id, kind }: PictureFile): string => `${owner}/${id}/${kind}`

/**
 * Opens the folder or makes it, and clears away what a process that died was writing. One process at a time. With a data
 * key, pictures are sealed.
 */
export async function openPictureFiles(root: string, dataKey?: DataKey): Promise<PictureFiles> {
  const writing = join(root, WRITING)
  await rm(writing, { recursive: true, force: true })
  await makeFolder(writing)
  return picturesBelow(root, dataKey)
}

const pictureFolder = (root: string, { owner, id }: PictureKey): string =>
  join(root, owner, (id % SPREAD).toString(16).padStart(2, '0'))

/** Where a picture lies. */
export const pathOf = (root: string, { owner, id, kind }: PictureFile): string =>
  join(pictureFolder(root, { owner, id }), `${id}.${PICTURES[kind].file}`)

/** The pictures of a folder that was opened before, perhaps by another process: for reading beside it. */
export function picturesBelow(root: string, dataKey?: DataKey): PictureFiles {
  const form = pictureForm(dataKey)
  const writing = join(root, WRITING)
  const folderOf = (key: PictureKey): string => pictureFolder(root, key)

  async function writePair(face: NewPictures): Promise<void> {
    const files = await Promise.all([thumbnailJpeg(face.thumbnail), normalizedPng(face.normalized)])
    await Promise.all(
      KINDS.map((kind, i) => {
        const stored = form.stored(files[i]!, placeOf({ ...face, kind }))
        return writeWhole(pathOf(root, { ...face, kind }), stored, writing)
      }),
    )
  }

  async function read(key: PictureKey, kind: PictureKind): Promise<Uint8Array<ArrayBuffer> | undefined> {
    const stored = await readFile(pathOf(root, { ...key, kind })).catch(missing)
    return stored && form.read(stored, placeOf({ ...key, kind }))
  }

  /** What lies in the clear has no check: to be there is enough. */
  async function isThere(file: PictureFile): Promise<boolean> {
    if (form.mark !== 0) return (await read(file, file.kind)) !== undefined
    return (await access(pathOf(root, file)).then(() => true, missing)) ?? false
  }

  return {
    async write(pictures) {
      const folders = [...new Set(pictures.map(folderOf))]
      for (const folder of folders) await makeFolder(folder)
      await settleAll(pictures.map(writePair))
      await Promise.all(folders.map(syncFolder))
    },

    read,

    async remove(keys) {
      const paths = keys.flatMap(key => KINDS.map(kind => pathOf(root, { ...key, kind })))
      const removed = await settleAll(
        paths.map(path =>
          rm(path, { maxRetries: 3 })
            .then(() => path)
            .catch(missing),
        ),
      )
      await Promise.all([...new Set(keys.map(folderOf))].map(folder => syncFolder(folder).catch(missing)))
      return removed.filter(path => path !== undefined).length
    },

    async removeAll(owner) {
      await rm(join(root, owner), { recursive: true, force: true, maxRetries: 3 })
      await syncFolder(root)
    },

    async missing(keys) {
      const files = keys.flatMap(({ owner, id }) => KINDS.map(kind => ({ owner, id, kind })))
      const found = await settleAll(files.map(file => isThere(file)))
      return files.filter((_, i) => !found[i])
    },

    async *list() {
      for await (const entry of await opendir(root, { recursive: true })) {
        const [, id, file = ''] = /^(\d{1,16})\.(.+)$/.exec(entry.name) ?? []
        const kind = kindOfFile(file)
        const [owner] = relative(root, entry.parentPath).split(sep)
        if (id !== undefined && kind && owner) yield { owner, id: Number(id), kind }
      }
    },
  }
}

/** Waits for all of them even when one fails, so that nothing is still being written once the caller clears up. */
async function settleAll<Result>(work: readonly Promise<Result>[]): Promise<Result[]> {
  const outcomes = await Promise.allSettled(work)
  return outcomes.map(outcome => {
    if (outcome.status === 'rejected') throw outcome.reason
    return outcome.value
  })
}
