/** Decodes photos in base64: `data:` URLs as browsers and MIME encoders write them. Refuses base64 without `data:`. */
import { badParam, tooLarge, wrongValue } from '../../../contract/errors.ts'
import { PHOTO_LIMITS } from '../../../contract/limits/photos.ts'
import { Upload } from '../../../contract/parameters/photos.ts'
import { isBase64, isDataUrl } from '../../../contract/photo-text.ts'
import { pause } from '../../admission/fair-queue.ts'
import { hexPair } from './form.ts'

/** Maximum bytes before the base64 text: media type and parameters. */
const HEAD_LENGTH = 256
const HEAD =
  /^\s*data:(?:\s*(?:image\/[^;,]{1,100}|(?:application|binary)\/octet-stream)?\s*(?:;[^;,]{1,100})*;)?\s*base64\s*,/i

interface Base64Options {
  /** The text is from a form or a query, where + arrives as a space. */
  plusIsSpace?: boolean
}

/**
 * The photo of a data: URL. Undefined for other texts, for example a URL. Throws BAD_PARAM for base64 alone, and the errors of
 * photoOfDataUrl.
 */
export async function photoInText(
  param: string,
  text: Uint8Array,
  options: Base64Options = {},
): Promise<Upload | undefined> {
  if (isDataUrl(text)) return photoOfDataUrl(param, text, options)
  if (isBase64(text)) throw badParam(param, '(base64)', `${param}: ${BASE64_ALONE}`)
  return undefined
}

const BASE64_ALONE =
  'expected data:image/<type>;base64, before base64, got the base64 alone. Or send the file itself in a multipart body.'

/** The photo, with "" as name. Throws BAD_PARAM for other URLs and invalid base64, PHOTO_TOO_LARGE above PHOTO_LIMITS.bytes. */
export async function photoOfDataUrl(
  param: string,
  url: Uint8Array,
  options: Base64Options = {},
): Promise<Upload> {
  const [head] = HEAD.exec(ascii(url.subarray(0, HEAD_LENGTH))) ?? []
  if (head === undefined) throw malformed(param)
  let end = url.length
  while (!options.plusIsSpace && url[end - 1] === SPACE) end--
  const bytes = await decodeBase64(param, url.subarray(head.length, end), options)
  if (bytes === undefined) throw malformed(param)
  return new Upload(bytes, '')
}

/** The error repeats only the scheme, never the photo. */
const malformed = (param: string) =>
  wrongValue(param, 'data:', 'data:image/<type>;base64, followed by the whole file in base64 without spaces')

const PERCENT = 0x25
const SPACE = 0x20

/** Characters decoded between pauses: a few milliseconds of computation. */
const PIECE_BYTES = 2 ** 21

/** State of the decoding. */
interface Decoding {
  bytes: Uint8Array<ArrayBuffer>
  /** Decoded bytes. */
  size: number
  /** Characters of base64, and the bits of the last four of them. */
  characters: number
  bits: number
  /** Characters of padding. */
  padding: number
}

/** Bytes of base64 text with line breaks, percent-encoding, and the alphabet of RFC 4648 or its URL-safe form. Undefined for other text. */
async function decodeBase64(
  param: string,
  text: Uint8Array,
  { plusIsSpace = false }: Base64Options,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const most = Math.min(PHOTO_LIMITS.bytes, Math.ceil((text.length / 4) * 3))
  const decoding: Decoding = { bytes: new Uint8Array(most), size: 0, characters: 0, bits: 0, padding: 0 }
  for (let at: number | undefined = 0; at < text.length; ) {
    if (at > 0) await pause(0)
    at = decodePiece(text, at, decoding, plusIsSpace ? PLUS_BITS : NO_CHARACTER)
    if (at === undefined) return undefined
    if (decoding.size > PHOTO_LIMITS.bytes) throw tooLarge(param, PHOTO_LIMITS.bytes)
  }
  if (!decodeEnd(decoding)) return undefined
  if (decoding.size > PHOTO_LIMITS.bytes) throw tooLarge(param, PHOTO_LIMITS.bytes)
  return decoding.bytes.subarray(0, decoding.size)
}

