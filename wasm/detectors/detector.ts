/** The pack's detector: loads its networks and executes the passes for each photo. See docs/detection.md. */
import { PHOTO_LIMITS } from '../../contract/limits/photos.ts'
import { partOn, shorterSide } from '../../contract/model/bbox.ts'
import type { BlazefaceModel, DetectorModel, ReadModel, YunetModel } from '../../models/manifest.ts'
import type { Photo } from '../imaging/image.ts'
import { withForehead } from '../landmarks/face-frame.ts'
import { withoutShapes } from '../runtime/onnx-graph.ts'
import type { Runtime } from '../runtime/runtime.ts'
import { readBlazeface } from './blazeface/blazeface.ts'
import { readSsd } from './blazeface/ssd.ts'
import {
  type DetectedFaces,
  type Detection,
  type DetectionBounds,
  type Detector,
  MIN_SCORE,
  type PhotoAtScale,
  rollOf,
  type WantedFaces,
} from './detection.ts'
import { type FusionWeights, fuseDetections, MIN_CANDIDATE_SCORE, overviewFaces } from './fusion.ts'
import { isEnough, isReplaced, planCloserTiles, planRefinement, type Refinement } from './refinement.ts'
import { type Network, networkOf, pixelFor, type ReadOutputs, wholePhoto } from './tiling.ts'
import { readYunet } from './yunet.ts'

/** The networks of a detector and the parameters of its passes. */
interface Networks {
  readonly overview: Network
  /** Longer sides of the overview passes, in pixels. */
  readonly sides: readonly number[]
  /** Side of the input, for a network that takes squares of one size only. */
  readonly square?: number
  /** Absent: the detector has only the overview. */
  readonly refinement?: Network
  /** Maximum number of input pixels of the second pass over a whole photo. */
  readonly pixels: number
  readonly weights: FusionWeights
}

/**
 * Longer sides of the overview passes. The smaller pass costs a quarter, is enough for most portraits, and finds
 * faces that fill the photo.
 */
const SMALL_SIDE = 128
const SIDE = 256

/**
 * Least side, in pixels of the smaller pass, of the faces that this pass contributes. The larger pass may miss them.
 */
const FILLING_SIDE = 40

/**
 * The smaller pass may decide only if the smallest face has at least this side in its pixels. It shows no sign of
 * smaller faces.
 */
const VISIBLE_SIDE = 5

/**
 * One-network detectors take a fifth of SSD's time per pixel. Their second pass gets this many times as many pixels.
 */
const FAST = 1.5

/** The second pass may enlarge the raster by this factor. Many photos then need a raster one size smaller. */
const ENLARGED = 1.1

/**
 * Opens the model's networks. The options replace the default bounds of reported faces. Half of the least side must be on the
 * photo: networks see faces around a picture of a few pixels.
 */
export async function openDetector(
  runtime: Runtime,
  read: ReadModel,
  model: DetectorModel,
  { leastScore = MIN_SCORE, leastSide = PHOTO_LIMITS.detectedFaceSide }: DetectionBounds = {},
): Promise<Detector> {
  const networks = await openNetworks(runtime, read, model)
  return {
    async detect(photo, sharper = async () => photo, wanted = 'all') {
      const { faces, limited } = await detect(networks, photo, sharper, wanted)
      const sure = faces.filter(
        ({ score, box }) => score >= leastScore && shorterSide(partOn(box, photo)) >= leastSide / 2,
      )
      const isLarge = ({ box }: Detection) => shorterSide(box) >= leastSide
      return { faces: sure.filter(isLarge), tooSmall: sure.filter(face => !isLarge(face)), limited }
    },
    refinedScale: size => (networks.refinement ? scaleFor(planRefinement(size, networks.pixels)) : 0),
  }
}

/** The networks of each kind of detector. Another kind has its schema in models/manifest.ts, its reader, and a line here. */
function openNetworks(runtime: Runtime, read: ReadModel, model: DetectorModel): Promise<Networks> {
  switch (model.kind) {
    case 'blazeface':
      return openBlazeface(runtime, read, model)
    case 'yunet':
      return openYunet(runtime, read, model)
  }
}

