/** Reads numbers, tags and the EXIF orientation from a photo's file, and refuses files with a reason for the sender. */
import { ServiceError } from '../../contract/errors.ts'
import { PHOTO_LIMITS } from '../../contract/limits/photos.ts'

export const badImage = (reason: string, cause?: unknown): ServiceError =>
  new ServiceError('BAD_IMAGE', { reason }, { cause })

/** The photo crashed a decoder. Its instance is discarded. */
export class DecoderCrashed extends Error {
  override readonly name = 'DecoderCrashed'
}

/** True when the refused photo crashed a decoder. */
export const isDecoderCrash = (error: unknown): boolean =>
  error instanceof ServiceError &&
  (error.cause instanceof DecoderCrashed || error.cause instanceof WebAssembly.RuntimeError)

/** Throws BAD_IMAGE for a file with more parts than PHOTO_LIMITS.parts: iterating over millions takes seconds. */
export function refuseParts(count: number): void {
  if (count > PHOTO_LIMITS.parts) throw badImage('The photo has too much metadata, or too many frames.')
}

/** The file ends or contradicts itself within its header. */
export const brokenHeader = (cause?: unknown): ServiceError =>
  badImage('The photo is cut off or damaged near its beginning.', cause)

/** The header is valid, but less than half of the pixels can be decoded. */
export const brokenPixels = (cause?: unknown): ServiceError =>
  badImage('The photo is damaged or cut off beyond use.', cause)

export const viewOf = (bytes: Uint8Array): DataView =>
  new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)

/** The four ASCII characters of a chunk name at `at`; fewer at the end of the bytes. */
export const tagAt = (bytes: Uint8Array, at: number): string =>
  String.fromCharCode(...bytes.subarray(at, at + 4))

/** The 24-bit little-endian number at `at`. */
export const uint24 = (view: DataView, at: number): number =>
  view.getUint16(at, true) | (view.getUint8(at + 2) << 16)

/** Length of the prefix "Exif\0\0" of JPEG segments and of some WEBP chunks. */
const EXIF_PREFIX_LENGTH = 6

/** TIFF 6.0: a directory entry has tag, type, count and value, 12 bytes in total. Tag 274 is Orientation. */
const ENTRY_LENGTH = 12
const ORIENTATION_TAG = 274

/** Whole numbers of TIFF 6.0 by type. The specification demands SHORT for Orientation; some programs write the others. */
const READERS: Record<number, (tiff: DataView, at: number, littleEndian: boolean) => number> = {
  // BYTE
  1: (tiff, at) => tiff.getUint8(at),
  // SHORT
  3: (tiff, at, littleEndian) => tiff.getUint16(at, littleEndian),
  // LONG
  4: (tiff, at, littleEndian) => tiff.getUint32(at, littleEndian),
}

/** The orientation 1..8 of an EXIF block with or without its "Exif\0\0" prefix; 1 when it has no valid orientation. */
export function readOrientation(exif: Uint8Array): number {
  const tiff = tagAt(exif, 0) === 'Exif' ? exif.subarray(EXIF_PREFIX_LENGTH) : exif
  try {
    return orientationOf(viewOf(tiff), tagAt(tiff, 0)) ?? 1
  } catch (error) {
    if (error instanceof RangeError) return 1
    throw error
  }
}

function orientationOf(tiff: DataView, byteOrder: string): number | undefined {
  const littleEndian = byteOrder === 'II*\0'
  if (!littleEndian && byteOrder !== 'MM\0*') return undefined
  const directory = tiff.getUint32(4, littleEndian)
  const entries = tiff.getUint16(directory, littleEndian)
  for (let entry = 0; entry < entries; entry++) {
    const at = directory + 2 + entry * ENTRY_LENGTH
    if (tiff.getUint16(at, littleEndian) !== ORIENTATION_TAG) continue
    const value = READERS[tiff.getUint16(at + 2, littleEndian)]?.(tiff, at + 8, littleEndian) ?? 0
    return value >= 1 && value <= 8 ? value : undefined
  }
  return undefined
}
