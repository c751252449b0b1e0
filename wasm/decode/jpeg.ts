/**
 * Decodes JPEGs with libjpeg-turbo (TurboJPEG's C interface), also directly to a reduced size. Checks how much of a damaged file
 * was decoded.
 */

import type { Reduction } from '../imaging/box-average.ts'
import type { Raster } from '../imaging/orientation.ts'
import { InstancePool } from './instance-pool.ts'
import { type JpegHeader, MARKER, segments } from './jpeg-header.ts'
import { brokenPixels, DecoderCrashed } from './photo-file.ts'

/**
 * Converts four bytes per pixel to three, in place. Returns a view of the same memory. `inverted`: 255 means no ink.
 */
function cmykToRgb(cmyk: Uint8Array, inverted: boolean): Uint8Array {
  const flip = inverted ? 0 : 255
  let to = 0
  for (let from = 0; from < cmyk.length; from += 4, to += 3) {
    const light = cmyk[from + 3]! ^ flip
    cmyk[to] = ((cmyk[from]! ^ flip) * light) / 255 + 0.5
    cmyk[to + 1] = ((cmyk[from + 1]! ^ flip) * light) / 255 + 0.5
    cmyk[to + 2] = ((cmyk[from + 2]! ^ flip) * light) / 255 + 0.5
  }
  return cmyk.subarray(0, to)
}

/** A raster in the memory of its decoder. */
interface BorrowedRaster {
  readonly raster: Raster
  /** Returns the memory to the decoder. Call it once. */
  release(): void
}

/** Exports of the module: C functions on addresses in its memory. */
interface TurboJpeg {
  readonly memory: WebAssembly.Memory
  malloc(length: number): number
  free(address: number): void
  tjInitDecompress(): number
  tjDecompress2(
    handle: number,
    file: number,
    fileLength: number,
    pixels: number,
    width: number,
    bytesPerRow: number,
    height: number,
    pixelFormat: number,
    flags: number,
  ): number
  tjDestroy(handle: number): number
}

/** enum TJPF in turbojpeg.h. */
const RGB = 0
const CMYK = 11

/** Idle decoders. */
export const jpegPool = new InstancePool<TurboJpeg>()

/**
 * Decodes to the reduction's size (an eighth that `reduce` or `reduceFinely` gives). The photo owns the instance
 * until release. Throws BAD_IMAGE when less than half of the photo can be decoded, and a plain Error when nothing can
 * be decoded. The instance is then dropped, because the decoder cannot unwind.
 */
export function decodeJpeg(
  bytes: Uint8Array,
  header: JpegHeader,
  module: WebAssembly.Module,
  { width, height }: Reduction,
): BorrowedRaster {
  const turbo = jpegPool.take(module) ?? instantiate(module)
  const channels = header.components === 4 ? 4 : 3
  const file = allocate(turbo, bytes.length)
  const pixels = allocate(turbo, width * height * channels)
  new Uint8Array(turbo.memory.buffer).set(bytes, file)

  const handle = turbo.tjInitDecompress()
  const format = channels === 4 ? CMYK : RGB
  const warned =
    turbo.tjDecompress2(handle, file, bytes.length, pixels, width, width * channels, height, format, 0) !== 0
  turbo.tjDestroy(handle)
  turbo.free(file)

  const data = new Uint8Array(turbo.memory.buffer, pixels, width * height * channels)
  const raster = { data: channels === 4 ? cmykToRgb(data, header.adobe) : data, width, height }
  if (warned && !isUsable(raster, bytes, header)) throw brokenPixels()
  return {
    raster,
    release() {
      turbo.free(pixels)
      jpegPool.giveBack(module, turbo)
    },
  }
}

function allocate(turbo: TurboJpeg, length: number) {
  const address = turbo.malloc(length)
  if (address === 0) throw new Error('the JPEG decoder is out of memory')
  // Converts to an unsigned number: addresses beyond 2 GB are negative.
  return address >>> 0
}

/**
 * Instantiates the decoder. Its errors surface as exceptions, because WebAssembly has no longjmp; its warnings are an
 * exit status.
 */
function instantiate(module: WebAssembly.Module): TurboJpeg {
  const refuse = (call: string) => () => {
    throw new DecoderCrashed(`the JPEG decoder called ${call}`)
  }
  const instance = new WebAssembly.Instance(module, {
    env: { setjmp: () => 0, longjmp: refuse('longjmp') },
    wasi_snapshot_preview1: {
      environ_sizes_get: () => 0,
      environ_get: refuse('environ_get'),
      proc_exit: refuse('proc_exit'),
      fd_close: refuse('fd_close'),
      fd_seek: refuse('fd_seek'),
      fd_write: refuse('fd_write'),
    },
  })
  return instance.exports as unknown as TurboJpeg
}

/** Grey levels of missing blocks without and with an ink channel, and the tolerance for rounding. */
const FILL = 128
const INK_FILL = 64
const FILL_TOLERANCE = 2

/** Frequencies of an 8 x 8 block. */
const COEFFICIENTS = 64

/**
 * True when at least half of the rows were decoded. A progressive file also needs a scan of each brightness
 * frequency: without it, the service would enrol a blur.
 */
const isUsable = (raster: Raster, bytes: Uint8Array, header: JpegHeader) =>
  filledRows(raster, header.components === 4 ? INK_FILL : FILL) * 2 <= raster.height &&
  (!header.progressive || hasEachFrequency(bytes))

/** Number of rows at the bottom that contain only fill. */
function filledRows({ data, width, height }: Raster, fill: number) {
  let at = data.length - 1
  while (at >= 0 && Math.abs(data[at]! - fill) <= FILL_TOLERANCE) at--
  return height - Math.ceil((at + 1) / (width * 3))
}

/**
 * Checks the scans of the brightness. A scan counts when another segment follows. Source: ITU-T T.81, B.2.3 and
 * G.1.1.1.
 */
function hasEachFrequency(bytes: Uint8Array) {
  const seen = new Set<number>()
  let brightness: number | undefined
  let previous: Uint8Array | undefined
  for (const { marker, data } of segments(bytes)) {
    if (previous) {
      brightness ??= previous[1]
      if (previous[1] === brightness) for (const frequency of frequenciesOf(previous)) seen.add(frequency)
    }
    previous = marker === MARKER.startOfScan ? data : undefined
  }
  return seen.size === COEFFICIENTS
}

/** The first and last frequency follow the list of components, which has two bytes per component. */
function* frequenciesOf(scan: Uint8Array): Generator<number> {
  const at = 1 + 2 * (scan[0] ?? 0)
  const last = Math.min(scan[at + 1] ?? 0, COEFFICIENTS - 1)
  for (let frequency = scan[at] ?? 0; frequency <= last; frequency++) yield frequency
}
