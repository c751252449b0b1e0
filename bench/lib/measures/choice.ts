/** Chooses one of several faces on a picture. */
import type { Box } from '#contract/model/bbox.ts'

/** LFW defines the central face; the API's default is the biggest. */
export type Choice = 'central' | 'biggest'

/** Distance of the box's centre from the picture's centre, in half pixels. */
export const offCentre = (
  { x1, y1, x2, y2 }: Box,
  { width, height }: { readonly width: number; readonly height: number },
): number => Math.hypot(x1 + x2 - width, y1 + y2 - height)
