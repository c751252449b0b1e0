/** Downloads the bytes at a URL from checked addresses, within limits of time and size. */
import type { LookupAddress } from 'node:dns'
import { type IncomingMessage, request as overHttp } from 'node:http'
import { request as overHttps } from 'node:https'
import type { LookupFunction } from 'node:net'
import { ServiceError } from '../contract/errors.ts'
import { LIMITS } from '../contract/limits.ts'

/** Downloads a photo. Throws PHOTO_TOO_LARGE, and any error when there is no response or its status is not 200. */
export async function download(
  url: URL,
  addresses: LookupAddress[],
  connectMs: number,
  signal: AbortSignal,
): Promise<Uint8Array> {
  return bodyOf(await respond(url, addresses, connectMs, signal))
}

/** The response's head. Connects only to these addresses: a later change of the name's address has no effect. */
function respond(
  url: URL,
  addresses: LookupAddress[],
  connectMs: number,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const secure = url.protocol === 'https:'
  return new Promise((resolve, reject) => {
    const request = (secure ? overHttps : overHttp)(url, {
      agent: false,
      lookup: pinned(addresses),
      headers: {
        accept: 'image/jpeg, image/png, image/webp',
        // Responses are not decompressed. A compressed response fails as an invalid photo.
        'accept-encoding': 'identity',
        'user-agent': 'mien',
      },
      maxHeaderSize: LIMITS.photoHeaderBytes,
      signal,
    })
    const connecting = setTimeout(() => request.destroy(new Error('no connection in time')), connectMs)
    request.once('socket', socket => {
      socket.once(secure ? 'secureConnect' : 'connect', () => clearTimeout(connecting))
    })
    request.once('close', () => {
      clearTimeout(connecting)
      // A response that switches protocols emits neither `response` nor `error`.
      reject(new Error('no answer'))
    })
    request.once('error', reject)
    request.once('response', resolve)
    request.end()
  })
}

/** A resolver that always returns these addresses. */
export const pinned =
  (addresses: LookupAddress[]): LookupFunction =>
  (_host, { all }, callback) => {
    const [first] = addresses
    if (all || !first) callback(null, addresses)
    else callback(null, first.address, first.family)
  }

async function bodyOf(response: IncomingMessage): Promise<Uint8Array> {
  try {
    if (response.statusCode !== 200) throw new Error(`status ${response.statusCode}`)
    if (Number(response.headers['content-length'] ?? 0) > LIMITS.photoBytes) throw tooLarge()
    const parts: Buffer[] = []
    let length = 0
    for await (const part of response as AsyncIterable<Buffer>) {
      length += part.length
      if (length > LIMITS.photoBytes) throw tooLarge()
      parts.push(part)
    }
    return Buffer.concat(parts, length)
  } finally {
    response.destroy()
  }
}

const tooLarge = (): ServiceError => new ServiceError('PHOTO_TOO_LARGE')
