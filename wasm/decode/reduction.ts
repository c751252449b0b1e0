/** Chooses the raster size for decoding. Smaller rasters take less time and memory. */
import type { Header } from './header.ts'

export interface Reduction {
  /** Size of the raster, in pixels. */
  readonly width: number
  readonly height: number
  /** Side of a raster pixel in pixels of the file. The last column and row may cover less than a step. */
  readonly step: number
}

/** JPEG can transform its 8 x 8 blocks to n x n pixels, for n from 1 to 8. */
const EIGHTHS = 8

/** Tolerance for rounding errors of scales. */
const ROUNDING = 1e-9

/**
 * The smallest raster of at least `scale` (above 0, at most 1) that all formats share: an eighth, a quarter, a half
 * or the full size. At these sizes libjpeg averages blocks, as the PNG and WEBP decoders do: a photo gives the same
 * pixels in every format. At other eighths libjpeg drops frequencies instead.
 */
export function reduce(header: Header, scale: number): Reduction {
  const least = scale * EIGHTHS - ROUNDING
  return eighths(header, [1, 2, 4].find(n => n >= least) ?? EIGHTHS)
}

/**
 * The smallest raster of at least `scale` for a JPEG, at any eighth. It is cheaper, but differs more from other
 * formats.
 */
export const reduceFinely = (header: Header, scale: number): Reduction =>
  eighths(header, Math.min(EIGHTHS, Math.max(1, Math.ceil(scale * EIGHTHS - ROUNDING))))

const eighths = ({ width, height }: Header, n: number): Reduction => ({
  width: Math.ceil((width * n) / EIGHTHS),
  height: Math.ceil((height * n) / EIGHTHS),
  step: EIGHTHS / n,
})
