/** How much the looks at a whole photo are believed of a face, beside closer ones. */
import { shorterSide } from '../core/contract/bbox.ts'
import { type Detection, rollOf } from './detection.ts'

/**
 * What the looks at the whole photo say of a face is believed the more the larger it is in the fine one, from not at all to
 * alone: SSD's tiles do not show the largest whole. So are they of faces that SSD does not see: turned by so many radians, with
 * so many pixels, and so sure.
 */
const BELIEVED = { from: 40, to: 80 }
const TURNED = {
  roll: { from: 0.4, to: 0.6 },
  side: { from: 12, to: 18 },
  score: { from: 0.5, to: 0.7 },
}

/** How far the value has come from the one end of the range to the other, 0..1. */
export const along = ({ from, to }: { from: number; to: number }, value: number): number =>
  Math.min(1, Math.max(0, (value - from) / (to - from)))

/** How much they are believed of a face, 0..1; `pixel` is the side of the fine look's pixels on the photo. */
export function beliefIn({ score, box, points }: Detection, pixel: number): number {
  const side = shorterSide(box) / pixel
  const roll = points ? Math.abs(rollOf(points)) : 0
  const turned = along(TURNED.roll, roll) * along(TURNED.side, side) * along(TURNED.score, score)
  return Math.max(along(BELIEVED, side), turned)
}
