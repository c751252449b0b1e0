/** The detector of the kind `blazeface`: quick looks at the whole photo and, where they leave doubt, closer ones with SSD. */
import { overlap, shorterSide } from '../core/contract/bbox.ts'
import { LIMITS } from '../core/contract/limits.ts'
import type { BlazefaceModel, ReadModel } from '../models/manifest.ts'
import { along, beliefIn } from './belief.ts'
import { readBlazeface } from './blazeface.ts'
import { lookCloser, type Networks, withLook } from './closer-looks.ts'
import {
  type Detection,
  type Detector,
  LEAST_SCORE,
  type Least,
  rollOf,
  type Sharper,
  type Wanted,
} from './detection.ts'
import { doubtOf } from './doubt.ts'
import { between, distinct, LEAST_SIGHT, weighed } from './evidence.ts'
import { withForehead } from './face-frame.ts'
import type { Photo } from './image.ts'
import { USUAL_PIXEL } from './levels.ts'
import { merged, SAME_FACE } from './nms.ts'
import { networkOf, type Picture, pixelOf, type Reading, wholeOf } from './pictures.ts'
import type { Runtime } from './runtime.ts'
import { readSsd } from './ssd.ts'

/**
 * Longer sides of the pictures of the whole photo. The coarse one is for faces that nearly fill it, and believed the more the
 * larger they are there, from none to all in this range of pixels. docs/decisions/0024-every-look-counts.md has the measurements
 * behind all of these numbers.
 */
const FIRST_SIDE = 128
const COARSE_SIDE = 64
const FILLING = { from: 28, to: 40 }
const FINE_SIDE = 320

/**
 * In the first look: faces so sure and of so many pixels, and no sign of anything else, are all that is there. Where there are
 * more faces there is a sign of them, even if they are too small to be seen; those that are not small are seen well.
 * docs/decisions/0030-both-sides-of-a-face.md has the measurements.
 */
const PORTRAIT = { sure: 0.75, side: 24 }
const MORE = { small: 24, sign: 0.18, largeSign: 0.25 }

/**
 * Pixels that the smallest reported face has to have in the first look for that to be the only one: of faces further away
 * there is no sign in it. docs/decisions/0032-more-than-a-glimpse.md has the measurements.
 */
const GLIMPSED_SIDE = 5

/** Where the fine look sees a large face and is not this sure, another one has to see it, too, if only so surely: clouds are not. */
const CONFIRMED = { score: 0.75, side: 60 }
const LEAST_CONFIRMING = 0.35

/** A face so sure, and with so many pixels in the fine look, is not looked at closer where only the biggest is wanted. */
const KNOWN = { score: 0.9, side: 48 }

/** Loads the networks. */
export async function openBlazeface(
  runtime: Runtime,
  read: ReadModel,
  model: BlazefaceModel,
  { leastScore = LEAST_SCORE, leastSide = LIMITS.faceSide }: Least = {},
): Promise<Detector> {
  const { closer } = model
  const load = async (file: string) => runtime.session(await read(file), { inParts: true })
  const blazeface = networkOf(await load(model.file), model.input, readFaces)
  const ssd = closer && networkOf(await load(closer.file), closer.input, readSsd)
  return {
    async detect(photo, sharper = async () => photo, wanted = 'all') {
      const found = await detect({ blazeface, ...(ssd && { ssd }) }, photo, sharper, wanted)
      return found.filter(({ score, box }) => score >= leastScore && shorterSide(box) >= leastSide)
    },
  }
}

/** BlazeFace's answer, in boxes like SSD's. */
const readFaces: Reading = (outputs, width, leastScore) =>
  readBlazeface(outputs, width, leastScore).map(face => ({
    ...face,
    box: withForehead(face.box, rollOf(face.points!)),
  }))

/** With twice the logarithmic odds: BlazeFace is surer than it says, as far above one half as below it. */
const surer = (face: Detection): Detection => {
  const { score } = face
  return { ...face, score: score ** 2 / (score ** 2 + (1 - score) ** 2) }
}