/** Decodes the piece that begins at `start`. Returns the start of the next piece; undefined for text that is not base64. */
function decodePiece(
  text: Uint8Array,
  start: number,
  decoding: Decoding,
  spaceBits: number,
): number | undefined {
  const end = Math.min(text.length, start + PIECE_BYTES)
  let at: number | undefined = start
  while (at !== undefined && at < end) {
    at = decodeGroups(text, at, end, decoding)
    if (at < end) at = decodeCharacter(text, at, decoding, spaceBits)
  }
  return at
}

/** Decodes four characters at once, in a third of the time. Returns the position of the first group with another character. */
function decodeGroups(text: Uint8Array, start: number, end: number, decoding: Decoding) {
  const { bytes, characters, padding } = decoding
  if ((characters & 3) !== 0 || padding > 0) return start
  let { size } = decoding
  let at = start
  for (; at + 4 <= end; at += 4) {
    const a = MEANINGS[text[at]!]!
    const b = MEANINGS[text[at + 1]!]!
    const c = MEANINGS[text[at + 2]!]!
    const d = MEANINGS[text[at + 3]!]!
    if ((a | b | c | d) < 0) break
    const bits = (a << 18) | (b << 12) | (c << 6) | d
    bytes[size++] = bits >> 16
    bytes[size++] = bits >> 8
    bytes[size++] = bits
  }
  decoding.size = size
  decoding.characters += at - start
  return at
}

/** Decodes one character. Returns the position of the next one; undefined for a character that is not of base64. */
function decodeCharacter(
  text: Uint8Array,
  at: number,
  decoding: Decoding,
  spaceBits: number,
): number | undefined {
  const isEscaped = text[at] === PERCENT
  const code = isEscaped ? hexPair(text[at + 1], text[at + 2]) : text[at]!
  const next = at + (isEscaped ? 3 : 1)
  // Spaces stand between the comma and the base64 only.
  if (code === SPACE && decoding.characters === 0) return next
  const six = code === SPACE ? spaceBits : (MEANINGS[code] ?? NO_CHARACTER)
  if (six === LINE_BREAK) return next
  if (six === PADDING) {
    decoding.padding++
    return next
  }
  if (six < 0 || decoding.padding > 0) return undefined
  decoding.bits = (decoding.bits << 6) | six
  if ((++decoding.characters & 3) === 0) {
    decoding.bytes[decoding.size++] = decoding.bits >> 16
    decoding.bytes[decoding.size++] = decoding.bits >> 8
    decoding.bytes[decoding.size++] = decoding.bits
  }
  return next
}

/** Decodes the last two or three characters. False when one is missing, unused bits are set, or the padding is not complete. */
function decodeEnd(decoding: Decoding) {
  const { bytes, characters, bits, padding } = decoding
  const rest = characters & 3
  if (rest === 1 || (padding > 0 && padding !== (4 - rest) % 4)) return false
  if (rest === 2) bytes[decoding.size++] = bits >> 4
  if (rest === 3) {
    bytes[decoding.size++] = bits >> 10
    bytes[decoding.size++] = bits >> 2
  }
  return rest === 0 || (bits & (rest === 2 ? 15 : 3)) === 0
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
const PLUS_BITS = ALPHABET.indexOf('+')

/** Six bits of a character of base64; LINE_BREAK, PADDING, or NO_CHARACTER for any other. */
const [NO_CHARACTER, LINE_BREAK, PADDING] = [-1, -2, -3] as const
const MEANINGS = new Int8Array(256).fill(NO_CHARACTER)
for (const [bits, character] of [...ALPHABET].entries()) MEANINGS[character.charCodeAt(0)] = bits
for (const [character, meaning] of [
  ['-', PLUS_BITS],
  ['_', ALPHABET.indexOf('/')],
  ['\r', LINE_BREAK],
  ['\n', LINE_BREAK],
  ['\t', LINE_BREAK],
  ['=', PADDING],
] as const)
  MEANINGS[character.charCodeAt(0)] = meaning

const ascii = (bytes: Uint8Array) => String.fromCharCode(...bytes)
