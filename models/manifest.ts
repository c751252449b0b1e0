/** The models: which files there are, where they come from, and what each network expects and gives. */
import * as z from 'zod'
import { EMOTIONS, GENDERS } from '../core/contract/model/attributes.ts'
import { type Calibrations, CalibrationsSchema } from './calibrations.ts'
import { FileName, FileSchema, type ModelFile } from './file-entry.ts'
import document from './manifest.json' with { type: 'json' }

const rgb = z.tuple([z.number(), z.number(), z.number()])

/** How 8-bit pixels become a network's input: (value - mean) / std, channel by channel, in the order of `channels`. */
const InputSchema = z.strictObject({
  name: z.string(),
  layout: z.literal('NCHW').default('NCHW'),
  channels: z.enum(['RGB', 'BGR']),
  mean: rgb,
  std: rgb,
})
export type ModelInput = z.infer<typeof InputSchema>

const BlazefaceSchema = z.strictObject({
  file: z.string(),
  kind: z.literal('blazeface'),
  input: InputSchema,
  /** The sides of a picture must be multiples of this. */
  sideMultiple: z.int().min(1),
  /** face-api's SSD, where the detector looks closer with it. */
  closer: z.strictObject({ file: z.string(), input: InputSchema }).optional(),
})
export type BlazefaceModel = z.infer<typeof BlazefaceSchema>

/** YuNet and what has its outputs: `cls_8`, `obj_8`, `bbox_8`, `kps_8`, and so for 16 and 32. */
const YunetSchema = z.strictObject({
  file: z.string(),
  kind: z.literal('yunet'),
  input: InputSchema,
  /** Side of the squares that a `fixed` network is shown, in pixels. */
  side: z.int().min(32).multipleOf(32).default(640),
  /** The network runs at this size alone. False also where only the file says so: see anySize in wasm/runtime/onnx-graph.ts. */
  fixed: z.boolean().default(false),
})
export type YunetModel = z.infer<typeof YunetSchema>

/** Names of outputs for the strides 8, 16 and 32. */
const perStride = z.tuple([z.string(), z.string(), z.string()])

/** SCRFD, as InsightFace publishes it: two anchors a cell, distances to the box's edges, five points. */
const ScrfdSchema = YunetSchema.extend({
  kind: z.literal('scrfd'),
  outputs: z.strictObject({ scores: perStride, boxes: perStride, points: perStride }),
})
export type ScrfdModel = z.infer<typeof ScrfdSchema>

export const DetectorSchema = z.discriminatedUnion('kind', [BlazefaceSchema, YunetSchema, ScrfdSchema])
export type DetectorModel = z.infer<typeof DetectorSchema>

export const LandmarksSchema = z.strictObject({
  file: z.string(),
  kind: z.literal('68 points'),
  input: InputSchema,
  /** Side of the square crop, in pixels. */
  size: z.int().min(1),
  output: z.string(),
})
export type LandmarksModel = z.infer<typeof LandmarksSchema>

/** How a face is laid into its chip: side in pixels, the face that its points are fitted to. */
export const ChipSchema = z.discriminatedUnion('template', [
  /** 68 points, to dlib's mean face, with a margin around it in parts of that face. */
  z.strictObject({ size: z.int().min(1), template: z.literal('dlib'), padding: z.number().min(0) }),
  /**
   * Five points, to those of ArcFace, with a margin in pixels around what the network sees: `size` is with it. Sixteen of
   * 144 show all that the standard chip does, which attributes are read from.
   */
  z
    .strictObject({
      size: z.int().min(1),
      template: z.literal('arcface'),
      margin: z.int().min(0).default(0),
    })
    .refine(({ size, margin }) => size > 2 * margin, 'the margins leave nothing of the chip'),
])
export type ChipModel = z.infer<typeof ChipSchema>
/** Side, in pixels, of what the embedder sees of a chip: its middle. */
export const embedderSide = (chip: ChipModel): number =>
  chip.template === 'dlib' ? chip.size : chip.size - 2 * chip.margin

export type DlibChip = Extract<ChipModel, { template: 'dlib' }>

/** The chip of dlib's embedder: pictures stored without a layout have it, and the views of age and gender are parts of it. */
export const DLIB_CHIP: DlibChip = { size: 150, template: 'dlib', padding: 0.25 }

const EmbedderSchema = z.strictObject({
  file: z.string(),
  input: InputSchema,
  output: z.string(),
  /** Length of an embedding. */
  dimension: z.int().min(1),
  metric: z.literal('cosine').default('cosine'),
  /** True: an embedding is the mean of the face's and of its mirror image's. */
  mirrored: z.boolean().default(false),
  chip: ChipSchema,
  /** The network takes one chip a run, and no batches. */
  single: z.boolean().default(false),
  /** A pack without one can't be used until it is measured. */
  calibration: CalibrationsSchema.optional(),
})
export type EmbedderModel = z.infer<typeof EmbedderSchema>

/** A square part of DLIB_CHIP that a network is shown, centred across: its side and its top edge, in parts of that chip. */
const ViewSchema = z
  .strictObject({ side: z.number().positive(), top: z.number().min(0) })
  .refine(({ side, top }) => side + top <= 1, 'a view lies within the chip')
export type View = z.infer<typeof ViewSchema>

/** An upright square about the face from brow to chin: its side, and how far its middle is above the face's, in the face's side. */
const SquareSchema = z.strictObject({ side: z.number().positive(), up: z.number() })
export type Square = z.infer<typeof SquareSchema>

/** A network that reads something off pictures of a face: the mean of what it says of each and of its mirror image. */
const faceReader = {
  file: z.string(),
  input: InputSchema,
  /** Side, in pixels, to which each picture is scaled. */
  size: z.int().min(1),
}

