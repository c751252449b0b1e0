/** Packs of pictures: pieces with the pictures of neighbouring faces, found again by the ids of these faces. */
import { hash } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import * as z from 'zod'
import { Natural } from '../../../contract/scalars.ts'
import { pathBelow, StoredPath } from '../../../contract/stored-path.ts'
import {
  facePicturesOf,
  type PictureFile,
  type PictureKey,
  type PictureStore,
  pathOf,
  pictureAt,
} from '../../pictures/pictures.ts'
import { BackupRefused } from '../contents.ts'

/** One face in so many ends a pack, and no pack has more. A pack of some hundred faces has a few megabytes. */
const ONE_IN = 64
const FACES_PER_PACK = 128

/** Whether a pack ends after this face. It depends on the face alone: enrolments and deletions change no other pack. */
const endsPack = ({ id }: PictureKey) => hash('sha256', String(id), 'buffer').readUInt32LE(0) % ONE_IN === 0

/** A face whose pictures are in a pack. `updates`: how often they were replaced. */
export type PackedFace = PictureKey & { updates?: number }

/** Cuts faces, by rising id, into the faces of packs. */
export async function* packsOf(faces: AsyncIterable<PackedFace>): AsyncGenerator<PackedFace[]> {
  let pack: PackedFace[] = []
  for await (const { owner, id, updates } of faces) {
    pack.push({ owner, id, ...(updates && { updates }) })
    if (!endsPack({ owner, id }) && pack.length < FACES_PER_PACK) continue
    yield pack
    pack = []
  }
  if (pack.length > 0) yield pack
}

/** Text that names a pack of these faces. `missing`: paths of pictures that it lacks. */
export const packText = (faces: readonly PackedFace[], missing: readonly string[]): Uint8Array => {
  const named = faces.map(({ owner, id, updates }) => [owner, id, ...(updates ? [updates] : [])])
  return Buffer.from(`pictures ${JSON.stringify([named, missing])}`)
}

interface Pack {
  content: Uint8Array
  /** Paths of pictures that do not exist. */
  missing: string[]
}

/** Header of a pack: path and length of each picture. The bytes of the pictures follow its line. */
const HeaderSchema = z.array(z.tuple([StoredPath.refine(path => pictureAt(path) !== undefined), Natural]))

/** Reads the pictures of these faces. */
export async function readPack(
  pictures: Pick<PictureStore, 'readStored'>,
  faces: readonly PictureKey[],
): Promise<Pack> {
  const missing: string[] = []
  const header: z.infer<typeof HeaderSchema> = []
  const parts: Uint8Array[] = []
  const read = async (picture: PictureFile) => [pathOf(picture), await pictures.readStored(picture)] as const
  for (const face of faces) {
    for (const [path, bytes] of await Promise.all(facePicturesOf(face).map(read))) {
      if (!bytes) missing.push(path)
      else {
        header.push([path, bytes.length])
        parts.push(bytes)
      }
    }
  }
  return { content: Buffer.concat([Buffer.from(`${JSON.stringify(header)}\n`), ...parts]), missing }
}

/** Writes the pictures of a pack into a folder. Throws BackupRefused for a malformed pack. Returns their paths. */
export async function unpack(content: Uint8Array, folder: string): Promise<string[]> {
  const end = content.indexOf(0x0a)
  const header = headerIn(content.subarray(0, Math.max(0, end)))
  const paths: string[] = []
  let at = end + 1
  for (const [path, bytes] of header) {
    const target = pathBelow(folder, path)
    await mkdir(dirname(target), { recursive: true, mode: 0o700 })
    await writeFile(target, content.subarray(at, at + bytes), { mode: 0o600 })
    at += bytes
    paths.push(path)
  }
  if (at !== content.length) throw new BackupRefused('A pack of pictures has another length than it says.')
  return paths
}

function headerIn(line: Uint8Array): z.infer<typeof HeaderSchema> {
  try {
    return HeaderSchema.parse(JSON.parse(Buffer.from(line).toString()))
  } catch (cause) {
    throw new BackupRefused('A pack of pictures is malformed.', { cause })
  }
}
