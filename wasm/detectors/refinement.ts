/** Plans the passes over a photo: whether the overview is enough, and the tiles of the second pass. */
import { PHOTO_LIMITS } from '../../contract/limits/photos.ts'
import { areaOn, overlap, shorterSide } from '../../contract/model/bbox.ts'
import { centreOf, type Size } from '../imaging/geometry.ts'
import type { Detection, WantedFaces } from './detection.ts'
import { isLarge, isLargeAndSure, NMS_OVERLAP } from './fusion.ts'
import { type Tile, tilesAround, wholePhoto } from './tiling.ts'

/** Scores from which a detection counts as a sign of another face. Noise has lower scores at small sizes. */
const SMALL_SIGN = 0.18
const LARGE_SIGN = 0.25

/**
 * The whole-photo pass is enough if the smallest face has this side in its pixels. Closer tiles show that face with
 * 16 px.
 */
const LEAST_SIDE = 12
const CLOSER_PIXEL = PHOTO_LIMITS.faceSide / 16

/**
 * Faces of a large photo that get a closer tile: score range, and side in pixels below which the whole-photo pass is
 * inexact.
 */
const UNSURE = { from: 0.1, to: 0.9, side: 20 }

/** Side of the closer tiles, in pixels: a face with its surroundings fits. */
const TILE_SIDE = 160

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
  const known = seen.filter(face => isLargeAndSure(face, pixel))
  if (known.length === 0) return false
  const biggest = Math.max(...known.map(({ box }) => areaOn(box, photo)))
  const least = wanted === 'biggest' ? COMPARABLE_AREA * biggest : 0
  return seen.every(
    one =>
      one.score < (isLarge(one, pixel) ? LARGE_SIGN : SMALL_SIGN) ||
      areaOn(one.box, photo) < least ||
      known.some(face => overlap(face.box, one.box) >= NMS_OVERLAP),
  )
}

/** A second pass: its tiles, and the side of their pixels on the photo. */
export interface Refinement {
  readonly tiles: readonly Tile[]
  readonly pixel: number
  /** True: PHOTO_LIMITS.closerPixels did not allow every tile. */
  readonly limited: boolean
}

/** Maximum enlargement of the photo in the second pass: SSD misses faces of 50 px on small photos. */
const MOST_ENLARGED = 1.5

/** Sides of tiles are rounded up. That may add this part; a very long or high photo gets larger pixels instead. */
const MOST_ROUNDED = 0.25

/** One tile with the whole photo, of about `pixels` at most. */
export function planRefinement(photo: Size, pixels: number): Refinement {
  let pixel = Math.max(1 / MOST_ENLARGED, Math.sqrt((photo.width * photo.height) / pixels))
  let tile = wholePhoto(photo, pixel)
  while (tile.width * tile.height > (1 + MOST_ROUNDED) * pixels) {
    pixel *= 1.1
    tile = wholePhoto(photo, pixel)
  }
  return { tiles: [tile], pixel, limited: false }
}

/**
 * Tiles around the small and uncertain faces of a photo that is too large for the pass `whole`. Largest faces first,
 * at most PHOTO_LIMITS.closerPixels in total.
 */
export function planCloserTiles(whole: Refinement, found: readonly Detection[]): Refinement {
  const unsure = found
    .filter(face => face.score >= UNSURE.from && face.score < UNSURE.to && isSmall(face, whole))
    .map(({ box }) => box)
    .toSorted((a, b) => shorterSide(b) - shorterSide(a))
  const needed =
    PHOTO_LIMITS.faceSide < LEAST_SIDE * whole.pixel ? tilesAround(CLOSER_PIXEL, TILE_SIDE, unsure) : []
  const tiles = needed.slice(0, Math.floor(PHOTO_LIMITS.closerPixels / TILE_SIDE ** 2))
  return { tiles, pixel: CLOSER_PIXEL, limited: tiles.length < needed.length }
}

const isSmall = ({ box }: Detection, { pixel }: Refinement): boolean => shorterSide(box) < UNSURE.side * pixel

/** True if a closer tile covers this face of the whole-photo pass. */
export const isReplaced = (face: Detection, whole: Refinement, { tiles, pixel }: Refinement): boolean =>
  isSmall(face, whole) &&
  tiles.some(({ width, height, toUpright: [, , left, , , top] }) => {
    const { x, y } = centreOf(face.box)
    const [across, down] = [(x - left) / pixel / width, (y - top) / pixel / height]
    return Math.min(across, down) >= 1 / 4 && Math.max(across, down) <= 3 / 4
  })
