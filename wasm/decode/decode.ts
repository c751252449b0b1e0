/** A photo's file -> its pixels: priced before it allocates, no larger than asked for, and never another error than two. */
import { ServiceError } from '../../core/contract/errors.ts'
import type { Photo, Raster } from '../image.ts'
import { afford, type Means, price } from './budget.ts'
import type { Codecs } from './codecs.ts'
import { type Header, uprightSize } from './header.ts'
import { decodeJpeg, jpegPool } from './jpeg.ts'
import { decodePng } from './png.ts'
import type { Reduction } from './reduction.ts'
import { brokenPixels } from './refusal.ts'
import { decodeWebp, webpPool } from './webp.ts'

export interface DecodeOptions extends Means {
  /** The raster has at least this share of the photo's width and height: above 0, at most 1. */
  readonly scale: number
}

/** Bytes of a decode for which there is room beside the idle decoders of other formats. */
const ROOM_BESIDE_IDLE = 16 * 2 ** 20

/**
 * The photo that `header` was read from. Its raster has the size that `reduce(header, scale)` tells beforehand, or, of a
 * JPEG for which that is too dear, one between that and `scale`. Throws DoesNotFit before anything is allocated, and
 * BAD_IMAGE when the file is damaged beyond use. All is done within microtasks, so that no two photos
 * are decoded at once. The raster may lie in the decoder's memory: release the photo.
 */
export async function decode(
  bytes: Uint8Array,
  header: Header,
  codecs: Codecs,
  { scale, ...means }: DecodeOptions,
): Promise<Photo> {
  const reduction = afford(header, scale, means)
  if (price(header, reduction) > ROOM_BESIDE_IDLE) {
    if (header.format !== 'jpeg') jpegPool.drop(codecs.jpeg)
    if (header.format !== 'webp') webpPool.drop(codecs.webp)
  }
  const { raster, release } = await decodeRaster(bytes, header, codecs, reduction).catch(refuse)
  let released = false
  return {
    raster,
    orientation: header.orientation,
    ...uprightSize(header),
    step: reduction.step,
    release() {
      if (!released) release?.()
      released = true
    },
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
): Promise<Decoded> {
  switch (header.format) {
    case 'jpeg':
      return decodeJpeg(bytes, header, codecs.jpeg, reduction)
    case 'png':
      return { raster: decodePng(bytes, header, reduction) }
    case 'webp':
      return { raster: await decodeWebp(bytes, header, codecs.webp, reduction) }
  }
}

/** Decoders throw what they like, even numbers: none of it is for the caller to see. */
function refuse(error: unknown): never {
  throw error instanceof ServiceError ? error : brokenPixels(error)
}
