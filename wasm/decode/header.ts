/** What a photo's file says of itself, read before anything is decoded; refuses what can't or must not be decoded. */
import { ServiceError } from '../../core/contract/errors.ts'
import { LIMITS } from '../../core/contract/limits.ts'
import { tagAt } from './bytes.ts'
import { type JpegHeader, readJpegHeader } from './jpeg/jpeg-header.ts'
import { type PngHeader, readPngHeader } from './png/png-header.ts'
import { lineLength } from './png/png-lines.ts'
import { badImage, brokenHeader, brokenPixels } from './refusal.ts'
import { readWebpHeader, type WebpHeader } from './webp/webp-header.ts'

export type Header = JpegHeader | PngHeader | WebpHeader

/**
 * The header of a JPEG, PNG or WEBP file: its bytes decide which, never its name. Whatever the bytes are, the answer is
 * a header whose size is within the limits, or BAD_IMAGE with a reason that a person can act upon.
 */
export function readHeader(bytes: Uint8Array): Header {
  const header = parse(bytes)
  refuseSize(header)
  if (isTooShort(header)) throw brokenPixels()
  return header
}

/** The photo's size once it stands upright: orientations 5 to 8 lie on their side. */
export const uprightSize = ({ orientation, width, height }: Header): { width: number; height: number } =>
  orientation >= 5 ? { width: height, height: width } : { width, height }

function parse(bytes: Uint8Array): Header {
  if (bytes.length === 0) throw badImage('The photo is empty.')
  const read = readerOf(bytes)
  if (!read) throw badImage('The photo is not a JPEG, PNG or WEBP image.')
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

/** Bytes of a PNG's inflated samples: as many as the largest photo has with 8 bits of red, green and blue. */
const MOST_SAMPLE_BYTES = LIMITS.photoPixels * 3

function refuseSize(header: Header): void {
  const { width, height } = header
  if (width === 0 || height === 0) throw badImage('The photo has no pixels.')
  if (Math.max(width, height) > LIMITS.photoSide) {
    throw badImage(`The photo is ${width} x ${height} pixels; a side may have at most ${LIMITS.photoSide}.`)
  }
  if (width * height > LIMITS.photoPixels) {
    throw badImage(`The photo is ${width} x ${height} pixels; at most ${LIMITS.photoPixels} in all are read.`)
  }
  if (header.format === 'png' && height * lineLength(header, width) > MOST_SAMPLE_BYTES) {
    const bits = header.colour.samples * header.bitDepth
    throw badImage(
      `The PNG has ${width} x ${height} pixels of ${bits} bits: too much data. Use 8 bits a channel.`,
    )
  }
}

/** Deflate makes at most so many bytes of one. */
const MOST_INFLATED = 1032

/** A JPEG's block of 8 x 8 pixels takes a bit, at least. */
const PIXELS_PER_BYTE = 8 * 8 * 8

/**
 * True when so few bytes can't hold half of the pixels that the header promises: work that a lie would cost. Of a WEBP's
 * size nothing follows; but that is read from its beginning, and ends with the file.
 */
function isTooShort(header: Header): boolean {
  const { width, height, fileLength } = header
  if (header.format === 'png') return (height * lineLength(header, width)) / 2 > fileLength * MOST_INFLATED
  return header.format === 'jpeg' && (width * height) / 2 > fileLength * PIXELS_PER_BYTE
}
