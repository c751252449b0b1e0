/**
 * The pack's detector: loads its networks and executes the passes for each photo. The overview of a photo decides how many. See
 * docs/detection.md.
 */
import { PHOTO_LIMITS } from '../../contract/limits/photos.ts'
import { areaOn, overlap, partOn, shorterSide } from '../../contract/model/bbox.ts'
import type { BlazefaceModel, DetectorModel, ReadModel, YunetModel } from '../../models/manifest.ts'
import { withForehead } from '../alignment/align.ts'
import type { Size } from '../imaging/geometry.ts'
import { type Photo, turnedPhoto } from '../imaging/orientation.ts'
import { withoutShapes } from '../runtime/onnx-graph.ts'
import type { Runtime } from '../runtime/runtime.ts'
import { readBlazeface } from './blazeface/blazeface.ts'
import {
  type DetectedFaces,
  type Detection,
  type DetectionBounds,
  type Detector,
  type PhotoAtScale,
  rollOf,
  type WantedFaces,
} from './detection.ts'
import { isSameFace, isTruncated, mergeOverlapping, SAME_OVERLAP } from './merging.ts'
import { openMtcnn } from './mtcnn/mtcnn.ts'
import type { Onet } from './mtcnn/onet.ts'
import {
  mapDetection,
  type Network,
  networkOf,
  pixelFor,
  planWholePhoto,
  type ReadOutputs,
  wholePhoto,
} from './tiling.ts'
import { readYunet } from './yunet.ts'

/** The networks of a detector. */
interface Networks {
  readonly overview: Network
  /** Longer sides of the overview passes, in pixels. */
  readonly sides: readonly number[]
  /** Side of the input, for a network that takes squares of one size only. */
  readonly square?: number
  /** Judges faces of the overview, if another network does. */
  readonly judge?: (photo: Photo, faces: readonly Detection[]) => Promise<Detection[]>
  /** Absent: the detector has only the overview. */
  readonly second?: SecondPass
}

