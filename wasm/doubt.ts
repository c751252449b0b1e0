/** What looks at a whole photo leave open: whether there may be faces that they do not see well enough, and where. */
import { type Box, shorterSide } from '../core/contract/bbox.ts'
import { LIMITS } from '../core/contract/limits.ts'
import { type Detection, LEAST_SCORE, type Sharper } from './detection.ts'
import { LEAST_SIGHT } from './evidence.ts'
import { centreOf } from './geometry.ts'
import type { Photo } from './image.ts'
import { merged, SAME_FACE } from './nms.ts'
import { type Network, tilesOf } from './pictures.ts'

/** Signs of small faces: boxes below so many of the fine look's pixels, with at least such a score. What is no face reaches 0.3. */
const SIGNS = [
  { side: 15, score: 0.22 },
  { side: 22, score: 0.32 },
  { side: 30, score: 0.32, sure: 0.6 },
]

/** Parts of LIMITS.faceSide: what seems smaller than this is no sign of a face that would be reported. */
const REPORTED = 0.6

/** In the fine look, the smallest faces that are reported must have so many pixels for the lack of a sign to mean something. */
const VISIBLE_SIDE = 14

/** On larger photos a face of so many of its pixels is taken to tell how large faces are there. */
const LARGE_SIDE = 22

/** So many of them, as sure as this, are a group; fewer do not tell who stands behind them. */
const GROUP = 3
const SURE = 0.75

/**
 * A sweep shows the smallest reported face in so many pixels, of which the raster has to have this part, where the fine look
 * shows it in fewer than the other. docs/decisions/0033-a-sweep-of-large-photos.md has the measurements.
 */
const SWEPT_SIDE = 8
const SWEPT_RASTER = 0.75
const UNSWEPT_SIDE = 6.4

/** So many pixels a sweep shows at most, in tiles of such a side that share so much. */
const SWEPT_PIXELS = 640_000
const SWEPT_TILE = 640
const SWEPT_SHARED = 64

/** What closer looks are taken at has such a score at least. */
export const LEAST_SIGN = 0.2

/** Could there be faces that the looks at the whole photo, the finest of this pixel on it, do not see well enough? */
export function isInDoubt(quick: readonly Detection[], pixel: number): boolean {
  const isSign = ({ score, box }: Detection) =>
    shorterSide(box) >= REPORTED * LIMITS.faceSide &&
    SIGNS.some(
      sign => shorterSide(box) < sign.side * pixel && score >= sign.score && !(score >= (sign.sure ?? 1)),
    )
  if (quick.some(isSign)) return true
  if (LIMITS.faceSide >= VISIBLE_SIDE * pixel) return false
  return !quick.some(({ score, box }) => score >= LEAST_SCORE && shorterSide(box) >= LARGE_SIDE * pixel)
}

/** Are the photo's smallest faces too small in the fine look, whose pixels have this side, for a sign to be sure to be seen? */
export const isLarge = (pixel: number): boolean => LIMITS.faceSide < UNSWEPT_SIDE * pixel

/** Do the faces tell that there are none much smaller? */
export const isGroup = (quick: readonly Detection[], pixel: number): boolean =>
  largeAndSure(quick, pixel).length >= GROUP

const largeAndSure = (quick: readonly Detection[], pixel: number): Detection[] =>
  quick.filter(({ score, box }) => score >= SURE && shorterSide(box) >= LARGE_SIDE * pixel)

/** Signs of faces on a photo that is large for the fine look, whose pixels have this side: boxes as one look draws them. */
export async function sweep(
  blazeface: Network,
  photo: Photo,
  sharper: Sharper,
  { quick, pixel }: { readonly quick: readonly Detection[]; readonly pixel: number },
): Promise<Detection[]> {
  const finest = Math.max(
    LIMITS.faceSide / SWEPT_SIDE,
    Math.sqrt((photo.width * photo.height) / SWEPT_PIXELS),
  )
  const near = await sharper(SWEPT_RASTER / finest)
  const seen: Detection[] = []
  for (const picture of tilesOf(near, finest, SWEPT_TILE, SWEPT_SHARED)) {
    seen.push(...(await blazeface(near, picture, LEAST_SIGHT)))
  }
  const known = largeAndSure(quick, pixel)
  return merged(seen, SAME_FACE).filter(
    ({ score, box }) =>
      score >= LEAST_SIGN &&
      shorterSide(box) >= REPORTED * LIMITS.faceSide &&
      shorterSide(box) < LARGE_SIDE * pixel &&
      !known.some(face => contains(face.box, box)),
  )
}

/** Is the middle of the second box in the first? */
function contains({ x1, y1, x2, y2 }: Box, box: Box): boolean {
  const { x, y } = centreOf(box)
  return x >= x1 && x < x2 && y >= y1 && y < y2
}
