/** Prices the decode of a photo in memory and time before it allocates memory, and chooses the size of the raster. */
import type { Reduction } from '../imaging/box-average.ts'
import type { Pace } from '../runtime/pace.ts'
import type { Header } from './header.ts'
import type { JpegHeader } from './jpeg-header.ts'
import type { PngHeader } from './png-header.ts'
import type { WebpHeader } from './webp-header.ts'

/** Memory reserved for one decode. */
export interface Reservation {
  /** Bytes reserved by all decodes in progress, this one included. */
  readonly total: number
  /** Frees the reservation. */
  release(): void
}

/** Resolves when memory for a decode of this many bytes is available. */
type Reserve = (bytes: number) => Promise<Reservation>

/** Grants every reservation: for a process with one decode at a time, whose memory fits the priced decode. */
export const UNSHARED_MEMORY: Reserve = async bytes => ({ total: bytes, release: () => {} })

/** JPEG can transform its 8 x 8 blocks to n x n pixels, for n from 1 to 8. */
const EIGHTHS = 8

/** Tolerance for rounding errors of scales. */
const SCALE_TOLERANCE = 1e-9

/**
 * The smallest raster of at least `scale` (above 0, at most 1) that all formats share: an eighth, a quarter, a half
 * or the full size. At these sizes libjpeg averages blocks, as the PNG and WEBP decoders do: a photo gives the same
 * pixels in every format. At other eighths libjpeg drops frequencies instead.
 */
export function reduce(header: Header, scale: number): Reduction {
  const least = scale * EIGHTHS - SCALE_TOLERANCE
  return eighths(header, [1, 2, 4].find(n => n >= least) ?? EIGHTHS)
}

/**
 * The smallest raster of at least `scale` for a JPEG, at any eighth. It is cheaper, but differs more from other
 * formats.
 */
const reduceFinely = (header: Header, scale: number): Reduction =>
  eighths(header, Math.min(EIGHTHS, Math.max(1, Math.ceil(scale * EIGHTHS - SCALE_TOLERANCE))))

const eighths = ({ width, height }: Header, n: number): Reduction => ({
  width: Math.ceil((width * n) / EIGHTHS),
  height: Math.ceil((height * n) / EIGHTHS),
  step: EIGHTHS / n,
})

/** Thrown before allocation. The photo must be decoded where more memory is available. */
export class ExceedsDecodeLimits extends Error {
  override readonly name = 'ExceedsDecodeLimits'
}

/** Limits of one decode. */
export interface DecodeLimits {
  /** Bytes in addition to the file itself. */
  readonly maxBytes: number
  /** Maximum effort of the whole decode, in the unit of `decodeEffort`. No limit when absent. */
  readonly maxEffort?: number
  /** Maximum effort of a decoder that cannot pause, in the same unit. No limit when absent. */
  readonly maxBlockingEffort?: number
  /** Waits for memory that concurrent decodes share. Absent when decodes never overlap. */
  readonly reserve?: Reserve
  /** Lets other tasks run between pieces of a decode. Absent when no other request waits. */
  readonly pace?: Pace
}

/**
 * The reduction for decoding a photo: the result of `reduce`. A JPEG that this makes too expensive gets the result of
 * `reduceFinely`. Throws ExceedsDecodeLimits when both exceed the limits.
 */
export function affordableReduction(header: Header, scale: number, limits: DecodeLimits): Reduction {
  const reductions = header.format === 'jpeg' ? [reduce, reduceFinely] : [reduce]
  const affordable = reductions
    .map(reduceWith => reduceWith(header, scale))
    .find(reduction => decodeBytes(header, reduction) <= limits.maxBytes)
  if (!affordable) throw new ExceedsDecodeLimits('decoding the photo takes more memory than there is')
  if (decodeEffort(header, affordable) > mostEffort(header, limits))
    throw new ExceedsDecodeLimits('decoding the photo takes longer than there is time')
  return affordable
}

function mostEffort({ format }: Header, limits: DecodeLimits) {
  const { maxEffort = Number.POSITIVE_INFINITY, maxBlockingEffort = Number.POSITIVE_INFINITY } = limits
  return CAN_PAUSE.has(format) ? maxEffort : Math.min(maxEffort, maxBlockingEffort)
}

