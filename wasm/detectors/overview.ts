/** Decides whether the overview of a photo is enough. */
import { areaOn, overlap, shorterSide } from '../../contract/model/bbox.ts'
import type { Size } from '../imaging/geometry.ts'
import type { Detection, WantedFaces } from './detection.ts'
import { SAME_OVERLAP } from './merging.ts'

/** Scores from which a detection counts as a sign of another face. Noise has lower scores at small sizes. */
const SMALL_SIGN = 0.18
const LARGE_SIGN = 0.25

/** Bounds for a large face, in overview pixels, and for a high score. False detections rarely exceed both. */
const LARGE_SIDE = 20
const SURE = 0.75

/** Least area of a face that counts beside the biggest one, as a part of its area: half of its side. */
const COMPARABLE_AREA = 1 / 4

/**
 * True if the overview shows large faces with high scores and no sign of others. For the biggest face, only signs of
 * faces of a comparable area on the photo count. `pixel` belongs to the overview, see tiling.ts.
 */
export function isEnough(
  seen: readonly Detection[],
  pixel: number,
  { wanted, photo }: { wanted: WantedFaces; photo: Size },
): boolean {
  const isLarge = ({ box }: Detection) => shorterSide(box) >= LARGE_SIDE * pixel
  const known = seen.filter(face => isLarge(face) && face.score >= SURE)
  if (known.length === 0) return false
  const biggest = Math.max(...known.map(({ box }) => areaOn(box, photo)))
  const least = wanted === 'biggest' ? COMPARABLE_AREA * biggest : 0
  return seen.every(
    one =>
      one.score < (isLarge(one) ? LARGE_SIGN : SMALL_SIGN) ||
      areaOn(one.box, photo) < least ||
      known.some(face => overlap(face.box, one.box) >= SAME_OVERLAP),
  )
}