type Looking = Pick<Networks, 'blazeface'> & Partial<Networks>

/** Every face of whatever size, with scores from LEAST_SIGHT up. */
async function detect(
  { blazeface, ssd }: Looking,
  photo: Photo,
  sharper: Sharper,
  wanted: Wanted,
): Promise<Detection[]> {
  const at = (side: number): Picture => wholeOf(photo, pixelOf(photo, side))
  const first = await blazeface(photo, at(FIRST_SIDE), LEAST_SIGHT)
  const portrait = portraitOf(first, pixelOf(photo, FIRST_SIDE))
  if (portrait.length > 0) return merged(portrait, SAME_FACE).map(surer)

  const coarse = await blazeface(photo, at(COARSE_SIDE), LEAST_SIGHT)
  const fine = await blazeface(photo, at(FINE_SIDE), LEAST_SIGHT)
  const pixel = pixelOf(photo, FINE_SIDE)
  const quick = atFirstSight(photo, { first, coarse, fine })
  if (!ssd || (wanted === 'biggest' && quick.some(face => isKnown(face, pixel)))) return quick.map(surer)

  const { places, swept } = await doubtOf(blazeface, photo, sharper, { quick, pixel })
  if (places.length === 0) return quick.map(surer)

  const whole = [{ seen: fine, pixel }, ...(swept ? [swept] : [])]
  const { looks, sights } = whole.reduce(
    withLook,
    await lookCloser({ blazeface, ssd }, photo, sharper, pixel, places),
  )
  const others = weighed(sights, looks, USUAL_PIXEL)
  const believed = quick.flatMap(face => {
    const belief = beliefIn(face, pixel)
    return belief.box > 0 ? between(surer(face), others, belief) : []
  })
  return distinct([
    ...believed,
    ...others.filter(({ box }) => believed.every(face => overlap(face.box, box) < SAME_FACE)),
  ])
}

/** Is this face known well enough in the fine look, whose pixels have this side? One that is larger is seen there, too. */
const isKnown = ({ score, box }: Detection, pixel: number): boolean =>
  score >= KNOWN.score && shorterSide(box) >= KNOWN.side * pixel

/** The sights of large and sure faces, if there are some and hardly a sign of anything else. */
function portraitOf(seen: readonly Detection[], pixel: number): Detection[] {
  if (LIMITS.faceSide < GLIMPSED_SIDE * pixel) return []
  const large = seen.filter(
    ({ score, box }) => score >= PORTRAIT.sure && shorterSide(box) >= PORTRAIT.side * pixel,
  )
  const isOfThem = ({ box }: Detection): boolean => large.some(face => overlap(face.box, box) >= SAME_FACE)
  const isSign = (one: Detection): boolean =>
    one.score >= (shorterSide(one.box) < MORE.small * pixel ? MORE.sign : MORE.largeSign) && !isOfThem(one)
  return seen.some(isSign) ? [] : seen.filter(isOfThem)
}

/** The faces that the looks at the whole photo are of. */
function atFirstSight(
  photo: Photo,
  { first, coarse, fine }: Readonly<Record<'first' | 'coarse' | 'fine', readonly Detection[]>>,
): Detection[] {
  const [coarsePixel, pixel] = [pixelOf(photo, COARSE_SIDE), pixelOf(photo, FINE_SIDE)]
  const filling = coarse.map(face => ({
    ...face,
    score: face.score * along(FILLING, shorterSide(face.box) / coarsePixel),
  }))
  const isLikely = ({ score, box }: Detection): boolean =>
    score >= CONFIRMED.score ||
    shorterSide(box) < CONFIRMED.side * pixel ||
    [...coarse, ...first].some(one => one.score >= LEAST_CONFIRMING && overlap(one.box, box) >= SAME_FACE)
  return merged([...filling.filter(({ score }) => score >= LEAST_SIGHT), ...fine.filter(isLikely)], SAME_FACE)
}
