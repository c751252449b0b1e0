/** The segments of a JPEG file (ITU-T T.81, annex B): markers and their parameters, with the scans' data skipped. */
import { viewOf } from '../bytes.ts'
import { refuseParts } from '../refusal.ts'

export interface Segment {
  /** The second byte of the marker. */
  readonly marker: number
  /** The parameters, without marker and length; shorter than promised where the file ends. */
  readonly data: Uint8Array
  /** Where the next marker, or a scan's data, begins. */
  readonly end: number
}

export const MARKER = {
  /** Frames by their coding: 8-bit baseline, extended, progressive. */
  baseline: 0xc0,
  extended: 0xc1,
  progressive: 0xc2,
  /** These look like frames but are tables, an extension and the arithmetic coder's settings. */
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
 * Every segment up to the end of the image or of the bytes. Whatever is no marker between segments is skipped, as
 * decoders do: so the data of scans is passed over, and so is garbage. Throws BAD_IMAGE where they are too many.
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
    // A length counts its own two bytes; one that lies is taken as that least.
    const end = at + 2 + Math.max(2, view.getUint16(at + 2))
    yield { marker, data: bytes.subarray(at + 4, end), end: Math.min(end, bytes.length) }
    at = markerFrom(bytes, end)
  }
}

/** Where the next marker begins, or the end: `indexOf` is ten times slower where they lie side by side. */
function markerFrom(bytes: Uint8Array, at: number): number {
  while (at < bytes.length && bytes[at] !== 0xff) at++
  return at
}

/** Fill bytes, an escaped 0xff in a scan's data, and the markers that have no parameters. */
const standsAlone = (marker: number): boolean =>
  marker === 0xff || marker <= 0x01 || (marker >= MARKER.firstRestart && marker <= MARKER.startOfImage)

/** SOF0..SOF15 without the three markers in between that mean something else. */
export const isFrame = (marker: number): boolean =>
  marker >= MARKER.baseline &&
  marker <= MARKER.lastFrame &&
  marker !== MARKER.huffmanTables &&
  marker !== MARKER.extension &&
  marker !== MARKER.arithmeticConditioning
