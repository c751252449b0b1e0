/** How small each format can leave a photo while decoding it: fewer pixels to make, to keep and to look through. */
import type { Header } from './header.ts'

export interface Reduction {
  /** Pixels of the raster. */
  readonly width: number
  readonly height: number
  /** Pixels of the file for one pixel of the raster, along a side. */
  readonly step: number
}

/** JPEG's blocks of 8 x 8 can be transformed back into n x n for n from 1 to 8. */
const JPEG_BLOCK = 8

/** So that 1 / (1 / 3) counts as 3. */
const ROUNDING = 1e-9

/**
 * The smallest raster with at least `scale` (above 0, at most 1) of the photo's size that its format can be decoded to:
 * eighths for JPEG, whole steps for PNG, no reduction for WEBP. A last pixel may stand for less than a whole step.
 */
export function reduce(header: Header, scale: number): Reduction {
  const step = stepFor(header.format, scale)
  return { width: Math.ceil(header.width / step), height: Math.ceil(header.height / step), step }
}

function stepFor(format: Header['format'], scale: number): number {
  if (format === 'webp') return 1
  if (format === 'png') return Math.max(1, Math.floor(1 / scale + ROUNDING))
  const eighths = Math.ceil(scale * JPEG_BLOCK - ROUNDING)
  return JPEG_BLOCK / Math.min(JPEG_BLOCK, Math.max(1, eighths))
}
