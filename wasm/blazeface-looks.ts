/** The detector of the kind `blazeface`: quick looks at the whole photo and, where they leave doubt, closer ones with SSD. */
import { type Box, height, overlap, width } from '../core/contract/bbox.ts'
import { LIMITS } from '../core/contract/limits.ts'
import type { BlazefaceModel, ReadModel } from '../models/manifest.ts'
import { readBlazeface } from './blazeface.ts'
import { type Detection, type Detector, type Least, rollOf, type Sharper } from './detection.ts'
import { distinct, LEAST_SIGHT, type Sight, weighed } from './evidence.ts'
import type { Photo } from './image.ts'
import { merged } from './nms.ts'
import { mirrored, type Network, networkOf, type Picture, pixelOf, tilesOf, wholeOf } from './pictures.ts'
import type { Runtime } from './runtime.ts'
import { readSsd } from './ssd.ts'

/**
 * Longer sides of the pictures of the whole photo. The coarse one is for faces that nearly fill it, and believed from so
 * many pixels on. docs/decisions/0014-two-networks-look-closer.md has the measurements behind all of these numbers.
 */
const COARSE_SIDE = 64
const LEAST_COARSE = 35
const FINE_SIDE = 320

/** Where the fine look sees a large face and is not this sure, the coarse one has to see it, too, if only so surely: clouds are not. */
const CONFIRMED = { score: 0.75, side: 80 }
const LEAST_CONFIRMING = 0.4

/** Scores below this are not faces. */
const LEAST_SCORE = 0.5

/** Boxes of one look, or of looks at the whole photo, that overlap this much are one face. */
const SAME_FACE = 0.3

/** Signs of small faces: boxes below so many of the fine look's pixels, with at least such a score. What is no face reaches 0.3. */
const SIGNS = [
  { side: 16, score: 0.22 },
  { side: 24, score: 0.32 },
  { side: 32, score: 0.32, sure: 0.6 },
]

/** In the fine look, the smallest faces that are reported must have so many pixels for the lack of a sign to mean something. */
const VISIBLE_SIDE = 14

/**
 * On larger photos a face of so many of its pixels is taken to tell how large faces are there. Its box is this look's where
 * it is this sure, whether closer looks follow or not: SSD's are taller, and a box must not depend on what else there is.
 */
const LARGE_SIDE = 24
const SURE = 0.6

/**
 * SSD's looks: pixels that the smallest reported face has there. The first is always taken, the others as long as all of them
 * show no more than so many pixels: on larger photos they would take seconds.
 */
const WORTH_MORE = 1_300_000
const LOOKS = [{ side: 20, mirror: true }, { side: 24 }, { side: 16 }] as const

/** Tiles, and what neighbours share, in pixels. */
const TILE = 416
const SHARED = 96

/** Faces above this many pixels of SSD's looks may not be whole in a tile: there is a coarser look for them. */
const COARSER = 3

/** A face of so many pixels in SSD's coarsest look is left to the looks at the whole photo. */
const TOO_LARGE = 96

/**
 * SSD does not see faces that are turned so many radians in the picture. There BlazeFace is believed from this score on, if the
 * face is visible: on the 200 crowd photos that adds 18 faces and 2 mistakes at most.
 */
const TURNED = 0.44
const SURE_OF_TURNED = 0.6

/** Tiles where BlazeFace sees nothing of at least this are not shown to SSD. */
const WORTH_A_LOOK = 0.1

interface Networks {
  readonly blazeface: Network
  readonly ssd: Network | undefined
}

/** Loads the networks. */
export async function openBlazeface(
  runtime: Runtime,
  read: ReadModel,
  model: BlazefaceModel,
  { leastScore = LEAST_SCORE, leastSide = LIMITS.faceSide }: Least = {},
): Promise<Detector> {
  const { closer } = model
  const networks = {
    blazeface: networkOf(await runtime.session(await read(model.file)), model.input, readBlazeface),
    ssd: closer && networkOf(await runtime.session(await read(closer.file)), closer.input, readSsd),
  }
  return {
    async detect(photo, sharper = async () => photo) {
      const found = await detect(networks, photo, sharper)
      return found.filter(({ score, box }) => score >= leastScore && sideOf(box) >= leastSide)
    },
  }
}

const sideOf = (box: Box): number => Math.min(width(box), height(box))

