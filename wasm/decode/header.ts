/** Reads the header of a photo's file before decoding, and refuses files that cannot or must not be decoded. */
import { ServiceError } from '../../contract/errors.ts'
import { PHOTO_LIMITS } from '../../contract/limits/photos.ts'
import { isBase64 } from '../../contract/photo-text.ts'
import type { Size } from '../imaging/geometry.ts'
import { type JpegHeader, readJpegHeader } from './jpeg-header.ts'
import { badImage, brokenHeader, brokenPixels, tagAt } from './photo-file.ts'
import { lineLength, MOST_INFLATED, type PngHeader, readPngHeader } from './png-header.ts'
import { readWebpHeader, type WebpHeader } from './webp-header.ts'

export type Header = JpegHeader | PngHeader | WebpHeader

/**
 * The header of a JPEG, PNG or WEBP file. The format follows from the bytes, not from the file name. Returns a header
 * with a size within the limits, or throws BAD_IMAGE with a reason that the sender can act on.
 */
export function readHeader(bytes: Uint8Array): Header {
  const header = parse(bytes)
  refuseSize(header)
  if (isTooShort(header)) throw brokenPixels()
  return header
}

/** Size of the upright photo. Orientations 5 to 8 swap width and height. */
export const uprightSize = ({ orientation, width, height }: Header): Size =>
  orientation >= 5 ? { width: height, height: width } : { width, height }

function parse(bytes: Uint8Array): Header {
  if (bytes.length === 0) throw badImage('The photo is empty.')
  const read = readerOf(bytes)
  if (!read) throw badImage(unreadReason(bytes))
  try {
    return read(bytes)
  } catch (error) {
    if (error instanceof ServiceError) throw error
    throw brokenHeader(error)
  }
}

function readerOf(bytes: Uint8Array): ((bytes: Uint8Array) => Header) | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xd8) return readJpegHeader
  if (tagAt(bytes, 0) === '\x89PNG' && tagAt(bytes, 4) === '\r\n\x1a\n') return readPngHeader
  if (tagAt(bytes, 0) === 'RIFF' && tagAt(bytes, 8) === 'WEBP') return readWebpHeader
  return undefined
}

interface OtherFormat {
  readonly name: string
  /** How a file begins, in Latin-1. */
  readonly beginning: RegExp
  readonly advice?: string
}

/** Formats that senders take for photos. */
const OTHER_FORMATS: readonly OtherFormat[] = [
  { name: 'an AVIF image', beginning: /^.{4}ftyp.{0,32}avi[fs]/s },
  {
    name: 'a HEIC image',
    beginning: /^.{4}ftyp(?:he[iv]|m[is]f1)/s,
    advice: 'Convert it to JPEG, or on an iPhone choose Settings > Camera > Formats > Most Compatible.',
  },
  { name: 'a GIF image', beginning: /^GIF8/ },
  { name: 'a TIFF image', beginning: /^(?:II\*\0|MM\0\*)/ },
  { name: 'a BMP image', beginning: /^BM.{4}\0{4}/s },
  { name: 'a JPEG XL image', beginning: /^(?:\xff\n|.{4}JXL )/s },
  { name: 'a JPEG 2000 image', beginning: /^.{4}jP {2}/s },
  { name: 'a PDF document', beginning: /^%PDF/ },
]

const BASE64 = {
  name: 'base64 text',
  advice: 'Send the file itself, or the text in a field that is no file, as a data: URL.',
}

/** Bytes that show the format of a file. */
const BEGINNING = 64

function otherFormatOf(bytes: Uint8Array): Omit<OtherFormat, 'beginning'> | undefined {
  if (isBase64(bytes)) return BASE64
  const text = String.fromCharCode(...bytes.subarray(0, BEGINNING))
  return OTHER_FORMATS.find(({ beginning }) => beginning.test(text))
}

/** Whether bytes are a photo, or a file that senders take for one and that `readHeader` refuses by its name. */
export const isPhotoFile = (bytes: Uint8Array): boolean =>
  readerOf(bytes) !== undefined || otherFormatOf(bytes) !== undefined

function unreadReason(bytes: Uint8Array) {
  const other = otherFormatOf(bytes)
  if (!other) return 'The photo is not a JPEG, PNG or WEBP image.'
  const { name, advice = 'Convert it to JPEG.' } = other
  return `The photo is ${name}, not a JPEG, PNG or WEBP image. ${advice}`
}

/** Maximum bytes of a PNG's inflated samples: the samples of the largest photo with 8-bit red, green and blue. */
const MOST_SAMPLE_BYTES = PHOTO_LIMITS.pixels * 3

function refuseSize(header: Header) {
  const { width, height } = header
  if (width === 0 || height === 0) throw badImage('The photo has no pixels.')
  if (Math.max(width, height) > PHOTO_LIMITS.side) {
    throw badImage(`The photo is ${width} x ${height} pixels; a side may have at most ${PHOTO_LIMITS.side}.`)
  }
  if (width * height > PHOTO_LIMITS.pixels) {
    throw badImage(
      `The photo is ${width} x ${height} pixels; at most ${PHOTO_LIMITS.pixels} in all are read.`,
    )
  }
  if (header.format === 'png' && height * lineLength(header) > MOST_SAMPLE_BYTES) {
    const bits = header.colour.samples * header.bitDepth
    throw badImage(
      `The PNG has ${width} x ${height} pixels of ${bits} bits: too much data. Use 8 bits a channel.`,
    )
  }
}

/** Pixels per byte at most: a JPEG block of 8 x 8 pixels takes at least one bit. */
const PIXELS_PER_BYTE = 8 * 8 * 8

/**
 * True when the file is too short for half of the declared pixels. A forged size would otherwise cost decoding time.
 * The length of a WEBP says nothing about its size, but its decoder reads from the start and stops at the end of the
 * file.
 */
function isTooShort(header: Header) {
  const { width, height, fileLength } = header
  if (header.format === 'png') return (height * lineLength(header)) / 2 > fileLength * MOST_INFLATED
  return header.format === 'jpeg' && (width * height) / 2 > fileLength * PIXELS_PER_BYTE
}
