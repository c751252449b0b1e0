/**
 * Iterates over the segments of a JPEG file (ITU-T T.81, annex B): markers and parameters, without the data of scans.
 */
import { viewOf } from '../bytes.ts'
import { refuseParts } from '../refusal.ts'

export interface Segment {
  /** The second byte of the marker. */
  readonly marker: number
  /** The parameters, without marker and length; shorter than declared when the file ends. */
  readonly data: Uint8Array
  /** Offset of the next marker or of the scan's data. */
  readonly end: number
}

export const MARKER = {
  /** Frame markers by coding: 8-bit baseline, extended, progressive. */
  baseline: 0xc0,
  extended: 0xc1,
  progressive: 0xc2,
  /**
   * Codes in the range of frame markers with other meanings: tables, an extension, settings of the arithmetic coder.
   */
  huffmanTables: 0xc4,
  extension: 0xc8,
  arithmeticConditioning: 0xcc,
  /** The last of the sixteen frame markers. */
  lastFrame: 0xcf,
  firstRestart: 0xd0,
  startOfImage: 0xd8,
  endOfImage: 0xd9,
  startOfScan: 0xda,
  exif: 0xe1,
  adobe: 0xee,
} as const

/**
 * Yields every segment up to the end of the image or of the bytes. Bytes between segments that are no marker are
 * skipped, as decoders do: scan data and garbage. Throws BAD_IMAGE for too many segments.
 */
export function* segments(bytes: Uint8Array): Generator<Segment> {
  const view = viewOf(bytes)
  let at = markerFrom(bytes, 0)
  let count = 0
  while (at + 4 <= bytes.length) {
    const marker = view.getUint8(at + 1)
    if (marker === MARKER.endOfImage) return
    if (standsAlone(marker)) {
      at = markerFrom(bytes, at + (marker === 0xff ? 1 : 2))
      continue
    }
    refuseParts(++count)
    // The length includes its own two bytes. A smaller value counts as 2.
    const end = at + 2 + Math.max(2, view.getUint16(at + 2))
    yield { marker, data: bytes.subarray(at + 4, end), end: Math.min(end, bytes.length) }
    at = markerFrom(bytes, end)
  }
}

/** Offset of the next 0xff byte, or the end. `indexOf` is ten times slower when markers lie close together. */
function markerFrom(bytes: Uint8Array, at: number): number {
  while (at < bytes.length && bytes[at] !== 0xff) at++
  return at
}

/** True for fill bytes, an escaped 0xff in scan data, and markers without parameters. */
const standsAlone = (marker: number): boolean =>
  marker === 0xff || marker <= 0x01 || (marker >= MARKER.firstRestart && marker <= MARKER.startOfImage)

/** SOF0..SOF15, without the three codes in between that have other meanings. */
export const isFrame = (marker: number): boolean =>
  marker >= MARKER.baseline &&
  marker <= MARKER.lastFrame &&
  marker !== MARKER.huffmanTables &&
  marker !== MARKER.extension &&
  marker !== MARKER.arithmeticConditioning
