/** What looks at a whole photo leave open: whether there may be faces that they do not see well enough, and where. */
import { type Box, shorterSide } from '../core/contract/bbox.ts'
import { LIMITS } from '../core/contract/limits.ts'
import { beliefIn, isLargeAndSure, isLargeFace, isLargePhoto } from './belief.ts'
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

/** So many large and sure faces are a group, and tell how large faces are there; fewer do not tell who stands behind them. */
const GROUP = 3

/**
 * A sweep shows the smallest reported face in so many pixels, and in fewer as the photo grows, lest it show more than `pixels`
 * of them: down to `least`, and to fewer only where it were more than `most`. The raster has to have this part of its pixels
 * a side. docs/decisions/0033-a-sweep-of-large-photos.md has the measurements behind this and what follows.
 */
const SWEPT = { side: 12, pixels: 640 * 480, least: 8, most: 640_000, raster: 0.75 }

/** Tiles of a sweep, and what neighbours share, in pixels. */
const SWEPT_TILE = 640
const SWEPT_SHARED = 64

/**
 * What closer looks are taken at has such a score at least. Where the looks at the whole photo show signs, too, fainter ones
 * will do if the sweep shows faces as large as it can: on larger photos there is more noise.
 */
const LEAST_SIGN = 0.2
const FAINT_SIGN = 0.1

/** What the looks at the whole photo saw, and the side on it of the fine one's pixels. */
interface Seen {
  readonly quick: readonly Detection[]
  readonly pixel: number
}

/** What a sweep of the photo saw, and the side of its pixels there. */
export interface Swept {
  readonly seen: readonly Detection[]
  readonly pixel: number
}

/** Where closer looks are to be taken: at places, none perhaps, or everywhere. */
export interface Doubt {
  readonly places: readonly Box[] | 'everywhere'
  /** Where there was one. */
  readonly swept?: Swept
}

/** What the looks at the whole photo leave in doubt. Large photos are swept for signs first. */
export async function doubtOf(
  blazeface: Network,
  photo: Photo,
  sharper: Sharper,
  { quick, pixel }: Seen,
): Promise<Doubt> {
  const inDoubt = isInDoubt(quick, pixel)
  if (!isLargePhoto(pixel)) return { places: inDoubt ? 'everywhere' : [] }
  if (!inDoubt && isGroup(quick, pixel)) return { places: [] }
  const least = leastSign(inDoubt, photo)
  const swept = await sweep(blazeface, photo, sharper)
  const signs = signsOf(swept, { quick, pixel, least })
  if (!inDoubt && signs.length === 0) return { places: [] }
  const unsure = quick.filter(face => face.score >= least && beliefIn(face, pixel).score < 1)
  return { places: [...signs, ...unsure].map(({ box }) => box), swept }
}

/** Could there be faces that the looks at the whole photo, the finest of this pixel on it, do not see well enough? */
function isInDoubt(quick: readonly Detection[], pixel: number): boolean {
  const isSign = ({ score, box }: Detection) =>
    shorterSide(box) >= REPORTED * LIMITS.faceSide &&
    SIGNS.some(
      sign => shorterSide(box) < sign.side * pixel && score >= sign.score && !(score >= (sign.sure ?? 1)),
    )
  if (quick.some(isSign)) return true
  if (LIMITS.faceSide >= VISIBLE_SIDE * pixel) return false
  return !quick.some(face => face.score >= LEAST_SCORE && isLargeFace(face, pixel))
}

/** The least score of what closer looks are taken at. */
const leastSign = (inDoubt: boolean, photo: Photo): number =>
  inDoubt && sweptPixel(photo) * SWEPT.side <= LIMITS.faceSide ? FAINT_SIGN : LEAST_SIGN

/** Do the faces tell that there are none much smaller? */
const isGroup = (quick: readonly Detection[], pixel: number): boolean =>
  quick.filter(face => isLargeAndSure(face, pixel)).length >= GROUP

/** One look at all of a photo that is large for the fine look. */
async function sweep(blazeface: Network, photo: Photo, sharper: Sharper): Promise<Swept> {
  const pixel = sweptPixel(photo)
  const near = await sharper(Math.min(1, SWEPT.raster / pixel))
  const seen: Detection[] = []
  for (const picture of tilesOf(near, pixel, SWEPT_TILE, SWEPT_SHARED)) {
    seen.push(...(await blazeface(near, picture, LEAST_SIGHT)))
  }
  return { seen, pixel }
}

/** Signs in it, of at least this score, of faces that the looks at the whole photo do not see well enough. */
function signsOf({ seen }: Swept, { quick, pixel, least }: Seen & { readonly least: number }): Detection[] {
  const known = quick.filter(face => isLargeAndSure(face, pixel))
  return merged(seen, SAME_FACE).filter(
    ({ score, box }) =>
      score >= least &&
      shorterSide(box) >= REPORTED * LIMITS.faceSide &&
      !isLargeFace({ box }, pixel) &&
      !known.some(face => contains(face.box, box)),
  )
}

/** Side of a sweep's pixels on the photo. */
function sweptPixel({ width, height }: Photo): number {
  const sideFor = (pixels: number): number => Math.sqrt((width * height) / pixels)
  return Math.max(
    LIMITS.faceSide / SWEPT.side,
    Math.min(LIMITS.faceSide / SWEPT.least, sideFor(SWEPT.pixels)),
    sideFor(SWEPT.most),
  )
}

/** Is the middle of the second box in the first? */
function contains({ x1, y1, x2, y2 }: Box, box: Box): boolean {
  const { x, y } = centreOf(box)
  return x >= x1 && x < x2 && y >= y1 && y < y2
}
