/**
 * Decodes the file of a photo to pixels: prices the decode before allocation, and throws only BAD_IMAGE or
 * ExceedsDecodeLimits.
 */
import { ServiceError } from '../../contract/errors.ts'
import type { Reduction } from '../imaging/box-average.ts'
import type { Photo, Raster } from '../imaging/orientation.ts'
import { NO_PAUSES, type Pace } from '../runtime/pace.ts'
import {
  affordableReduction,
  type DecodeLimits,
  decodeBytes,
  decodeEffort,
  EFFORT_US,
  UNSHARED_MEMORY,
} from './budget.ts'
import { type Header, uprightSize } from './header.ts'
import { decodeJpeg, jpegPool } from './jpeg.ts'
import { brokenPixels } from './photo-file.ts'
import { decodePng, pngPool } from './png.ts'
import { decodeWebp, webpPool } from './webp.ts'

/** The compiled decoders. workerd and Node differ only in how they load them. */
export interface Codecs {
  /** TurboJPEG, built by build.sh. */
  readonly jpeg: WebAssembly.Module
  /** libpng with libpng/libpng.c, built by build.sh. */
  readonly png: WebAssembly.Module
  /** libwebp, built by build.sh. */
  readonly webp: WebAssembly.Module
}

export interface DecodeOptions extends DecodeLimits {
  /** Minimum width and height of the raster, as a fraction of the photo's: above 0, at most 1. */
  readonly scale: number
}

/** Bytes of concurrent decodes up to which idle decoders of other formats are kept. */
const ROOM_BESIDE_IDLE = 16 * 2 ** 20

/**
 * Decodes the photo whose header is `header`. The raster has the size of `reduce(header, scale)`; a JPEG for which
 * this is too expensive has a size between that and `scale`. Throws ExceedsDecodeLimits before allocation, and
 * BAD_IMAGE when the file is too damaged.
 * Decodes may run concurrently: each has its own decoder and its own memory, reserved until release. The raster may
 * lie in the decoder's memory: release the photo.
 */
export async function decode(
  bytes: Uint8Array,
  header: Header,
  codecs: Codecs,
  { scale, ...limits }: DecodeOptions,
): Promise<Photo> {
  const reduction = affordableReduction(header, scale, limits)
  const { reserve = UNSHARED_MEMORY, pace = NO_PAUSES } = limits
  const memory = await reserve(decodeBytes(header, reduction))
  try {
    await pace(EFFORT_US * (header.format === 'png' ? 0 : decodeEffort(header, reduction)))
    // Checked after the pause, during which the decoder of another photo may have become idle.
    if (memory.total > ROOM_BESIDE_IDLE) {
      if (header.format !== 'jpeg') jpegPool.drop(codecs.jpeg)
      if (header.format !== 'png') pngPool.drop(codecs.png)
      if (header.format !== 'webp') webpPool.drop(codecs.webp)
    }
    const { raster, release } = await decodeRaster(bytes, header, codecs, reduction, pace)
    let released = false
    return {
      raster,
      orientation: header.orientation,
      ...uprightSize(header),
      step: reduction.step,
      release() {
        if (released) return
        released = true
        release?.()
        memory.release()
      },
    }
  } catch (error) {
    memory.release()
    return refuse(error)
  }
}

interface Decoded {
  readonly raster: Raster
  /** Absent when the raster is ordinary memory. */
  readonly release?: () => void
}

async function decodeRaster(
  bytes: Uint8Array,
  header: Header,
  codecs: Codecs,
  reduction: Reduction,
  pace: Pace,
): Promise<Decoded> {
  switch (header.format) {
    case 'jpeg':
      return decodeJpeg(bytes, header, codecs.jpeg, reduction)
    case 'png':
      return { raster: await decodePng(bytes, header, codecs.png, reduction, pace) }
    case 'webp':
      return { raster: await decodeWebp(bytes, header, codecs.webp, reduction, pace) }
  }
}

/** Decoders throw values of any type, even numbers. The caller gets a ServiceError. */
function refuse(error: unknown): never {
  throw error instanceof ServiceError ? error : brokenPixels(error)
}