/** Peak memory of a decode in bytes, in addition to the file, with the raster. */
export function decodeBytes(header: Header, reduction: Reduction): number {
  if (header.format === 'jpeg') return jpegPrice(header, reduction)
  if (header.format === 'png') return pngPrice(header, reduction)
  return webpPrice(header, reduction)
}

/** Time per pixel of a PNG or WEBP, in pixels of a baseline JPEG's file. Measured. */
const PNG_EFFORT = 4
const WEBP_EFFORT = 12

/** Time per pixel of the raster that a JPEG is decoded to, in the same unit. Measured. */
const JPEG_RASTER_EFFORT = 6

/** One unit of effort in microseconds. Measured. */
export const EFFORT_US = 0.0025

/** The PNG decoder can pause. The other decoders return only with the whole raster. */
const CAN_PAUSE: ReadonlySet<Header['format']> = new Set(['png'])

/**
 * Upper bound of the decoding time, in pixels of a baseline JPEG's file. A slow processor reads 100 of these per
 * microsecond.
 */
export function decodeEffort(header: Header, { width, height }: Reduction): number {
  const pixels = header.width * header.height
  if (header.format === 'png') return pixels * PNG_EFFORT
  if (header.format === 'webp') return pixels * WEBP_EFFORT
  // One of many scans adds little data. The final transform is shared by all scans.
  const scans = header.coefficientBytes === 0 ? 1 : 2 + header.scans / 2
  return pixels * scans + width * height * JPEG_RASTER_EFFORT
}

/** Memory of libjpeg-turbo itself, measured as 0.35 MB, and the rows that it works on. */
const JPEG_BASE = 2 ** 19
const JPEG_ROWS = 64

/** The decoder's copy of the file, the coefficients kept until the last scan, and the raster. */
function jpegPrice(header: JpegHeader, { width, height }: Reduction) {
  const channels = header.components === 4 ? 4 : 3
  return (
    JPEG_BASE +
    JPEG_ROWS * header.width +
    header.fileLength +
    header.coefficientBytes +
    width * height * channels
  )
}

/** Memory of libpng itself: its stack, its tables, and the inflate window. */
const PNG_BASE = 2 ** 18

/** Bytes per pixel of a row: two rows of libpng, one as RGB. */
const PNG_ROW_BYTES = 2 * 8 + 3

/**
 * The raster, and 32-bit sums of one of its rows. An interlaced file is decoded whole
 * before it is reduced.
 */
function pngPrice(header: PngHeader, { width, height, step }: Reduction) {
  const raster = width * height * 3
  const reduced = step === 1 ? 0 : 4 * width * 3 + (header.interlaced ? header.width * header.height * 3 : 0)
  return PNG_BASE + header.width * PNG_ROW_BYTES + raster + reduced
}

/** Memory of a decoder that may be kept for further photos. */
export const WEBP_POOLED = 16 * 2 ** 20

/**
 * Memory of the decoder itself; copies of the file; growth factor, because the allocator grows in steps of at least a
 * twentieth. Measured.
 */
const WEBP_BASE = 2.5 * 2 ** 20
const WEBP_FILES = 2
const WEBP_OVERGROWTH = 1.08

/** Bytes per pixel inside the decoder: the RGBA picture, and the work memory of each coding. Transparency may be a lossless picture. */
const WEBP_INSIDE = { lossy: 4.1, 'lossy-alpha': 9.2, lossless: 8 }

/** The picture is copied out as RGBA and converted to RGB in place. */
const WEBP_OUTSIDE = 4

/** Bytes that the decoder's memory may grow to. */
export function webpHeapBytes({ frame, coding, fileLength }: WebpHeader): number {
  const needed = WEBP_BASE + WEBP_FILES * fileLength + frame.width * frame.height * WEBP_INSIDE[coding]
  return Math.max(WEBP_POOLED, WEBP_OVERGROWTH * needed)
}

/** Adds the raster's memory unless the raster is the picture itself. */
function webpPrice(header: WebpHeader, { width, height, step }: Reduction) {
  const { frame, animated } = header
  const raster = step === 1 && !animated ? 0 : width * height * 3
  return webpHeapBytes(header) + frame.width * frame.height * WEBP_OUTSIDE + raster
}
