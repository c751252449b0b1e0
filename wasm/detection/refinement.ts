/** The plan for one photo: whether the overview is enough, and otherwise what the second pass shows. */

import { LIMITS } from '../../core/contract/limits.ts'
import { overlap, shorterSide } from '../../core/contract/model/bbox.ts'
import { centreOf } from '../imaging/geometry.ts'
import type { Detection, WantedFaces } from './detection.ts'
import { isLarge, isLargeAndSure, NMS_OVERLAP } from './fusion.ts'
import { type Size, type Tile, tilesAround, wholePhoto } from './tiling.ts'

/** Scores from which a detection is a sign of another face: noise is fainter where it is small. */
const SMALL_SIGN = 0.18
const LARGE_SIGN = 0.25

/** The pass over the whole photo is enough where it shows the smallest face with this side in pixels. Closer tiles show it larger. */
const LEAST_SIDE = 12
const CLOSER_PIXEL = LIMITS.faceSide / 16

/** Faces of a large photo that are examined again: their scores, and the pixels below which the whole pass is not exact. */
const UNSURE = { from: 0.1, to: 0.9, side: 20 }

/** Side of the tiles around these, in pixels. Such a face and its surroundings fit in. */
const TILE_SIDE = 160

/**
 * True where the overview shows large and sure faces and no sign of any other: these are all the faces there are. For the
 * biggest face, one large and sure face is enough. `pixel` is the overview's, see tiling.ts.
 */
export function isEnough(seen: readonly Detection[], pixel: number, wanted: WantedFaces): boolean {
  const known = seen.filter(face => isLargeAndSure(face, pixel))
  if (known.length === 0) return false
  return (
    wanted === 'biggest' ||
    seen.every(
      one =>
        one.score < (isLarge(one, pixel) ? LARGE_SIGN : SMALL_SIGN) ||
        known.some(face => overlap(face.box, one.box) >= NMS_OVERLAP),
    )
  )
}

/** What a second pass shows: tiles, and the side of their pixels on the photo. */
export interface Refinement {
  readonly tiles: readonly Tile[]
  readonly pixel: number
  /** True: LIMITS.closerPixels did not allow all the tiles that there should be. */
  readonly limited: boolean
}

/** How much larger than the photo the second pass may show it: SSD misses faces of 50 px on small photos. */
const MOST_ENLARGED = 1.5

/** The whole photo in one tile of about `pixels` at most. */
export function planRefinement(photo: Size, pixels: number): Refinement {
  const pixel = Math.max(1 / MOST_ENLARGED, Math.sqrt((photo.width * photo.height) / pixels))
  return { tiles: [wholePhoto(photo, pixel)], pixel, limited: false }
}

/**
 * Tiles around the small and unsure faces of a photo that is too large for `whole` to show them well; largest faces first, with
 * LIMITS.closerPixels at most.
 */
export function planCloserTiles(whole: Refinement, found: readonly Detection[]): Refinement {
  const unsure = found
    .filter(face => face.score >= UNSURE.from && face.score < UNSURE.to && isSmall(face, whole))
    .map(({ box }) => box)
    .toSorted((a, b) => shorterSide(b) - shorterSide(a))
  const needed =
    LIMITS.faceSide < LEAST_SIDE * whole.pixel ? tilesAround(CLOSER_PIXEL, TILE_SIDE, unsure) : []
  const tiles = needed.slice(0, Math.floor(LIMITS.closerPixels / TILE_SIDE ** 2))
  return { tiles, pixel: CLOSER_PIXEL, limited: tiles.length < needed.length }
}

const isSmall = ({ box }: Detection, { pixel }: Refinement): boolean => shorterSide(box) < UNSURE.side * pixel

/** Is this face of the whole pass examined again by one of the tiles? */
export const isReplaced = (face: Detection, whole: Refinement, { tiles, pixel }: Refinement): boolean =>
  isSmall(face, whole) &&
  tiles.some(({ width, height, toUpright: [, , left, , , top] }) => {
    const { x, y } = centreOf(face.box)
    const [across, down] = [(x - left) / pixel / width, (y - top) / pixel / height]
    return Math.min(across, down) >= 1 / 4 && Math.max(across, down) <= 3 / 4
  })