/** Every face of whatever size, with scores from LEAST_SIGHT up. */
async function detect({ blazeface, ssd }: Networks, photo: Photo, sharper: Sharper): Promise<Detection[]> {
  const at = (side: number): Picture => wholeOf(photo, pixelOf(photo, side))
  const coarse = await blazeface(photo, at(COARSE_SIDE), LEAST_CONFIRMING)
  const fine = await blazeface(photo, at(FINE_SIDE), LEAST_SIGHT)
  const pixel = pixelOf(photo, FINE_SIDE)
  const filling = coarse.filter(
    ({ score, box }) => score >= LEAST_SCORE && sideOf(box) >= LEAST_COARSE * pixelOf(photo, COARSE_SIDE),
  )
  const isLikely = ({ score, box }: Detection): boolean =>
    score >= CONFIRMED.score ||
    sideOf(box) < CONFIRMED.side * pixel ||
    coarse.some(one => overlap(one.box, box) >= SAME_FACE)
  const quick = merged([...filling, ...fine.filter(isLikely)], SAME_FACE)
  if (!ssd || !isInDoubt(quick, pixel)) return quick

  const levels = levelsOf(photo, pixel)
  const finest = Math.min(...levels.flatMap(({ pixels }) => pixels))
  const coarsest = Math.max(...levels.flatMap(({ pixels }) => pixels))
  const near = await sharper(Math.min(1, 1 / finest))
  const sights: Sight[] = fine.map(detection => ({ ...detection, witness: 0 }))
  for (const [i, { pixels, mirror }] of levels.entries()) {
    for (const picture of pixels.flatMap(one => tilesOf(near, one, TILE, SHARED))) {
      if (i === 0) {
        const signs = merged(await blazeface(near, picture, LEAST_SIGHT), SAME_FACE)
        sights.push(...signs.map(sign => ({ ...sign, witness: 0 })))
        if (!signs.some(({ score }) => score >= WORTH_A_LOOK)) continue
      }
      const seen = await ssd(near, mirror ? mirrored(picture) : picture, LEAST_SIGHT)
      sights.push(...seen.map(one => ({ ...one, witness: i + 1 })))
    }
  }
  const seen = quick.filter(
    face =>
      sideOf(face.box) >= TOO_LARGE * coarsest ||
      (face.score >= SURE && sideOf(face.box) >= LARGE_SIDE * pixel) ||
      (isTurned(face) && sideOf(face.box) >= VISIBLE_SIDE * pixel),
  )
  const others = weighed(sights, levels.length, LIMITS.faceSide / LOOKS[0].side).filter(({ box }) =>
    seen.every(face => overlap(face.box, box) < SAME_FACE),
  )
  return distinct([...seen, ...others])
}

const isTurned = ({ score, points }: Detection): boolean =>
  score >= SURE_OF_TURNED && points !== undefined && Math.abs(rollOf(points)) >= TURNED

/** Could there be faces that the looks at the whole photo, the finest of this pixel on it, do not see well enough? */
function isInDoubt(quick: readonly Detection[], pixel: number): boolean {
  const isSign = ({ score, box }: Detection) =>
    SIGNS.some(sign => sideOf(box) < sign.side * pixel && score >= sign.score && !(score >= (sign.sure ?? 1)))
  if (quick.some(isSign)) return true
  if (LIMITS.faceSide >= VISIBLE_SIDE * pixel) return false
  return !quick.some(({ score, box }) => score >= LEAST_SCORE && sideOf(box) >= LARGE_SIDE * pixel)
}

/** SSD's looks, each at a size for the smallest faces and at coarser ones up to the fine look's. */
function levelsOf(photo: Photo, fine: number): { pixels: number[]; mirror: boolean }[] {
  const levels: { pixels: number[]; mirror: boolean }[] = []
  let area = 0
  for (const look of LOOKS) {
    const least = Math.sqrt((photo.width * photo.height) / LIMITS.detectionPixels)
    const pixel = Math.max(LIMITS.faceSide / look.side, least)
    area += (photo.width * photo.height) / pixel ** 2
    if (levels.length > 0 && area > WORTH_MORE) break
    const pixels = [pixel]
    while (pixels.at(-1)! * COARSER < fine) pixels.push(pixels.at(-1)! * COARSER)
    levels.push({ pixels, mirror: 'mirror' in look })
  }
  return levels
}
