/** A look at a photo, the only place that orders it: decode, detect, select, landmarks, align, thumbnail. */

import { LIMITS } from '../core/contract/limits.ts'
import { type Box, height, rounded, widened, width } from '../core/contract/model/bbox.ts'
import type { Quality } from '../core/contract/model/quality.ts'
import type { Selection } from '../core/contract/model/selector.ts'
import {
  type ChipModel,
  type EmbedderModel,
  type Pack,
  type ReadModel,
  STANDARD,
} from '../models/manifest.ts'
import type { FaceChip } from './alignment/align.ts'
import { layout } from './alignment/five-points.ts'
import type { DecodeLimits } from './decode/budget.ts'
import type { Codecs } from './decode/codecs.ts'
import { decode } from './decode/decode.ts'
import { type Header, readHeader, uprightSize } from './decode/header.ts'
import { type PhotoSource, photoSource } from './decode/photo-source.ts'
import type { DetectedFaces, Detector, Located, WantedFaces } from './detection/detection.ts'
import { openDetector } from './detection/detector.ts'
import { type Photo, warp } from './imaging/image.ts'
import { type Thumbnail, thumbnailOf } from './imaging/thumbnail.ts'
import { type Landmarks, openLandmarks } from './landmarks/landmarks.ts'
import { detectorLandmarks } from './landmarks/points-by-detector.ts'
import { type Liveness, openLiveness } from './quality/liveness.ts'
import { qualityOf } from './quality/quality.ts'
import { inReadingOrder } from './reading-order.ts'
import type { Runtime } from './runtime/runtime.ts'
import { assertBoxesInside, selectFaces } from './select.ts'

/** Longer side of the raster that the detector is given first, in pixels: what its overview shows. Less decodes faster. */
const DETECTION_SIDE = 256

/** The raster has at least this share of the photo's side: less than an eighth, the smallest that JPEGs decode to. */
const DETECTION_SCALE = 0.12

/** Of a face's box, in raster pixels: landmarks and chip take about 112 in, a thumbnail shows up to 120. */
const FACE_SIDE = 120

/** All that looking needs, loaded once. */
export interface VisionModels {
  readonly codecs: Codecs
  readonly detector: Detector
  readonly landmarks: Landmarks
  /** How chips are cut: as the pack's embedder was trained on. */
  readonly chip: ChipModel
  readonly liveness: Liveness
}

/** What looking needs to know of a pack. */
export type VisionPack = Pick<Pack, 'detector' | 'landmarks' | 'liveness'> & {
  embedder: Pick<EmbedderModel, 'chip'>
}

/** Loads the pack's networks that look at photos. */
export async function openVisionModels(
  runtime: Runtime,
  codecs: Codecs,
  read: ReadModel,
  { detector: model, landmarks, embedder, liveness }: VisionPack = STANDARD,
): Promise<VisionModels> {
  const detector = await openDetector(runtime, read, model)
  return {
    codecs,
    detector,
    landmarks: landmarks
      ? await openLandmarks(runtime, await read(landmarks.file), landmarks)
      : detectorLandmarks(detector),
    chip: embedder.chip,
    liveness: await openLiveness(runtime, await read(liveness.file), liveness),
  }
}

/** A face that the request means, ready for core. */
export interface SelectedFace {
  readonly box: Box
  readonly chip: FaceChip
  readonly thumbnail: Thumbnail
  /** Where the selection asks for it. */
  readonly quality?: Quality
  readonly liveness?: number
}

/** What there is to see on a photo. */
export interface PhotoAnalysis {
  /** EXIF 1..8; 1 when the file has none. */
  readonly orientation: number
  /**
   * Every face in reading order, in whole upright pixels; where the selection means the biggest, perhaps not those
   * that are much smaller. The caller's boxes, in theirs, where there were any.
   */
  readonly faces: Box[]
  /** The photo had more to examine than LIMITS.closerPixels allows: small faces may be missing. */
  readonly limited: boolean
  /** Those that the selection means, in the same order; none without a selection. */
  readonly selected: SelectedFace[]
}

export type Stage = 'decode' | 'detect' | 'landmarks' | 'align'

