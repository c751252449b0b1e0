/** Reads the orientation from EXIF metadata, and nothing else. */
import { tagAt, viewOf } from './photo-file.ts'

/** Length of the prefix "Exif\0\0" of JPEG segments and of some WEBP chunks. */
const EXIF_PREFIX_LENGTH = 6

/** TIFF 6.0: a directory entry has tag, type, count and value, 12 bytes in total. Tag 274 is Orientation. */
const ENTRY_LENGTH = 12
const ORIENTATION_TAG = 274
const SHORT = 3

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
    const value = tiff.getUint16(at + 8, littleEndian)
    return tiff.getUint16(at + 2, littleEndian) === SHORT && value >= 1 && value <= 8 ? value : undefined
  }
  return undefined
}