/** BlazeFace for the overview, SSD for the second pass. */
async function openBlazeface(runtime: Runtime, read: ReadModel, model: BlazefaceModel): Promise<Networks> {
  const { closer } = model
  const load = async (file: string) => runtime.session(await read(file), { inParts: true })
  return {
    overview: networkOf(await load(model.file), model.input, readFaces),
    sides: [SMALL_SIDE, SIDE],
    ...(closer && { refinement: networkOf(await load(closer.file), closer.input, readSsd) }),
    pixels: PHOTO_LIMITS.detectionPixels,
    weights: { overview: 0.6, refinement: 1.95, bias: 2.9, sureness: 2, alone: 20 },
  }
}

/** Extends BlazeFace's squares to boxes as SSD and human annotators draw them. */
const readFaces: ReadOutputs = (outputs, width, leastScore) =>
  readBlazeface(outputs, width, leastScore).map(face => ({
    ...face,
    box: withForehead(face.box, rollOf(face.points!)),
  }))

/** One network for both passes. It gives five points with each face. */
async function openYunet(runtime: Runtime, read: ReadModel, model: YunetModel): Promise<Networks> {
  const bytes = await read(model.file)
  const session = await runtime.session(model.fixed ? bytes : withoutShapes(bytes))
  const network = networkOf(session, model.input, readYunet)
  const pixels = FAST * PHOTO_LIMITS.detectionPixels
  const weights = { overview: 0.2, refinement: 1, bias: 0, sureness: 1, alone: 80 }
  return model.fixed
    ? { overview: network, sides: [model.side], square: model.side, pixels, weights }
    : { overview: network, sides: [SIDE], refinement: network, pixels, weights }
}

/** Faces of every size, with scores from MIN_CANDIDATE_SCORE up. */
async function detect(
  { overview, sides, square, refinement, pixels, weights }: Networks,
  photo: Photo,
  sharper: PhotoAtScale,
  wanted: WantedFaces,
): Promise<Omit<DetectedFaces, 'tooSmall'>> {
  const known: Detection[] = []
  let pixel = 1
  for (const [i, side] of sides.entries()) {
    pixel = pixelFor(photo, side)
    const isLast = i === sides.length - 1
    const seen = await overview(photo, wholePhoto(photo, pixel, square), MIN_CANDIDATE_SCORE)
    const decides = isLast || PHOTO_LIMITS.faceSide >= VISIBLE_SIDE * pixel
    if (decides && isEnough(seen, pixel, { wanted, photo }))
      return { faces: overviewFaces(seen, weights), limited: false }
    known.push(...seen.filter(({ box }) => isLast || shorterSide(box) >= FILLING_SIDE * pixel))
  }
  if (!refinement || wanted === 'clear') return { faces: overviewFaces(known, weights), limited: false }

  const take = async (plan: Refinement): Promise<Detection[]> => {
    if (plan.tiles.length === 0) return []
    const near = await sharper(scaleFor(plan))
    const seen: Detection[] = []
    for (const tile of plan.tiles) seen.push(...(await refinement(near, tile, MIN_CANDIDATE_SCORE)))
    return seen
  }
  const whole = planRefinement(photo, pixels)
  const refined = await take(whole)
  const faces = fuseDetections(known, refined, pixel, weights)
  const closer = planCloserTiles(whole, faces)
  if (closer.tiles.length === 0) return { faces, limited: closer.limited }
  const kept = refined.filter(face => !isReplaced(face, whole, closer))
  return {
    faces: fuseDetections(known, [...kept, ...(await take(closer))], pixel, weights),
    limited: closer.limited,
  }
}

/** The scale of the raster that these tiles need, 0..1. */
const scaleFor = ({ pixel }: Refinement): number => Math.min(1, 1 / (ENLARGED * pixel))
