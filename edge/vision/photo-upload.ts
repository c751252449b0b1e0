/** Reads a photo from an upload or a public URL: its bytes and its name. */
import { ServiceError } from '../../contract/errors.ts'
import { PHOTO_LIMITS } from '../../contract/limits/photos.ts'
import type { Upload } from '../../contract/parameters/photos.ts'
import type { Core } from '../core-client/core-client.ts'

export interface PhotoFile {
  bytes: Uint8Array<ArrayBuffer>
  /** URL as sent, or file name cut to PHOTO_LIMITS.nameLength characters; "" when the file has no name. */
  name: string
}

/**
 * Core fetches URLs: a Worker cannot connect to the exact address that it checked. A fetch counts against the owner's share
 * of concurrent fetches. Throws BAD_IMAGE, PHOTO_TOO_LARGE or PHOTO_UNREACHABLE.
 */
export async function readPhoto(core: Core, owner: string, source: Upload | string): Promise<PhotoFile> {
  const bytes = typeof source === 'string' ? await fetchPhoto(core, owner, source) : unshared(source.bytes)
  const name = typeof source === 'string' ? source : shortened(source.name)
  return { bytes, name }
}

/** Cuts a long name and removes half of a surrogate pair at the end. */
const shortened = (name: string): string =>
  name.slice(0, PHOTO_LIMITS.nameLength).replace(/[\uD800-\uDBFF]$/, '')

async function fetchPhoto(core: Core, owner: string, url: string): Promise<Uint8Array<ArrayBuffer>> {
  const { blobs } = await core.call('photo.fetch', { owner, url })
  const [bytes] = blobs
  if (!bytes) throw new ServiceError('PHOTO_UNREACHABLE')
  return unshared(bytes)
}

/** The same bytes, typed for APIs that refuse shared memory. Bodies and frames never use shared memory. */
const unshared = (bytes: Uint8Array): Uint8Array<ArrayBuffer> => bytes as Uint8Array<ArrayBuffer>
