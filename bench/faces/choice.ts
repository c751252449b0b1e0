/** Which of several faces stands for a picture. */
import type { Box } from '../../core/contract/model/bbox.ts'

/** LFW means the one in the middle, the contract's default is the biggest. */
export type Choice = 'central' | 'biggest'

/** How far the middle of the box is from the middle of a picture of this size, in half pixels. */
export const offCentre = (
  { x1, y1, x2, y2 }: Box,
  { width, height }: { readonly width: number; readonly height: number },
): number => Math.hypot(x1 + x2 - width, y1 + y2 - height)