/** The means are those of one decode. */
export interface AnalysisOptions extends DecodeLimits {
  /** The photo's parameter, for errors. */
  readonly param: string
  /** Runs each stage's work, once or several times a stage: for whoever wants to measure. */
  readonly around?: <Result>(stage: Stage, work: () => Promise<Result>) => Promise<Result>
}

/**
 * Finds the faces on a photo and cuts out those that the selection means; its boxes, if it has any, stand for what
 * would be detected. Throws BAD_IMAGE, NO_FACES or TOO_MANY_FACES, BAD_PARAM for a box outside the photo, and ExceedsDecodeLimits
 * before a decode beyond the means.
 */
export async function analyzePhoto(
  models: VisionModels,
  bytes: Uint8Array,
  selection: Selection | undefined,
  options: AnalysisOptions,
): Promise<PhotoAnalysis> {
  const header = readHeader(bytes)
  const { orientation } = header
  if (selection) assertBoxesInside(selection, uprightSize(header))
  const given = selection?.boxes.map(box => ({ box })) ?? []
  const scale = scaleForDetection(header)
  const source = photoSource(
    header,
    Math.max(scale, models.detector.refinedScale(header)),
    scale => around(options, 'decode', () => decode(bytes, header, models.codecs, { ...options, scale })),
    options.pace,
  )
  try {
    const wanted = selection?.selector === 'biggest' ? 'biggest' : 'all'
    const { faces: found, limited } =
      given.length > 0
        ? { faces: given, limited: false }
        : await detect(models, source, scale, wanted, options)
    const faces = found.map(({ box }) => told(box))
    if (!selection) return { orientation, faces, limited, selected: [] }

    const meant = given.length > 0 ? given : selectFaces(found, selection.selector, options.param)
    const near = await source.at(scaleForFaces(meant))
    return { orientation, faces, limited, selected: await cutOut(models, near, meant, selection, options) }
  } finally {
    source.release()
  }
}

const around = <Result>(
  options: AnalysisOptions,
  stage: Stage,
  work: () => Promise<Result>,
): Promise<Result> => (options.around ? options.around(stage, work) : work())

async function detect(
  { detector }: VisionModels,
  source: PhotoSource,
  scale: number,
  wanted: WantedFaces,
  options: AnalysisOptions,
): Promise<DetectedFaces> {
  const photo = await source.at(scale)
  const { faces, limited } = await around(options, 'detect', () => detector.detect(photo, source.at, wanted))
  return { faces: inReadingOrder(faces), limited }
}

/** A face's box as answers carry it. */
const told = (box: Box): Box => widened(rounded(box), LIMITS.faceSide)

const scaleForDetection = ({ width, height }: Header): number =>
  Math.min(1, Math.max(DETECTION_SCALE, DETECTION_SIDE / Math.max(width, height)))

/** The scale at which the smallest of the faces still has the pixels that landmarks and chip want. */
const scaleForFaces = (faces: readonly Located[]): number =>
  Math.min(1, FACE_SIDE / Math.min(...faces.map(({ box }) => Math.max(width(box), height(box)))))

/** Chip and thumbnail of each face, and its quality and liveness where these are asked for. */
async function cutOut(
  { landmarks, chip, liveness }: VisionModels,
  photo: Photo,
  faces: readonly Located[],
  asked: Selection,
  options: AnalysisOptions,
): Promise<SelectedFace[]> {
  const cut: SelectedFace[] = []
  for (const face of faces) {
    const { box } = face
    const points = await around(options, 'landmarks', () => landmarks.find(photo, face))
    const alive = asked.liveness ? { liveness: await liveness(photo, box) } : {}
    cut.push(
      await around(options, 'align', async () => {
        const pixels = warp(photo, layout(points, chip), chip.size, chip.size)
        return {
          box: told(box),
          chip: pixels,
          thumbnail: thumbnailOf(photo, box),
          ...(asked.quality && { quality: qualityOf({ ...face, points, chip: pixels, side: chip.size }) }),
          ...alive,
        }
      }),
    )
  }
  return cut
}