/** The pass over photos that the overview does not settle. */
interface SecondPass {
  /** The scale of the raster that it takes, 0..1. */
  scaleFor(size: Size): number
  /** Several detections per face, with the detections of the overview that count. `pixel` belongs to the overview, see tiling.ts. */
  find(
    photo: Photo,
    known: readonly Detection[],
    pixel: number,
  ): Promise<{ faces: Detection[]; limited: boolean }>
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

/** Least score that an overview pass reports. */
const LEAST_SIGN = 0.05

/** Detections with lower scores are not reported. */
const LEAST_SCORE = 0.5

/** Least score of the overview's faces that O-Net judges. It raises no lower one to LEAST_SCORE. */
const LEAST_KNOWN = 0.4

/** Quarters by which a photo that shows no face is turned. The overview of a turn must show a face with the least score. */
const TURN_QUARTERS = [1, 3, 2] as const
const TURNED_SCORE = 0.9

/** Faces that are judged at all quarters, at most. */
const MOST_TURNED = 4

/**
 * Opens the model's networks. The options replace the default bounds of reported faces. Half of the least side must be on the
 * photo: networks see faces around a picture of a few pixels.
 */
export async function openDetector(
  runtime: Runtime,
  read: ReadModel,
  model: DetectorModel,
  onet: Onet,
  { leastScore = LEAST_SCORE, leastSide = PHOTO_LIMITS.detectedFaceSide }: DetectionBounds = {},
): Promise<Detector> {
  const networks = await openNetworks(runtime, read, model, onet, leastSide)
  const onUpright = async (photo: Photo, sharper: PhotoAtScale, wanted: WantedFaces) => {
    const found = await detect(networks, photo, sharper, wanted)
    const { faces } = found
    const limited = found.limited || isTruncated(faces, leastScore)
    const sure = faces.filter(
      ({ score, box }) => score >= leastScore && shorterSide(partOn(box, photo)) >= leastSide / 2,
    )
    const isLarge = ({ box }: Detection) => shorterSide(box) >= leastSide
    return { faces: sure.filter(isLarge), tooSmall: sure.filter(face => !isLarge(face)), limited }
  }
  return {
    async detect(photo, sharper = async () => photo, wanted = 'all') {
      // A sharper raster replaces the previous one. The previous one must no longer be read.
      let current = photo
      const at: PhotoAtScale = async scale => {
        current = await sharper(scale)
        return current
      }
      const upright = await onUpright(photo, at, wanted)
      if (wanted === 'clear' || upright.faces.length + upright.tooSmall.length > 0) return upright
      for (const quarters of TURN_QUARTERS) {
        const { turned, toUpright } = turnedPhoto(current, quarters)
        const seen = await onUpright(turned, at, 'clear')
        if (!seen.faces.some(({ score }) => score >= TURNED_SCORE)) continue
        const turnedSharper = async (scale: number) => turnedPhoto(await at(scale), quarters).turned
        const { faces, limited } = await onUpright(turned, turnedSharper, wanted)
        return {
          faces: faces.map(face => mapDetection(toUpright, face)),
          tooSmall: [],
          limited: upright.limited || limited,
        }
      }
      return upright
    },
    refinedScale: size => networks.second?.scaleFor(size) ?? 0,
  }
}

/** The networks of each kind of detector. `DetectorSchema` in models/manifest.ts says what another kind needs. */
function openNetworks(
  runtime: Runtime,
  read: ReadModel,
  model: DetectorModel,
  onet: Onet,
  leastFace: number,
): Promise<Networks> {
  switch (model.kind) {
    case 'blazeface':
      return openBlazeface(runtime, read, model, onet, leastFace)
    case 'yunet':
      return openYunet(runtime, read, model)
  }
}

/** BlazeFace for the overview, MTCNN for the second pass and for the scores of all faces. */
async function openBlazeface(
  runtime: Runtime,
  read: ReadModel,
  { file, input, mtcnn: model }: BlazefaceModel,
  onet: Onet,
  leastFace: number,
): Promise<Networks> {
  const session = await runtime.session(await read(file), { pixelUs: 0.6 })
  const mtcnn = await openMtcnn(runtime, read, model, onet, {
    leastFace,
    pixels: PHOTO_LIMITS.detectionPixels,
  })
  return {
    overview: networkOf(session, input, readFaces),
    sides: [SMALL_SIDE, SIDE],
    async judge(photo, faces) {
      const judged = await mtcnn.judge(photo, faces)
      return [...judged, ...(await mtcnn.judgeTurned(photo, notAmong(judged, faces)))]
    },
    second: {
      scaleFor: mtcnn.scaleFor,
      async find(photo, known) {
        const overview = mergeOverlapping(known)
        const judged = await mtcnn.judge(photo, overview)
        const certain = judged.filter(({ score }) => score >= LEAST_SCORE)
        const { faces, limited } = await mtcnn.find(photo, ({ box }) =>
          certain.some(face => isSameFace(face.box, box)),
        )
        const upright = [...judged, ...faces]
        const turned = await mtcnn.judgeTurned(photo, notAmong(upright, overview))
        return { faces: [...upright, ...turned], limited }
      },
    },
  }
}

/** The faces at whose place nothing counts as a face. None of more than MOST_TURNED: a crowd has many uncertain ones. */
function notAmong(judged: readonly Detection[], faces: readonly Detection[]): Detection[] {
  const sure = judged.filter(({ score }) => score >= LEAST_SCORE)
  const refused = faces.filter(({ box }) => !sure.some(face => isSameFace(face.box, box)))
  return refused.length > MOST_TURNED ? [] : refused
}

/** Extends BlazeFace's squares to boxes as annotators draw them. */
const readFaces: ReadOutputs = (outputs, width, leastScore) =>
  readBlazeface(outputs, width, leastScore).map(face => ({
    ...face,
    box: withForehead(face.box, rollOf(face.points!)),
  }))

/** Pixels of YuNet's second pass over a photo. */
const YUNET_PIXELS = 1.5 * PHOTO_LIMITS.detectionPixels

/**
 * Side, in overview pixels, from which a face of YuNet's overview counts beside the second pass. The second pass shows this face
 * cut off.
 */
const YUNET_LARGE_SIDE = 80

/** The second pass may enlarge the raster by this factor. Many photos then need a raster one size smaller. */
const ENLARGED = 1.1

/** One network for both passes. It gives five points with each face. */
async function openYunet(runtime: Runtime, read: ReadModel, model: YunetModel): Promise<Networks> {
  const bytes = await read(model.file)
  const session = await runtime.session(model.fixed ? bytes : withoutShapes(bytes), { pixelUs: 0.2 })
  const network = networkOf(session, model.input, readYunet)
  if (model.fixed) return { overview: network, sides: [model.side], square: model.side }
  return {
    overview: network,
    sides: [SIDE],
    second: {
      scaleFor: size => Math.min(1, 1 / (ENLARGED * planWholePhoto(size, YUNET_PIXELS))),
      async find(photo, known, pixel) {
        const large = known.filter(({ box }) => shorterSide(box) >= YUNET_LARGE_SIDE * pixel)
        const tile = wholePhoto(photo, planWholePhoto(photo, YUNET_PIXELS))
        return { faces: [...large, ...(await network(photo, tile, LEAST_SIGN))], limited: false }
      },
    },
  }
}

/** Faces of every size and score. */
async function detect(
  { overview, sides, square, judge = async (_, faces) => [...faces], second }: Networks,
  photo: Photo,
  sharper: PhotoAtScale,
  wanted: WantedFaces,
): Promise<Omit<DetectedFaces, 'tooSmall'>> {
  const known: Detection[] = []
  let limited = false
  const isVisible = PHOTO_LIMITS.faceSide >= VISIBLE_SIDE * pixelFor(photo, sides[0]!)
  // The smaller pass comes last if it cannot decide, and on frames, on which it seldom decides.
  const passes = isVisible && wanted !== 'clear' ? sides : sides.toReversed()
  for (const [i, side] of passes.entries()) {
    const pixel = pixelFor(photo, side)
    const isLargest = side === sides.at(-1)
    const seen = await overview(photo, wholePhoto(photo, pixel, square), LEAST_SIGN)
    const merged = mergeOverlapping(seen).filter(({ score }) => score >= LEAST_KNOWN)
    limited ||= isTruncated(merged, LEAST_KNOWN)
    if ((isLargest || i === 0) && isOverviewEnough(seen, pixel, { wanted, photo })) {
      const faces = mergeOverlapping(await judge(photo, merged))
      if (isConfirmed(faces, wanted, photo)) return { faces, limited }
    }
    known.push(...merged.filter(({ box }) => isLargest || shorterSide(box) >= FILLING_SIDE * pixel))
  }
  if (!second || wanted === 'clear')
    return { faces: mergeOverlapping(await judge(photo, mergeOverlapping(known))), limited }
  const pixel = pixelFor(photo, sides.at(-1)!)
  const found = await second.find(await sharper(second.scaleFor(photo)), known, pixel)
  return { limited: limited || found.limited, faces: mergeOverlapping(found.faces) }
}

/** True if the judged faces that the caller needs are faces. */
function isConfirmed(faces: readonly Detection[], wanted: WantedFaces, photo: Size) {
  const biggest = faces.toSorted((a, b) => areaOn(b.box, photo) - areaOn(a.box, photo)).slice(0, 1)
  return (wanted === 'biggest' ? biggest : faces).every(({ score }) => score >= LEAST_SCORE)
}

/** Scores from which a detection counts as a sign of another face. Noise has lower scores at small sizes. */
const SMALL_SIGN = 0.18
const LARGE_SIGN = 0.25

/** Bounds for a large face, in overview pixels, and for a high score. False detections rarely exceed both. */
const LARGE_SIDE = 20
const CERTAIN_SCORE = 0.75

/** Least area of a face that counts beside the biggest one, as a part of its area: half of its side. */
const COMPARABLE_AREA = 1 / 4

/**
 * True if the overview shows large faces with high scores and no sign of others. For the biggest face, only signs of
 * faces of a comparable area on the photo count. `pixel` belongs to the overview, see tiling.ts.
 */
export function isOverviewEnough(
  seen: readonly Detection[],
  pixel: number,
  { wanted, photo }: { wanted: WantedFaces; photo: Size },
): boolean {
  const isLarge = ({ box }: Detection) => shorterSide(box) >= LARGE_SIDE * pixel
  const known = seen.filter(face => isLarge(face) && face.score >= CERTAIN_SCORE)
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
