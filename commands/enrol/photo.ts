/** A photo of the list with its bytes and the key of its enrolment. */
import { createHash } from 'node:crypto'
import { readPhotoFile } from '../terminal/bounded-file.ts'
import { fileProblem } from './photo-list.ts'
import type { Row } from './row.ts'

interface Named {
  row: Row
  /** SHA-256 of the file, hexadecimal: the `photo_hash` of the service. Empty for a file that cannot be read. */
  hash: string
  /** Idempotency-Key: photos of equal keys are one enrolment. */
  key: string
}

export interface Photo extends Named {
  bytes: Uint8Array<ArrayBuffer>
}

/** A file that cannot be sent. */
export interface UnreadablePhoto extends Named {
  /** A sentence. */
  unreadable: string
}

/** Reads the photo of a row. With `folder`, links do not lead out of it. */
export async function readPhoto(row: Row, folder?: string): Promise<Photo | UnreadablePhoto> {
  const named = (hash: string): Named => {
    const { meta, galleries, camera, time, selector } = row
    const fields = JSON.stringify([hash, meta, galleries, camera, time, selector])
    return { row, hash, key: `mien-enrol-${createHash('sha256').update(fields).digest('base64url')}` }
  }
  try {
    const bytes = await readPhotoFile(row.path, folder)
    return { bytes, ...named(createHash('sha256').update(bytes).digest('hex')) }
  } catch (error) {
    return { ...named(''), unreadable: fileProblem(error) }
  }
}
