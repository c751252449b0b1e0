/** Fetches photos from URLs of the public internet and of trusted hosts, within limits of time and size. */
import type { IncomingMessage } from 'node:http'
import { environment } from '../../contract/environment.ts'
import { ServiceError, tooLarge } from '../../contract/errors.ts'
import { PHOTO_LIMITS } from '../../contract/limits/photos.ts'
import { isOurFault, nameServers, type Resolve, systemNames } from '../network/name-servers.ts'
import { sendGuarded } from '../network/pinned-request.ts'
import { type Guard, shares } from '../network/target.ts'

export interface FetchOptions extends Guard {
  /** Resolves names, also of trusted hosts. By default, the name servers; for trusted hosts, the system's resolver. */
  resolve?: Resolve
  /** Milliseconds to connect, and in total. */
  connectMs?: number
  totalMs?: number
  /** Called with the cause when a photo could not be fetched and this machine is at fault. */
  onFault?: (error: unknown) => void
}

/** Fetches the photo at a URL for this owner. */
export type FetchPhoto = (url: string, owner: string) => Promise<Uint8Array>

const TOO_MANY_FETCHES = 'Too many photos are being fetched from URLs. Try again.'
const OUR_FAULT = 'Photo URLs cannot be fetched at the moment. Try again later.'

const HEADERS = {
  accept: 'image/jpeg, image/png, image/webp',
  // Responses are not decompressed. A compressed response fails as an invalid photo.
  'accept-encoding': 'identity',
}

/** `Retry-After` in seconds of a fetch that failed because of this machine. */
const RETRY_AFTER_S = 5

/**
 * Creates a FetchPhoto. It throws PHOTO_TOO_LARGE above PHOTO_LIMITS.bytes. It throws SERVICE_UNAVAILABLE when this machine is at
 * fault, or the owner has used up the share of PHOTO_LIMITS.fetches: each fetch may hold a whole photo. Every other failure is
 * PHOTO_UNREACHABLE, and does not reveal the reason.
 */
export function photoFetcher(options: FetchOptions = {}): FetchPhoto {
  const names = {
    resolve: options.resolve ?? nameServers(),
    resolveTrusted: options.resolve ?? systemNames(),
  }
  const slots = shares(PHOTO_LIMITS.fetches)

  async function fetchPhoto(text: string): Promise<Uint8Array> {
    // One deadline for all steps: a server that sends a byte per second gets no more time than a silent one.
    const signal = environment.deadline(options.totalMs ?? PHOTO_LIMITS.fetchMs)
    const response = await sendGuarded(text, {
      names,
      guard: options,
      headers: HEADERS,
      signal,
      maxHeaderBytes: PHOTO_LIMITS.headerBytes,
      connectMs: options.connectMs ?? PHOTO_LIMITS.connectMs,
    })
    const body = await bodyOf(response)
    // A body without a length ends with its connection, which the deadline closes.
    signal.throwIfAborted()
    return body
  }

  return async (url, owner) => {
    const release = slots.take(owner)
    if (!release) throw new ServiceError('SERVICE_UNAVAILABLE', { reason: TOO_MANY_FETCHES })
    try {
      return await fetchPhoto(url)
    } catch (error) {
      if (error instanceof ServiceError) throw error
      if (!isOurFault(error)) throw new ServiceError('PHOTO_UNREACHABLE', {}, { cause: error })
      options.onFault?.(error)
      const detail = { reason: OUR_FAULT, retryAfter: RETRY_AFTER_S }
      throw new ServiceError('SERVICE_UNAVAILABLE', detail, { cause: error })
    } finally {
      release()
    }
  }
}

/** Throws PHOTO_TOO_LARGE, and any error when the status is not 200. */
async function bodyOf(response: IncomingMessage): Promise<Uint8Array> {
  try {
    if (response.statusCode !== 200) throw new Error(`status ${response.statusCode}`)
    if (Number(response.headers['content-length'] ?? 0) > PHOTO_LIMITS.bytes) throw photoTooLarge()
    const parts: Buffer[] = []
    let length = 0
    for await (const part of response as AsyncIterable<Buffer>) {
      length += part.length
      if (length > PHOTO_LIMITS.bytes) throw photoTooLarge()
      parts.push(part)
    }
    return Buffer.concat(parts, length)
  } finally {
    response.destroy()
  }
}

const photoTooLarge = () => tooLarge('The photo', PHOTO_LIMITS.bytes)
