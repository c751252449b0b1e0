/**
 * Stores the pictures of faces, and the snapshots and clips of their events, in a folder or a bucket. With a data key, they are
 * encrypted.
 */
import { dirname } from 'node:path/posix'
import type { DataKey } from '../encryption/encrypt.ts'
import { type FileForm, fileForm } from '../encryption/file-form.ts'
import { encodePictures, type FacePictures } from './encode.ts'
import { eachAtOnce, type NewObject, type Objects } from './objects.ts'

/** File name and media type of each kind of picture. */
export const PICTURES = {
  thumbnail: { file: 'thumbnail.jpg', type: 'image/jpeg' },
  normalized: { file: 'normalized.png', type: 'image/png' },
  snapshot: { file: 'snapshot.jpg', type: 'image/jpeg' },
  clip: { file: 'clip.mp4', type: 'video/mp4' },
} as const

export type PictureKind = keyof typeof PICTURES

const KINDS = Object.keys(PICTURES) as PictureKind[]

/** The pictures that every face has. */
const OF_EACH_FACE = ['thumbnail', 'normalized'] as const

/** The kind of picture with this file name; undefined for other names. */
export const kindOfFile = (file: string): PictureKind | undefined =>
  KINDS.find(kind => PICTURES[kind].file === file)

/** Identifies the face of pictures. Each owner's pictures have a folder of their own. */
export interface PictureKey {
  owner: string
  id: number
}

/** One of a face's pictures. */
export interface PictureFile extends PictureKey {
  kind: PictureKind
}

/** The new pictures of a face. */
type NewPictures = PictureKey & FacePictures

/** An uploaded recording of a camera. Another file has other pieces, also while the pieces of the first file are being removed. */
interface UploadedFile {
  owner: string
  camera: string
  start: number
  size: number
}

/** The store of pictures. All methods reject with PicturesUnavailable when the pictures are in an unavailable bucket. */
export interface PictureStore extends Pick<Objects, 'isLocal'> {
  /** Rejects when writes and removals are known to fail now. */
  reach(): Promise<void>
  /** Writes both pictures of each face, encoded; durable when it resolves. After a rejection some may be stored. */
  write(pictures: readonly NewPictures[]): Promise<void>
  /** Writes one file as it is, as a whole or not at all; durable when it resolves. */
  put(picture: PictureFile, bytes: Uint8Array): Promise<void>
  /** The picture's bytes; undefined when there is none, and when decryption shows that it was changed. */
  read(key: PictureKey, kind: PictureKind): Promise<Uint8Array<ArrayBuffer> | undefined>
  /** The bytes as they are stored, encrypted or not; undefined when there are none. */
  readStored(picture: PictureFile): Promise<Uint8Array | undefined>
  /** Removes these kinds, by default everything, of each face. Returns how many files existed; a bucket counts all kinds. */
  remove(keys: readonly PictureKey[], kinds?: readonly PictureKind[]): Promise<number>
  /** Removes all pictures of an owner. */
  removeAll(owner: string): Promise<void>
  /** The thumbnails and normalized pictures of these faces that `read` returns undefined for. */
  missing(keys: readonly PictureKey[]): Promise<PictureFile[]>
  /** All pictures, unordered. */
  list(): AsyncIterable<PictureFile>
  /** Writes the piece from a byte on; durable when it resolves. */
  putPiece(file: UploadedFile, at: number, bytes: Uint8Array): Promise<void>
  /** As `read`. */
  readPiece(file: UploadedFile, at: number): Promise<Uint8Array<ArrayBuffer> | undefined>
  /** Removes the owner's pieces of other recordings than these. They are read when the pieces are known. */
  removeOtherPieces(owner: string, kept: () => Promise<readonly UploadedFile[]>): Promise<void>
  /** Removes all pieces. */
  removePieces(file: UploadedFile): Promise<void>
  /** Closes the store. No other method may be called afterwards. */
  close(): void
}

/** Number of folders over which the faces of one owner are spread: none gets too many files. */
const FOLDERS_PER_OWNER = 256

/** Concurrent reads. */
const CONCURRENT_READS = 16

/** The file format of pictures, encrypted when there is a data key. */
export const pictureForm = (dataKey: DataKey | undefined): FileForm => fileForm(dataKey, 'pictures')

/** Associated data of an encrypted picture, which binds it to its face and kind. */
export const placeOf = ({ owner, id, kind }: PictureFile): string => `${owner}/${id}/${kind}`

