/** The head of a JPEG file: its size, its colours, which way up, and what its coding will cost to undo. */
import { tagAt, viewOf } from '../bytes.ts'
import { badImage, brokenHeader } from '../refusal.ts'
import { readOrientation } from './exif.ts'
import { isFrame, MARKER, type Segment, segments } from './jpeg-segments.ts'

export interface JpegHeader {
  readonly format: 'jpeg'
  /** Bytes of the whole file. */
  readonly fileLength: number
  /** As the file stores it, before orientation. */
  readonly width: number
  readonly height: number
  readonly orientation: number
  /** 1 is grey, 3 is YCbCr or RGB, 4 is CMYK or YCCK. */
  readonly components: 1 | 3 | 4
  /** An Adobe program wrote it, and those write CMYK inverted. */
  readonly adobe: boolean
  readonly progressive: boolean
  /** Passes over the picture; 1 when the first has everything. */
  readonly scans: number
  /** Bytes of the coefficients that must be kept until the last scan is read; 0 when the only scan has everything. */
  readonly coefficientBytes: number
}

/** Each scan costs a pass over the whole picture. No camera or program writes a quarter of this; libvips' bound too. */
const MOST_SCANS = 100

/** Scans times pixels: some three seconds of work, and more than the ten usual scans of the largest photo. */
const MOST_SCANNED_PIXELS = 2_000_000_000

/** Coefficients are 16-bit. */
const COEFFICIENT_BYTES = 2

/** Throws BAD_IMAGE for what can't be decoded, and a RangeError where the file ends too early. */
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

/** How many scans make up the picture; undefined when the first has everything, which decides, as it does for the decoder. */
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

/** T.81, B.2.2: precision, height, width, number of components; then three bytes for each component. */
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

/** A block's samples along a side. */
const BLOCK = 8

/**
 * Samples of all components together: 3 a pixel at full chroma, 1.5 at 4:2:0. Pictures are filled up to whole units of
 * as many blocks as the factors say (T.81, A.2.4).
 */
function samplesOf(frame: DataView, components: number, width: number, height: number): number {
  const factors = Array.from({ length: components }, (_, i) => frame.getUint8(7 + i * 3))
  const across = Math.max(1, ...factors.map(factor => factor >> 4))
  const down = Math.max(1, ...factors.map(factor => factor & 15))
  const units = Math.ceil(width / (BLOCK * across)) * Math.ceil(height / (BLOCK * down))
  const blocks = factors.reduce((sum, factor) => sum + (factor >> 4) * (factor & 15), 0)
  return units * blocks * BLOCK * BLOCK
}
