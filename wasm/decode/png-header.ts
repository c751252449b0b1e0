/**
 * Reads the header of a PNG file: size, pixel format and orientation. Checksums are not verified: like a JPEG, a photo with
 * some wrong pixels is accepted.
 */
import { badImage, brokenHeader, readOrientation, refuseParts, tagAt, viewOf } from './photo-file.ts'

export interface PngHeader {
  readonly format: 'png'
  /** Bytes of the whole file. */
  readonly fileLength: number
  /** Size as stored, before orientation. */
  readonly width: number
  readonly height: number
  readonly orientation: number
  /** Bits per sample: 1, 2, 4, 8 or 16. */
  readonly bitDepth: number
  readonly colour: PngColour
  readonly interlaced: boolean
}

/** Colour types by their number in the specification, with the bit depths allowed for each. */
const COLOURS = {
  0: { name: 'grey', samples: 1, bitDepths: [1, 2, 4, 8, 16] },
  2: { name: 'rgb', samples: 3, bitDepths: [8, 16] },
  3: { name: 'palette', samples: 1, bitDepths: [1, 2, 4, 8] },
  4: { name: 'grey-alpha', samples: 2, bitDepths: [8, 16] },
  6: { name: 'rgb-alpha', samples: 4, bitDepths: [8, 16] },
} as const

type PngColour = (typeof COLOURS)[keyof typeof COLOURS]

/** Throws BAD_IMAGE for files that violate the specification, and a RangeError when the file ends too early. */
export function readPngHeader(bytes: Uint8Array): PngHeader {
  let head: Omit<PngHeader, 'orientation'> | undefined
  let orientation: number | undefined
  for (const { type, data } of pngChunks(bytes)) {
    // The specification requires IHDR first; all other chunks depend on it.
    if (!head && type !== 'IHDR') throw brokenHeader()
    head ??= readImageHeader(data, bytes.length)
    if (type === 'eXIf') orientation ??= readOrientation(data)
  }
  if (!head) throw brokenHeader()
  return { ...head, orientation: orientation ?? 1 }
}

/** IHDR: width, height, bit depth, colour type, compression, filter, interlace. */
function readImageHeader(data: Uint8Array, fileLength: number): Omit<PngHeader, 'orientation'> {
  const view = viewOf(data)
  const bitDepth = view.getUint8(8)
  const colour = COLOURS[view.getUint8(9) as keyof typeof COLOURS] as PngColour | undefined
  const [compression, filter, interlace] = [view.getUint8(10), view.getUint8(11), view.getUint8(12)]
  const depthAllowed = colour?.bitDepths.some(allowed => allowed === bitDepth) ?? false
  if (!colour || !depthAllowed || compression !== 0 || filter !== 0 || interlace > 1) {
    throw badImage('The PNG uses a coding that the PNG specification does not know.')
  }
  return {
    format: 'png',
    fileLength,
    width: view.getUint32(0),
    height: view.getUint32(4),
    bitDepth,
    colour,
    interlaced: interlace === 1,
  }
}

export interface Chunk {
  readonly type: string
  /** Shorter than declared when the file ends. */
  readonly data: Uint8Array
}

const SIGNATURE_LENGTH = 8

/** A chunk has length, type, data and checksum. The length counts the data only. */
const BEFORE_DATA = 8
const AROUND_DATA = 12

/** Bytes of a line without its filter byte. */
export const lineLength = ({ bitDepth, colour, width }: PngHeader): number =>
  Math.ceil((width * colour.samples * bitDepth) / 8)

/** Maximum bytes that deflate produces from one byte. */
export const MOST_INFLATED = 1032

/** Yields every chunk up to IEND or the end of the bytes. Throws BAD_IMAGE for too many chunks. */
export function* pngChunks(bytes: Uint8Array): Generator<Chunk> {
  const view = viewOf(bytes)
  let at = SIGNATURE_LENGTH
  let count = 0
  while (at + BEFORE_DATA <= bytes.length) {
    const length = view.getUint32(at)
    const type = tagAt(bytes, at + 4)
    if (type === 'IEND') return
    refuseParts(++count)
    yield { type, data: bytes.subarray(at + BEFORE_DATA, at + BEFORE_DATA + length) }
    at += AROUND_DATA + length
  }
}