/** Path of a picture, in a folder and in a bucket. */
export const pathOf = ({ owner, id, kind }: PictureFile): string =>
  `${owner}/${(id % FOLDERS_PER_OWNER).toString(16).padStart(2, '0')}/${id}.${PICTURES[kind].file}`

/** The picture at a path; undefined for other files. */
export function pictureAt(path: string): PictureFile | undefined {
  const [, owner, id, file] = /^(\w+)\/[0-9a-f]{2}\/(\d{1,16})\.(.+)$/.exec(path) ?? []
  const kind = file === undefined ? undefined : kindOfFile(file)
  const picture = owner !== undefined && kind && { owner, id: Number(id), kind }
  return picture && pathOf(picture) === path ? picture : undefined
}

/** No path of a picture: lists and backups leave pieces out. */
const piecesOf = ({ owner, camera, start, size }: UploadedFile) =>
  `${owner}/recordings/${camera}_${start}_${size}`

/** Whether a path among the pictures names a piece of a recording. */
export const isPiece = (path: string): boolean => /^\w+\/recordings\//.test(path)
const pieceAt = (file: UploadedFile, at: number) => `${piecesOf(file)}/${at}`

const filesOf = ({ owner, id }: PictureKey, kinds: readonly PictureKind[]): PictureFile[] =>
  kinds.map(kind => ({ owner, id, kind }))

/** Thumbnail and normalized picture of a face. */
export const facePicturesOf = (face: PictureKey): PictureFile[] => filesOf(face, OF_EACH_FACE)

/** Opens the pictures in this storage; with a data key they are encrypted. */
export function picturesIn(objects: Objects, dataKey?: DataKey): PictureStore {
  const form = pictureForm(dataKey)

  const objectOf = (picture: PictureFile, bytes: Uint8Array): NewObject => ({
    path: pathOf(picture),
    bytes: form.stored(bytes, placeOf(picture)),
    type: form.mark === 0 ? PICTURES[picture.kind].type : 'application/octet-stream',
  })

  async function encoded(face: NewPictures): Promise<NewObject[]> {
    const files = await encodePictures(face)
    return OF_EACH_FACE.map(kind => objectOf({ ...face, kind }, files[kind]))
  }

  async function read(picture: PictureFile): Promise<Uint8Array<ArrayBuffer> | undefined> {
    const stored = await objects.read(pathOf(picture))
    return stored && form.read(stored, placeOf(picture))
  }

  /** A plaintext file has no integrity check: its existence suffices. */
  const isThere = async (picture: PictureFile) =>
    form.mark === 0 ? objects.has(pathOf(picture)) : (await read(picture)) !== undefined

  async function* list(): AsyncGenerator<PictureFile> {
    for await (const path of objects.list()) {
      const picture = pictureAt(path)
      if (picture) yield picture
    }
  }

  return {
    isLocal: objects.isLocal,
    reach: () => objects.reach(),
    write: async pictures => objects.write((await Promise.all(pictures.map(encoded))).flat()),
    put: (picture, bytes) => objects.write([objectOf(picture, bytes)]),
    read: ({ owner, id }, kind) => read({ owner, id, kind }),
    readStored: picture => objects.read(pathOf(picture)),
    remove: (keys, kinds = KINDS) => objects.remove(keys.flatMap(key => filesOf(key, kinds)).map(pathOf)),
    removeAll: owner => objects.removeBelow(owner),

    async missing(keys) {
      const pictures = keys.flatMap(facePicturesOf)
      const found = new Set<PictureFile>()
      await eachAtOnce(CONCURRENT_READS, pictures, async picture => {
        if (await isThere(picture)) found.add(picture)
      })
      return pictures.filter(picture => !found.has(picture))
    },

    list,

    putPiece(file, at, bytes) {
      const path = pieceAt(file, at)
      return objects.write([{ path, bytes: form.stored(bytes, path), type: 'application/octet-stream' }])
    },
    async readPiece(file, at) {
      const path = pieceAt(file, at)
      const stored = await objects.read(path)
      return stored && form.read(stored, path)
    },
    async removeOtherPieces(owner, kept) {
      const folders = new Set<string>()
      for await (const path of objects.list(`${owner}/recordings`)) folders.add(dirname(path))
      for (const file of await kept()) folders.delete(piecesOf(file))
      for (const folder of folders) await objects.removeBelow(folder)
    },
    removePieces: file => objects.removeBelow(piecesOf(file)),

    close: () => objects.close(),
  }
}
