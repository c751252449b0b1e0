/** Downloads the bytes at a URL from checked addresses, within limits of time and size. */
import type { LookupAddress } from 'node:dns'
import type { IncomingMessage } from 'node:http'
import { type ServiceError, tooLarge } from '../../contract/errors.ts'
import { LIMITS } from '../../contract/limits.ts'
import { sendPinned } from '../network/pinned-request.ts'

/** Downloads a photo. Throws PHOTO_TOO_LARGE, and any error when there is no response or its status is not 200. */
export async function download(
  url: URL,
  addresses: LookupAddress[],
  connectMs: number,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const headers = {
    accept: 'image/jpeg, image/png, image/webp',
    // Responses are not decompressed. A compressed response fails as an invalid photo.
    'accept-encoding': 'identity',
  }
  const maxHeaderBytes = LIMITS.photoHeaderBytes
  return bodyOf(await sendPinned(url, { addresses, headers, maxHeaderBytes, connectMs, signal }))
}

async function bodyOf(response: IncomingMessage): Promise<Uint8Array> {
  try {
    if (response.statusCode !== 200) throw new Error(`status ${response.statusCode}`)
    if (Number(response.headers['content-length'] ?? 0) > LIMITS.photoBytes) throw photoTooLarge()
    const parts: Buffer[] = []
    let length = 0
    for await (const part of response as AsyncIterable<Buffer>) {
      length += part.length
      if (length > LIMITS.photoBytes) throw photoTooLarge()
      parts.push(part)
    }
    return Buffer.concat(parts, length)
  } finally {
    response.destroy()
  }
}

const photoTooLarge = (): ServiceError => tooLarge('The photo', LIMITS.photoBytes)
