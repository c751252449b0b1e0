/** JPEG -> raster: drives libjpeg-turbo (TurboJPEG's C interface) directly, so that it leaves out what nobody will look at. */
import type { Raster } from '../../imaging/image.ts'
import { InstancePool } from '../instance-pool.ts'
import type { Reduction } from '../reduction.ts'
import { brokenPixels, DecoderCrashed } from '../refusal.ts'
import { cmykToRgb } from './cmyk.ts'
import { isUsable } from './jpeg-damage.ts'
import type { JpegHeader } from './jpeg-header.ts'

/** A raster that lies in its decoder's memory. */
export interface BorrowedRaster {
  readonly raster: Raster
  /** The memory goes back to the decoder: call it once. */
  release(): void
}

/** What the module exports: C functions on addresses in its memory. */
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
 * Decodes to the reduction's size (one of the eighths that `reduce` gives). The instance is the photo's alone until it is
 * released. Throws BAD_IMAGE when less than half of the photo is there, and a plain Error when nothing can be decoded;
 * then the instance is dropped, because the decoder has no way to unwind.
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

function allocate(turbo: TurboJpeg, length: number): number {
  const address = turbo.malloc(length)
  if (address === 0) throw new Error('the JPEG decoder is out of memory')
  // As an unsigned number: beyond 2 GB it would come out negative.
  return address >>> 0
}

/** The decoder's errors leave it as an exception, for WebAssembly has no longjmp; its warnings are an exit status. */
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
