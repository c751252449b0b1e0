/** Analyzes photos and frames of a video. Only this file orders decode, detect, select, landmarks, align and thumbnail. */
import { PHOTO_LIMITS } from '../contract/limits/photos.ts'
import {
  areaOn,
  type Box,
  height,
  overlap,
  partOn,
  roundBox,
  shorterSide,
  widenBox,
  width,
} from '../contract/model/bbox.ts'
import type { FaceDetails, Quality } from '../contract/model/face-details.ts'
import type { Selection } from '../contract/model/photo-analysis.ts'
import {
  type ChipModel,
  type EmbedderModel,
  type Pack,
  type ReadModel,
  STANDARD,
} from '../models/manifest.ts'
import { type FaceChip, layout } from './alignment/align.ts'
import type { DecodeLimits } from './decode/budget.ts'
import { type Codecs, decode } from './decode/decode.ts'
import { type Header, readHeader, uprightSize } from './decode/header.ts'
import { type PhotoSource, photoSource } from './decode/photo-source.ts'
import type { DetectedFaces, Detection, Detector, Located, WantedFaces } from './detectors/detection.ts'
import { openDetector } from './detectors/detector.ts'
import { type Onet, openOnet } from './detectors/mtcnn/onet.ts'
import { type Photo, photoOfRaster, type Raster } from './imaging/orientation.ts'
import { type Thumbnail, thumbnailOf } from './imaging/thumbnail.ts'
import { halveWhole, warp } from './imaging/views.ts'
import { openLiveness } from './quality/liveness.ts'
import { type DetailModels, detailsOf, isDoubtful, isTooPoor, qualityOf } from './quality/quality.ts'
import { mainFault, type QualityFault } from './quality/quality-score.ts'
import type { Runtime } from './runtime/runtime.ts'
import { assertBoxesInside, firstGroup, inReadingOrder, noFacesReason, selectFaces } from './select.ts'

/**
 * Longer side of the first detection raster, in pixels: the resolution of the overview. A smaller raster decodes
 * faster.
 */
const DETECTION_SIDE = 256

/** Least scale of the detection raster, 0..1. It stays just below 1/8, the smallest scale that JPEG decoding offers. */
const DETECTION_SCALE = 0.12

/**
 * Longer side of a face's box in raster pixels for landmarks, chip and thumbnail: the first two sample about 112 px,
 * the last 120.
 */
const FACE_SIDE = 120

/** The loaded networks and codecs of an analysis. */
export interface VisionModels {
  readonly codecs: Codecs
  readonly detector: Detector
  /** Finds the five points of a face. */
  readonly landmarks: Pick<Onet, 'find'>
  /** Chip layout of the pack's embedder. */
  readonly chip: ChipModel
  readonly details: DetailModels
}

/** The entries of a pack that the analysis uses. */
type VisionPack = Pick<Pack, 'detector' | 'landmarks' | 'liveness'> & {
  embedder: Pick<EmbedderModel, 'chip'>
}

/** Loads the pack's networks that run on photos. The embedder is not among them. */
export async function openVisionModels(
  runtime: Runtime,
  codecs: Codecs,
  read: ReadModel,
  { detector: model, landmarks, embedder, liveness }: VisionPack = STANDARD,
): Promise<VisionModels> {
  const onet = await openOnet(runtime, read, landmarks)
  return {
    codecs,
    detector: await openDetector(runtime, read, model, onet),
    landmarks: onet,
    chip: embedder.chip,
    details: { liveness: await openLiveness(runtime, await read(liveness.file), liveness) },
  }
}

/** A face chosen by the selection, ready for core, with the details that the selection requests. */
export interface SelectedFace extends FaceDetails {
  readonly box: Box
  readonly chip: FaceChip
  readonly thumbnail: Thumbnail
}

/** The result of an analysis. */
export interface PhotoAnalysis {
  /** EXIF 1..8; 1 when the file has none. */
  readonly orientation: number
  /**
   * Every face in reading order, in whole upright pixels. With the selector `biggest`, faces of less than a quarter of
   * the area of the selected one may be missing. If the selection has boxes, these are the caller's boxes in the caller's order.
   */
  readonly faces: Box[]
  /** True: the photo has more candidates than are judged. Faces may be missing. */
  readonly limited: boolean
  /** Number of `faces` that are left out of the selection, because they are too poor to recognise. */
  readonly tooPoor?: number
  /** Why there are no faces, if the photo shows faces that are too small. A sentence for people. */
  readonly reason?: string
  /** The selected faces, in the same order; empty without a selection. */
  readonly selected: SelectedFace[]
  /** Selected faces that are not cut out: a later analysis takes them as `located`, PHOTO_LIMITS.facesPerGroup at a time. */
  readonly rest?: Located[]
}

