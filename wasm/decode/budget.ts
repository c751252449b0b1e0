/** What decoding a photo costs in memory and in time, known before a byte of it is allocated. */
import type { Header } from './header.ts'
import type { JpegHeader } from './jpeg/jpeg-header.ts'
import type { Pace, Reserve } from './pacing.ts'
import type { PngHeader } from './png/png-header.ts'
import { type Reduction, reduce, reduceFinely } from './reduction.ts'
import type { WebpHeader } from './webp/webp-header.ts'

/** Thrown before anything is allocated: this photo must be decoded where there is more memory. */
export class ExceedsDecodeLimits extends Error {
  override readonly name = 'ExceedsDecodeLimits'
}

/** What one decode may take. */
export interface DecodeLimits {
  /** Bytes beyond the file itself. */
  readonly budget: number
  /** Work of the whole decode, in the unit of `effort`; without a bound where it is absent. */
  readonly patience?: number
  /** Work of a decoder that can't pause, in the same unit; without a bound where it is absent. */
  readonly stretch?: number
  /** Waits for memory that decodes share; absent where there is one decode at a time. */
  readonly reserve?: Reserve
  /** Lets other work run between pieces of a decode; absent where no other request waits. */
  readonly pace?: Pace
}

/**
 * The reduction that a photo is decoded with: `reduce`'s, or for a JPEG that this makes too dear the finer one. Throws
 * ExceedsDecodeLimits when that is beyond the means, too.
 */
export function affordableReduction(header: Header, scale: number, means: DecodeLimits): Reduction {
  const ways = header.format === 'jpeg' ? [reduce, reduceFinely] : [reduce]
  const affordable = ways
    .map(way => way(header, scale))
    .find(reduction => decodeBytes(header, reduction) <= means.budget)
  if (!affordable) throw new ExceedsDecodeLimits('decoding the photo takes more memory than there is')
  if (decodeEffort(header, affordable) > mostEffort(header, means))
    throw new ExceedsDecodeLimits('decoding the photo takes longer than there is time')
  return affordable
}

function mostEffort({ format }: Header, means: DecodeLimits): number {
  const { patience = Number.POSITIVE_INFINITY, stretch = Number.POSITIVE_INFINITY } = means
  return CAN_PAUSE.has(format) ? patience : Math.min(patience, stretch)
}

/** The bytes that decoding takes at its height beyond the file itself, the raster included. */
export function decodeBytes(header: Header, reduction: Reduction): number {
  if (header.format === 'jpeg') return jpegPrice(header, reduction)
  if (header.format === 'png') return pngPrice(header, reduction)
  return webpPrice(header, reduction)
}

/** The time of a pixel of a PNG or WEBP, in pixels of a baseline JPEG's file. Measured. */
const PNG_EFFORT = 4
const WEBP_EFFORT = 12

/** And so does a pixel of the raster that a JPEG is decoded to. Measured. */
const JPEG_RASTER_EFFORT = 6

/** One unit of effort, in microseconds, on the machine that `npm run bench -- formats` was measured on. */
export const EFFORT_US = 0.0025

/** PNGs are decoded by code that pauses. The other decoders return when the whole raster is there. */
const CAN_PAUSE: ReadonlySet<Header['format']> = new Set(['png'])

/** How long decoding takes, at most: in pixels of a baseline JPEG's file, of which a slow processor reads 100 in a microsecond. */
export function decodeEffort(header: Header, { width, height }: Reduction): number {
  const pixels = header.width * header.height
  if (header.format === 'png') return pixels * PNG_EFFORT
  if (header.format === 'webp') return pixels * WEBP_EFFORT
  // Of a scan that is one of many, little is new; the transform at the end is for all of them.
  const scans = header.coefficientBytes === 0 ? 1 : 2 + header.scans / 2
  return pixels * scans + width * height * JPEG_RASTER_EFFORT
}

/** Measured at 0.35 MB: libjpeg-turbo's own memory, and the rows it works on. */
const JPEG_BASE = 2 ** 19
const JPEG_ROWS = 64

/** The decoder's copy of the file, coefficients that wait for a last scan, and the raster. */
function jpegPrice(header: JpegHeader, { width, height }: Reduction): number {
  const channels = header.components === 4 ? 4 : 3
  return (
    JPEG_BASE +
    JPEG_ROWS * header.width +
    header.fileLength +
    header.coefficientBytes +
    width * height * channels
  )
}

/** The window that is inflated into, its tables, and what numbers and views take beside. */
const PNG_BASE = 2 ** 18

/** Rows: two as written, and one as RGB. */
const PNG_ROW_BYTES = 2 * 8 + 3

/** The compressed data in one piece, the raster, and sums of 32 bits: of one of its rows, or of all of them when the rows come interlaced. */
function pngPrice(header: PngHeader, { width, height, step }: Reduction): number {
  const raster = width * height * 3
  const sums = step === 1 ? 0 : 4 * (header.interlaced ? raster : width * 3)
  return PNG_BASE + header.fileLength + header.width * PNG_ROW_BYTES + raster + sums
}

/** An instance of the decoder has this much from the start. */
const WEBP_INITIAL = 16 * 2 ** 20

/** What it uses for itself; its copies of the file; and its allocator grows by a twentieth, at least. Measured. */
const WEBP_BASE = 2.5 * 2 ** 20
const WEBP_FILES = 2
const WEBP_OVERGROWTH = 1.08

/** Bytes a pixel inside the decoder: its RGBA picture, and what each coding needs beside it. */
const WEBP_INSIDE = { lossy: 4.1, 'lossy-alpha': 6.2, lossless: 8 }

/** The picture is copied out as RGBA, and becomes RGB in place. */
const WEBP_OUTSIDE = 4

/** Bytes that the decoder's memory may grow to. */
export function webpHeapBytes({ frame, coding, fileLength }: WebpHeader): number {
  const needed = WEBP_BASE + WEBP_FILES * fileLength + frame.width * frame.height * WEBP_INSIDE[coding]
  return Math.max(WEBP_INITIAL, WEBP_OVERGROWTH * needed)
}

/** Where the raster is not the picture itself, it comes on top. */
function webpPrice(header: WebpHeader, { width, height, step }: Reduction): number {
  const { frame, animated } = header
  const raster = step === 1 && !animated ? 0 : width * height * 3
  return webpHeapBytes(header) + frame.width * frame.height * WEBP_OUTSIDE + raster
}
