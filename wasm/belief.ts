/** How much the looks at a whole photo are believed of a face, beside closer ones. */
import { shorterSide } from '../core/contract/bbox.ts'
import { LIMITS } from '../core/contract/limits.ts'
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

/**
 * Of where the face is they are believed earlier, as their boxes are the better ones sooner.
 * docs/decisions/0035-large-faces-stay-where-they-are.md has the measurements.
 */
const BELIEVED_BOX = { from: 30, to: 45 }

/** A face of so many of the fine look's pixels is large, and with such a score sure: what is no face is seldom both. */
const LARGE_SIDE = 22
const SURE = 0.75

/**
 * A photo is large where the fine look shows the smallest reported face in fewer pixels than this: closer looks are taken where
 * there are signs of small faces, which must not change what is known of the large ones.
 * docs/decisions/0033-a-sweep-of-large-photos.md has the measurements.
 */
const UNSWEPT_SIDE = 10

/** Is the photo large for the fine look, whose pixels have this side on it? */
export const isLargePhoto = (pixel: number): boolean => LIMITS.faceSide < UNSWEPT_SIDE * pixel

/** Is a face of this box large in the fine look, whose pixels have this side? */
export const isLargeFace = ({ box }: Pick<Detection, 'box'>, pixel: number): boolean =>
  shorterSide(box) >= LARGE_SIDE * pixel

/** Is it so large, and sure to be a face? */
export const isLargeAndSure = (face: Detection, pixel: number): boolean =>
  isLargeFace(face, pixel) && face.score >= SURE

/** How far the value has come from the one end of the range to the other, 0..1. */
export const along = ({ from, to }: { from: number; to: number }, value: number): number =>
  Math.min(1, Math.max(0, (value - from) / (to - from)))

/** How much, 0..1, of whether it is a face, and of where it is. */
export interface Belief {
  readonly score: number
  readonly box: number
}

/** How much they are believed of a face; `pixel` is the side of the fine look's pixels on the photo. */
export function beliefIn(face: Detection, pixel: number): Belief {
  if (isLargePhoto(pixel) && isLargeAndSure(face, pixel)) return { score: 1, box: 1 }
  const side = shorterSide(face.box) / pixel
  const roll = face.points ? Math.abs(rollOf(face.points)) : 0
  const turned = along(TURNED.roll, roll) * along(TURNED.side, side) * along(TURNED.score, face.score)
  const score = Math.max(along(BELIEVED, side), turned)
  return { score, box: Math.max(score, along(BELIEVED_BOX, side)) }
}
