/** A photo of the list with its bytes, and the names by which a run recognises it. */
import { createHash } from 'node:crypto'
import { readPhotoFile } from '../terminal/bounded-file.ts'
import { fileProblem } from './photo-list.ts'
import type { Row } from './row.ts'

/** Photos of equal keys are one enrolment. `id` also distinguishes their files. */
export interface PhotoNames {
  /** SHA-256 of the file, hexadecimal: the `photo_hash` of the service. Empty for a file that cannot be read. */
  hash: string
  /** Idempotency-Key of the enrolment. */
  key: string
  /** 22 characters. */
  id: string
}

export interface Photo extends PhotoNames {
  row: Row
  bytes: Uint8Array<ArrayBuffer>
}

/** A file that cannot be sent. */
export interface UnreadablePhoto extends PhotoNames {
  row: Row
  /** A sentence. */
  unreadable: string
}

/** Reads the photo of a row. With `folder`, links do not lead out of it. */
export async function readPhoto(row: Row, folder?: string): Promise<Photo | UnreadablePhoto> {
  const named = (hash: string): PhotoNames => {
    const { meta, galleries, camera, time, selector } = row
    const key = `mien-enrol-${digest([hash, meta, galleries, camera, time, selector], 32)}`
    return { hash, key, id: photoId(key, row.name) }
  }
  try {
    const bytes = await readPhotoFile(row.path, folder)
    return { row, bytes, ...named(createHash('sha256').update(bytes).digest('hex')) }
  } catch (error) {
    return { row, ...named(''), unreadable: fileProblem(error) }
  }
}

/** Id of a file with the key of its enrolment. */
export const photoId = (key: string, name: string): string => digest([key, name], 16)

/** The first bytes of a SHA-256, as text. */
const digest = (value: unknown, bytes: number): string =>
  createHash('sha256').update(JSON.stringify(value)).digest().subarray(0, bytes).toString('base64url')
