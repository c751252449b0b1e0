/** An upload or a public URL -> the photo's bytes and name. */
import { type ErrorCode, ServiceError } from '../../core/contract/errors.ts'
import { LIMITS } from '../../core/contract/limits.ts'
import type { Core } from '../core-client/core-client.ts'
import type { Upload } from '../http/encodings/upload.ts'

/** What a photo may be refused with. */
export const PHOTO_REFUSALS = [
  'BAD_IMAGE',
  'PHOTO_TOO_LARGE',
  'PHOTO_UNREACHABLE',
] as const satisfies readonly ErrorCode[]

/** What a request may be refused with that needs faces on its photo. */
export const FACE_REFUSALS = [
  ...PHOTO_REFUSALS,
  'NO_FACES',
  'TOO_MANY_FACES',
  'LIVENESS_FAILED',
] as const satisfies readonly ErrorCode[]

export interface PhotoFile {
  bytes: Uint8Array<ArrayBuffer>
  /** The URL as sent, the uploaded file's name, or "". */
  name: string
}

/**
 * Core fetches URLs, because a Worker can't connect to the very address that it checked. A fetch counts as one of the
 * owner's share.
 */
export async function readPhoto(core: Core, owner: string, source: Upload | string): Promise<PhotoFile> {
  const bytes = typeof source === 'string' ? await fetchPhoto(core, owner, source) : owned(source.bytes)
  const name = typeof source === 'string' ? source : shortened(source.name)
  return { bytes, name }
}

/** The beginning of a long name, without half a character at its end. */
const shortened = (name: string): string =>
  name.slice(0, LIMITS.photoNameLength).replace(/[\uD800-\uDBFF]$/, '')

async function fetchPhoto(core: Core, owner: string, url: string): Promise<Uint8Array<ArrayBuffer>> {
  const { blobs } = await core.ask('photo.fetch', { owner, url })
  const [bytes] = blobs
  if (!bytes) throw new ServiceError('PHOTO_UNREACHABLE')
  return owned(bytes)
}

/** The same bytes, for APIs that refuse shared memory: neither a body nor a frame is ever in such. */
const owned = (bytes: Uint8Array): Uint8Array<ArrayBuffer> => bytes as Uint8Array<ArrayBuffer>
