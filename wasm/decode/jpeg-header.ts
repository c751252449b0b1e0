/** Reads the header of a JPEG file (ITU-T T.81, annex B): size, colours, orientation and the cost of decoding. */
import { badImage, brokenHeader, readOrientation, refuseParts, tagAt, viewOf } from './photo-file.ts'

export interface JpegHeader {
  readonly format: 'jpeg'
  /** Bytes of the whole file. */
  readonly fileLength: number
  /** Size as stored, before orientation. */
  readonly width: number
  readonly height: number
  readonly orientation: number
  /** 1 is grey, 3 is YCbCr or RGB, 4 is CMYK or YCCK. */
  readonly components: 1 | 3 | 4
  /** True: the file has an Adobe marker. Adobe programs write inverted CMYK. */
  readonly adobe: boolean
  readonly progressive: boolean
  /** Passes over the picture; 1 when the first contains all data. */
  readonly scans: number
  /** Bytes of the coefficients kept until the last scan; 0 when the only scan contains all data. */
  readonly coefficientBytes: number
}

/**
 * Each scan costs a pass over the whole picture. Cameras and programs write less than a quarter of this; libvips has
 * the same bound.
 */
const MOST_SCANS = 100

/**
 * Maximum product of scans and pixels: about three seconds of decoding, and more than the usual ten scans of the
 * largest photo.
 */
const MOST_SCANNED_PIXELS = 2_000_000_000

/** Coefficients are 16-bit. */
const COEFFICIENT_BYTES = 2

/** Throws BAD_IMAGE for unsupported files, and a RangeError when the file ends too early. */
export function readJpegHeader(bytes: Uint8Array): JpegHeader {
  let frame: Frame | undefined
  let orientation: number | undefined
  let adobe = false
  for (const segment of segments(bytes)) {
    const { marker, data } = segment
    if (marker === MARKER.startOfScan) break
    if (isFrame(marker)) frame ??= readFrame(segment)
    if (marker === MARKER.exif && tagAt(data, 0) === 'Exif') orientation ??= readOrientation(data)
    if (marker === MARKER.adobe && tagAt(data, 0) === 'Adob') adobe = true
  }
  if (!frame) throw brokenHeader()
  const scans = scansOf(bytes, frame)
  return {
    format: 'jpeg',
    fileLength: bytes.length,
    ...frame,
    orientation: orientation ?? 1,
    adobe,
    scans: scans ?? 1,
    coefficientBytes: scans === undefined ? 0 : frame.coefficientBytes,
  }
}

/**
 * Number of scans of the picture; undefined when the first contains all data. The decoder decides by the first scan
 * in the same way.
 */
function scansOf(bytes: Uint8Array, { progressive, components, width, height }: Frame): number | undefined {
  const mostScans = Math.min(MOST_SCANS, MOST_SCANNED_PIXELS / (width * height))
  let scans = 0
  for (const { marker, data } of segments(bytes)) {
    if (marker !== MARKER.startOfScan) continue
    if (scans === 0 && !progressive && viewOf(data).getUint8(0) === components) return undefined
    scans++
    if (scans > mostScans)
      throw badImage('The JPEG has too many scans for its size. Save it as a baseline JPEG.')
  }
  return scans
}

type Frame = Pick<JpegHeader, 'width' | 'height' | 'components' | 'progressive' | 'coefficientBytes'>

/** ITU-T T.81, B.2.2: precision, height, width, number of components, then three bytes per component. */
function readFrame({ marker, data }: Segment): Frame {
  const view = viewOf(data)
  const precision = view.getUint8(0)
  const height = view.getUint16(1)
  const width = view.getUint16(3)
  const components = view.getUint8(5)
  if (marker > MARKER.progressive) {
    throw badImage('Lossless and arithmetic-coded JPEGs are not read. Save it as an ordinary JPEG.')
  }
  if (precision !== 8)
    throw badImage('Only JPEGs with 8 bits a channel are read. Save it as an ordinary JPEG.')
  if (components !== 1 && components !== 3 && components !== 4) {
    throw badImage('Only grey, colour and CMYK JPEGs are read.')
  }
  const coefficientBytes = COEFFICIENT_BYTES * samplesOf(view, components, width, height)
  return { width, height, components, progressive: marker === MARKER.progressive, coefficientBytes }
}

/** Samples along a side of a block. */
const BLOCK = 8

/**
 * Samples of all components: 3 per pixel at full chroma, 1.5 at 4:2:0. Pictures are padded to whole units, with as
 * many blocks as the sampling factors state (ITU-T T.81, A.2.4).
 */
function samplesOf(frame: DataView, components: number, width: number, height: number) {
  const factors = Array.from({ length: components }, (_, i) => frame.getUint8(7 + i * 3))
  const across = Math.max(1, ...factors.map(factor => factor >> 4))
  const down = Math.max(1, ...factors.map(factor => factor & 15))
  const units = Math.ceil(width / (BLOCK * across)) * Math.ceil(height / (BLOCK * down))
  const blocks = factors.reduce((sum, factor) => sum + (factor >> 4) * (factor & 15), 0)
  return units * blocks * BLOCK * BLOCK
}

interface Segment {
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
function markerFrom(bytes: Uint8Array, at: number) {
  while (at < bytes.length && bytes[at] !== 0xff) at++
  return at
}

/**
 * True for fill bytes, an escaped 0xff in scan data, and markers without parameters. The decoder reads on behind reserved markers, too:
 * as segments they would hide scans.
 */
const standsAlone = (marker: number) =>
  marker === 0xff ||
  marker < MARKER.baseline ||
  (marker >= MARKER.firstRestart && marker <= MARKER.startOfImage)

/** SOF0..SOF15, without three codes of this range that have other meanings. */
const isFrame = (marker: number) =>
  marker >= MARKER.baseline &&
  marker <= MARKER.lastFrame &&
  marker !== MARKER.huffmanTables &&
  marker !== MARKER.extension &&
  marker !== MARKER.arithmeticConditioning
