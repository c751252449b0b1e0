/** Decodes `data:image/...;base64,` URLs to photos. */
import { type ServiceError, tooLarge, unexpected } from '../../../contract/errors.ts'
import { PHOTO_LIMITS } from '../../../contract/limits/photos.ts'
import { Upload } from '../../../contract/parameters/photos.ts'
import { pause } from '../../admission/fair-queue.ts'

const SCHEME = 'data:'

/** Maximum bytes before the base64 text: media type and parameters. */
const HEAD_LENGTH = 256
const HEAD = /^data:image\/[\w.+-]{1,100}(?:;[^;,]{1,100})*;base64,/i

export const isDataUrl = (bytes: Uint8Array): boolean =>
  ascii(bytes.subarray(0, SCHEME.length)).toLowerCase() === SCHEME

/** The photo, with "" as name. Throws BAD_PARAM for other URLs and invalid base64, PHOTO_TOO_LARGE above PHOTO_LIMITS.bytes. */
export async function photoOfDataUrl(param: string, url: Uint8Array): Promise<Upload> {
  const [head] = HEAD.exec(ascii(url.subarray(0, HEAD_LENGTH))) ?? []
  if (head === undefined) throw malformed(param)
  const bytes = await decodeBase64(param, url.subarray(head.length))
  if (bytes === undefined) throw malformed(param)
  return new Upload(bytes, '')
}

/** The error repeats only the scheme, never the photo. */
const malformed = (param: string): ServiceError =>
  unexpected(
    param,
    SCHEME,
    'data:image/<type>;base64, followed by base64 with padding and without spaces (in a form or a query + is written %2B)',
  )

const PADDING = 0x3d

/** Characters decoded between pauses: a few milliseconds of computation. A multiple of four. */
const PIECE = 2 ** 21

/** Strict decoding: standard alphabet, groups of four, unused bits zero. Undefined for any other text. */
async function decodeBase64(param: string, text: Uint8Array): Promise<Uint8Array<ArrayBuffer> | undefined> {
  if (text.length % 4 !== 0) return undefined
  const padding = (text.at(-1) === PADDING ? 1 : 0) + (text.at(-2) === PADDING ? 1 : 0)
  const size = (text.length / 4) * 3 - padding
  if (size > PHOTO_LIMITS.bytes) throw tooLarge(param, PHOTO_LIMITS.bytes)
  const bytes = new Uint8Array(size)
  const characters = text.length - padding
  for (let start = 0; start < characters; start += PIECE) {
    if (start > 0) await pause(0)
    if (!decodePiece(text, start, Math.min(characters, start + PIECE), bytes)) return undefined
  }
  return bytes
}

function decodePiece(text: Uint8Array, start: number, end: number, bytes: Uint8Array): boolean {
  let at = (start / 4) * 3
  for (let i = start; i < end; i += 4) {
    const a = SIX_BITS[text[i]!]!
    const b = i + 1 < end ? SIX_BITS[text[i + 1]!]! : -1
    const c = i + 2 < end ? SIX_BITS[text[i + 2]!]! : 0
    const d = i + 3 < end ? SIX_BITS[text[i + 3]!]! : 0
    if ((a | b | c | d) < 0) return false
    const group = (a << 18) | (b << 12) | (c << 6) | d
    bytes[at++] = group >> 16
    if (i + 2 < end) bytes[at++] = group >> 8
    else if ((b & 15) !== 0) return false
    if (i + 3 < end) bytes[at++] = group
    else if (i + 2 < end && (c & 3) !== 0) return false
  }
  return true
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

/** Maps a character code to its six bits; -1 for characters outside the alphabet. */
const SIX_BITS = Int8Array.from({ length: 256 }, (_, code) => ALPHABET.indexOf(String.fromCharCode(code)))

const ascii = (bytes: Uint8Array): string => String.fromCharCode(...bytes)
