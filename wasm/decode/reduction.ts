/** How small a photo can be left while it is decoded: fewer pixels to make, to keep and to look through. */
import type { Header } from './header.ts'

export interface Reduction {
  /** Pixels of the raster. */
  readonly width: number
  readonly height: number
  /** Pixels of the file for one pixel of the raster, along a side. A last pixel may stand for less than a whole step. */
  readonly step: number
}

/** JPEG's blocks of 8 x 8 can be transformed back into n x n for n from 1 to 8. */
const EIGHTHS = 8

/** So that 1 / (1 / 4) counts as 4. */
const ROUNDING = 1e-9

/**
 * The smallest raster with at least `scale` (above 0, at most 1) of the photo's size that all formats give alike: an
 * eighth, a quarter, a half or all of it. At these libjpeg gives the means of blocks, as we do for PNG and WEBP, so that
 * one photo is seen the same whatever it is saved as; at the other eighths it leaves out frequencies instead.
 */
export function reduce(header: Header, scale: number): Reduction {
  const least = scale * EIGHTHS - ROUNDING
  return eighths(header, [1, 2, 4].find(n => n >= least) ?? EIGHTHS)
}

/** The smallest raster with at least `scale` of a JPEG's size, by any number of eighths: less alike, and less dear. */
export const reduceFinely = (header: Header, scale: number): Reduction =>
  eighths(header, Math.min(EIGHTHS, Math.max(1, Math.ceil(scale * EIGHTHS - ROUNDING))))

const eighths = ({ width, height }: Header, n: number): Reduction => ({
  width: Math.ceil((width * n) / EIGHTHS),
  height: Math.ceil((height * n) / EIGHTHS),
  step: EIGHTHS / n,
})