const AgeGenderSchema = z.strictObject({
  ...faceReader,
  views: z.array(ViewSchema).min(1),
  /** Age in years; probabilities of the genders, in their order. */
  outputs: z.strictObject({ age: z.string(), gender: z.string() }),
  genders: z.array(z.enum(GENDERS)).length(GENDERS.length),
})
export type AgeGenderModel = z.infer<typeof AgeGenderSchema>

const EmotionSchema = z.strictObject({
  ...faceReader,
  squares: z.array(SquareSchema).min(1),
  /** Probabilities of the emotions, in their order. */
  output: z.string(),
  emotions: z.array(z.enum(EMOTIONS)).length(EMOTIONS.length),
})
export type EmotionModel = z.infer<typeof EmotionSchema>

/** A network that tells living faces from prints and screens, of the face and what surrounds it. */
export const LivenessSchema = z.strictObject({
  file: z.string(),
  input: InputSchema,
  /** The part of the photo that it is shown, in sides of the face's box. It is scaled to a square of `size` pixels. */
  around: z.number().min(1),
  size: z.int().min(1),
  output: z.string(),
  /** Which of the output's classes, counted from 0, is that of living faces. */
  live: z.int().min(0),
})
export type LivenessModel = z.infer<typeof LivenessSchema>

const AttributesSchema = z.strictObject({ ageGender: AgeGenderSchema, emotion: EmotionSchema })
export type AttributeModels = z.infer<typeof AttributesSchema>

/**
 * What is left out is as in the standard pack. One thing differs: an embedder of the pack's own, with a detector and without
 * landmarks, has its chips laid out by the detector's five points.
 */
export const PackSchema = z
  .strictObject({
    detector: DetectorSchema.optional(),
    landmarks: LandmarksSchema.optional(),
    embedder: EmbedderSchema.optional(),
    attributes: AttributesSchema.optional(),
    liveness: LivenessSchema.optional(),
  })
  .refine(({ detector, embedder }) => detector || embedder, 'a pack has a detector or an embedder of its own')
  .refine(({ detector, landmarks }) => detector || !landmarks, 'landmarks need a detector beside them')
  .refine(
    ({ detector, landmarks, embedder }) =>
      !detector || landmarks || !embedder || hasFivePoints(detector, embedder),
    'without landmarks the detector must be a yunet or scrfd, and the template arcface',
  )
/** A pack as its manifest says it: what it leaves out is as in the standard pack. */
export type PackEntry = z.infer<typeof PackSchema>

const hasFivePoints = ({ kind }: DetectorModel, { chip }: EmbedderModel): boolean =>
  kind !== 'blazeface' && chip.template === 'arcface'

/** The networks that make up one chain from photo to embedding, and those that read attributes off the same faces. */
export interface Pack {
  readonly detector: DetectorModel
  /** Absent: the detector's own points are the face's. */
  readonly landmarks?: LandmarksModel | undefined
  readonly embedder: EmbedderModel
  readonly attributes: AttributeModels
  readonly liveness: LivenessModel
}

export const PackName = z.string().regex(/^[a-z0-9][a-z0-9_-]{0,39}$/, 'must be of a-z, 0-9, _ and -')

/** The shape of manifest.json, and of the manifests of packs that operators add. */
export const ManifestSchema = z
  .strictObject({
    files: z.record(FileName, FileSchema),
    packs: z.record(PackName, PackSchema),
  })
  .refine(
    ({ files, packs }) => filesOf(packs).every(file => Object.hasOwn(files, file)),
    'a pack names a file that is not among the files',
  )
export type Manifest = z.infer<typeof ManifestSchema>

/** Every file that some networks are loaded from: the values of `file`, at whatever depth. */
export function filesOf(networks: unknown): string[] {
  if (typeof networks !== 'object' || networks === null) return []
  const found = Object.entries(networks).flatMap(([key, value]) =>
    key === 'file' && typeof value === 'string' ? [value] : filesOf(value),
  )
  return [...new Set(found)]
}

/** What the repository ships; a manifest that does not fit its schema stops the process at its start. */
export const MANIFEST: Manifest = ManifestSchema.parse(document)

/** A pack that leaves nothing to others. */
interface CompletePack extends Pack {
  readonly landmarks: LandmarksModel
  readonly embedder: EmbedderModel & { calibration: Calibrations }
}

/** The pack that is used unless another is chosen. */
export const STANDARD: CompletePack = complete(MANIFEST.packs.standard)

function complete(entry: PackEntry | undefined): CompletePack {
  const { detector, landmarks, embedder, attributes, liveness } = entry ?? {}
  if (!detector || !landmarks || !embedder?.calibration || !attributes || !liveness)
    throw new Error('the standard pack lacks something')
  const { calibration } = embedder
  return { detector, landmarks, embedder: { ...embedder, calibration }, attributes, liveness }
}

/** The pack with what it leaves out. */
export const packWithDefaults = ({
  detector,
  landmarks,
  embedder,
  attributes,
  liveness,
}: PackEntry): Pack => ({
  detector: detector ?? STANDARD.detector,
  landmarks: landmarks ?? (detector && embedder ? undefined : STANDARD.landmarks),
  embedder: embedder ?? STANDARD.embedder,
  attributes: attributes ?? STANDARD.attributes,
  liveness: liveness ?? STANDARD.liveness,
})

/** Gives the verified bytes of a model file. Throws when it is missing or not the one that the manifest means. */
export type ReadModel = (file: string) => Promise<Uint8Array<ArrayBuffer>>

/** The manifest's entry for a shipped file. Throws when there is none. */
export function entryOf(file: string): ModelFile {
  const entry = MANIFEST.files[file]
  if (!entry) throw new Error(`the manifest has no model file ${file}`)
  return entry
}