export type Stage = 'decode' | 'detect' | 'landmarks' | 'align'

/** The decode limits apply to each decode of the photo. */
export interface AnalysisOptions extends DecodeLimits {
  /** Name of the photo's parameter, for errors. */
  readonly param: string
  /** Wraps the run of each stage for measurements. A stage may run several times. */
  readonly wrapStage?: <Result>(stage: Stage, work: () => Promise<Result>) => Promise<Result>
}

/**
 * Finds the faces on a photo and cuts out the selected ones. Boxes of the selection replace detection; their quality needs it all
 * the same, because the detector is not sure of a blurred face. Throws
 * BAD_IMAGE, NO_FACES, TOO_MANY_FACES, BAD_PARAM for a box outside the photo, and ExceedsDecodeLimits before a decode
 * that would exceed the limits.
 */
export async function analyzePhoto(
  models: VisionModels,
  bytes: Uint8Array,
  selection: Selection | undefined,
  options: AnalysisOptions,
): Promise<PhotoAnalysis> {
  const header = readHeader(bytes)
  const { orientation } = header
  const size = uprightSize(header)
  if (selection) assertBoxesInside(selection, size)
  const given = selection?.located ?? selection?.boxes.map((box): Located => ({ box })) ?? []
  const overviewScale = scaleForDetection(header)
  const decodeAt = (scale: number) =>
    inStage(options, 'decode', () => decode(bytes, header, models.codecs, { ...options, scale }))
  const hasBoxes = given.length > 0
  const needsDetection = !hasBoxes || (selection?.quality === true && !selection.located)
  const usual = !needsDetection ? 0 : Math.max(overviewScale, models.detector.refinedScale(header))
  const source = photoSource(header, usual, decodeAt, options.pace)
  try {
    const wanted = selection?.selector === 'biggest' && !hasBoxes ? 'biggest' : 'all'
    const find = selection && selection.selector !== 'any' && !hasBoxes ? detectRecognisable : detect
    const detected: RecognisableFaces = needsDetection
      ? await find(models, source, overviewScale, wanted, options)
      : { faces: [], tooSmall: [], limited: false }
    const rated = needsDetection ? given.map(({ box }) => withScore(box, detected.faces)) : given
    const found = hasBoxes ? rated : detected.faces
    const faces = found.map(({ box }) => responseBox(box))
    const usable = detected.recognisable ?? found
    const tooPoor = found.length - usable.length
    const reason = usable.length === 0 ? noFacesReason(tooPoor, detected.tooSmall, options.param) : undefined
    const limited = detected.limited && !hasBoxes
    const seen = { orientation, faces, limited, tooPoor, reason }
    if (!selection) return { ...seen, selected: [] }

    const chosen = hasBoxes
      ? found
      : selectFaces(usable, selection.selector, { photo: size, param: options.param, reason })
    const group = firstGroup(chosen, selection.most)
    const rest = chosen.slice(group.length).map(({ box, score, points }) => ({ box, score, points }))
    const near = await source.at(scaleForFaces(group))
    const selected = await cutOut(models, near, group, selection, options)
    return { ...seen, selected, ...(rest.length > 0 && { rest }) }
  } finally {
    source.release()
  }
}

/** A face on a frame, with its quality. It needs no thumbnail. */
interface FrameFace {
  /** In whole pixels of the frame, with sides of at least PHOTO_LIMITS.faceSide. */
  readonly box: Box
  readonly chip: FaceChip
  readonly quality: Quality
}

/**
 * Finds the faces with sides of at least `leastSide` visible pixels on a frame of a video. Cuts out the faces that are good enough
 * to recognise. The caller keeps ownership of the memory. There is no order.
 */
export async function analyzeFrame(
  { detector, landmarks, chip }: VisionModels,
  frame: Raster,
  {
    leastSide,
    wanted,
    onUnused = () => {},
  }: {
    leastSide: number
    wanted: WantedFaces
    /** Takes a face that is left out. */
    onUnused?: (box: Box, fault: QualityFault) => void
  },
): Promise<FrameFace[]> {
  const photo = photoOfRaster(frame)
  halveWhole(frame)
  const { faces } = await detector.detect(photo, undefined, wanted)
  const cut: FrameFace[] = []
  for (const face of faces) {
    if (shorterSide(partOn(face.box, frame)) < leastSide) {
      onUnused(responseBox(face.box), 'small')
      continue
    }
    const points = await landmarks.find(photo, face)
    const pixels = warp(photo, layout(points, chip), chip.size, chip.size)
    const quality = qualityOf({ ...face, photo, points, chip: pixels, side: chip.size })
    if (isTooPoor(quality)) {
      onUnused(responseBox(face.box), mainFault(quality))
      continue
    }
    cut.push({ box: responseBox(face.box), chip: pixels, quality })
  }
  return cut
}

