/** A photo's file -> its pixels: priced before it allocates, no larger than asked for, and never another error than two. */
import { ServiceError } from '../../core/contract/errors.ts'
import type { Photo, Raster } from '../imaging/image.ts'
import { affordableReduction, type DecodeLimits, decodeBytes, decodeEffort, EFFORT_US } from './budget.ts'
import type { Codecs } from './codecs.ts'
import { type Header, uprightSize } from './header.ts'
import { decodeJpeg, jpegPool } from './jpeg/jpeg.ts'
import { NO_PAUSES, type Pace, UNSHARED_MEMORY } from './pacing.ts'
import { decodePng } from './png/png.ts'
import type { Reduction } from './reduction.ts'
import { brokenPixels } from './refusal.ts'
import { decodeWebp, webpPool } from './webp/webp.ts'

export interface DecodeOptions extends DecodeLimits {
  /** The raster has at least this share of the photo's width and height: above 0, at most 1. */
  readonly scale: number
}

/** Bytes of decodes for which there is room beside the idle decoders of other formats. */
const ROOM_BESIDE_IDLE = 16 * 2 ** 20

/**
 * The photo that `header` was read from. Its raster has the size that `reduce(header, scale)` tells beforehand, or, of a
 * JPEG for which that is too dear, one between that and `scale`. Throws ExceedsDecodeLimits before anything is allocated, and
 * BAD_IMAGE when the file is damaged beyond use. Several photos may be decoded at once: each has a decoder and memory of
 * its own, reserved until it is released. The raster may lie in the decoder's memory: release the photo.
 */
export async function decode(
  bytes: Uint8Array,
  header: Header,
  codecs: Codecs,
  { scale, ...means }: DecodeOptions,
): Promise<Photo> {
  const reduction = affordableReduction(header, scale, means)
  const { reserve = UNSHARED_MEMORY, pace = NO_PAUSES } = means
  const memory = await reserve(decodeBytes(header, reduction))
  try {
    await pace(EFFORT_US * (header.format === 'png' ? 0 : decodeEffort(header, reduction)))
    // Only now: during the pause another decode may have become idle.
    if (memory.total > ROOM_BESIDE_IDLE) {
      if (header.format !== 'jpeg') jpegPool.drop(codecs.jpeg)
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
      return { raster: await decodePng(bytes, header, reduction, pace) }
    case 'webp':
      return { raster: await decodeWebp(bytes, header, codecs.webp, reduction, pace) }
  }
}

/** Decoders throw what they like, even numbers: none of it is for the caller to see. */
function refuse(error: unknown): never {
  throw error instanceof ServiceError ? error : brokenPixels(error)
}