const inStage = <Result>(options: AnalysisOptions, stage: Stage, work: () => Promise<Result>) =>
  options.wrapStage ? options.wrapStage(stage, work) : work()

async function detect(
  { detector }: VisionModels,
  source: PhotoSource,
  scale: number,
  wanted: WantedFaces,
  options: AnalysisOptions,
): Promise<DetectedFaces> {
  const photo = await source.at(scale)
  const detected = await inStage(options, 'detect', () => detector.detect(photo, source.at, wanted))
  return { ...detected, faces: inReadingOrder(detected.faces) }
}

/** Detected faces, and the recognisable ones, if the detection judged doubtful faces. */
interface RecognisableFaces extends DetectedFaces {
  readonly recognisable?: readonly Detection[]
}

/** Detects, and finds out which faces are too poor to recognise. With `biggest`, none of these hides a smaller face. */
async function detectRecognisable(
  models: VisionModels,
  source: PhotoSource,
  scale: number,
  wanted: WantedFaces,
  options: AnalysisOptions,
): Promise<RecognisableFaces> {
  const detected = await detect(models, source, scale, wanted, options)
  const doubtful = detected.faces.filter(isDoubtful)
  if (doubtful.length === 0) return detected
  const photo = await source.at(scaleForFaces(doubtful))
  const tooPoor = new Set<Detection>()
  for (const face of doubtful) {
    const [cut] = await cutOut(models, photo, [face], { selector: 'any', boxes: [], quality: true }, options)
    if (isTooPoor(cut!.quality!)) tooPoor.add(face)
  }
  const recognisable = detected.faces.filter(face => !tooPoor.has(face))
  const largest = (faces: Iterable<Detection>) =>
    Math.max(0, ...[...faces].map(({ box }) => areaOn(roundBox(box), photo)))
  if (wanted === 'biggest' && largest(tooPoor) > largest(recognisable))
    return detectRecognisable(models, source, scale, 'all', options)
  return { ...detected, recognisable }
}

/** A box of the caller with the score of the detection that overlaps it most: 0 where the detector sees no face. */
function withScore(box: Box, detected: DetectedFaces['faces']): Located & { score: number } {
  const alike = detected.filter(face => overlap(face.box, box) >= SAME_OVERLAP)
  return { box, score: Math.max(0, ...alike.map(({ score }) => score)) }
}

/** Overlap from which a box of the caller and a detection are one face. Detectors draw boxes of other sizes. */
const SAME_OVERLAP = 0.25

/** The box as responses carry it: in whole pixels, with sides of at least PHOTO_LIMITS.faceSide. */
const responseBox = (box: Box) => widenBox(roundBox(box), PHOTO_LIMITS.faceSide)

const scaleForDetection = ({ width, height }: Header) =>
  Math.min(1, Math.max(DETECTION_SCALE, DETECTION_SIDE / Math.max(width, height)))

/** The scale at which the smallest face has the pixels that landmarks and chip need. */
const scaleForFaces = (faces: readonly Located[]) =>
  Math.min(1, FACE_SIDE / Math.min(...faces.map(({ box }) => Math.max(width(box), height(box)))))

/** Chip and thumbnail of each face, with the requested details. */
async function cutOut(
  { landmarks, chip, details: models }: VisionModels,
  photo: Photo,
  faces: readonly Located[],
  selection: Selection,
  options: AnalysisOptions,
): Promise<SelectedFace[]> {
  const cut: SelectedFace[] = []
  for (const face of faces) {
    const { box } = face
    const points = await inStage(options, 'landmarks', () => landmarks.find(photo, face))
    cut.push(
      await inStage(options, 'align', async () => {
        const pixels = warp(photo, layout(points, chip), chip.size, chip.size)
        return {
          box: responseBox(box),
          chip: pixels,
          thumbnail: thumbnailOf(photo, box),
          ...(await detailsOf({ ...face, photo, points, chip: pixels, side: chip.size }, models, selection)),
        }
      }),
    )
  }
  return cut
}
