/** The manifest of models: its files, their sources, and the input and output of each network. */
import * as z from 'zod'
import { EMOTIONS, GENDERS } from '../contract/model/attributes.ts'
import { Natural, Positive } from '../contract/scalars.ts'
import { type Calibrations, CalibrationsSchema } from './calibrations.ts'
import { FileName, FileSchema, filesOf, type ModelFile } from './file-entry.ts'
import document from './manifest.json' with { type: 'json' }

const rgb = z.tuple([z.number(), z.number(), z.number()])

/** Converts 8-bit pixels to a network's input: (value - mean) / std per channel, in the order of `channels`. */
const InputSchema = z.strictObject({
  name: z.string(),
  layout: z.literal('NCHW').default('NCHW'),
  channels: z.enum(['RGB', 'BGR']),
  mean: rgb,
  std: rgb,
})
export type ModelInput = z.infer<typeof InputSchema>

const NetworkFileSchema = z.strictObject({ file: z.string() })

/** The first two stages of MTCNN. They take the same input in different sizes. */
const MtcnnSchema = z.strictObject({
  proposal: NetworkFileSchema,
  refinement: NetworkFileSchema,
  input: InputSchema,
})
export type MtcnnModel = z.infer<typeof MtcnnSchema>

const BlazefaceSchema = z.strictObject({
  file: z.string(),
  kind: z.literal('blazeface'),
  input: InputSchema,
  /** P-Net and R-Net of MTCNN. */
  mtcnn: MtcnnSchema,
})
export type BlazefaceModel = z.infer<typeof BlazefaceSchema>

/** YuNet, and networks with the same outputs: `cls_8`, `obj_8`, `bbox_8`, `kps_8`, and the same for 16 and 32. */
const YunetSchema = z.strictObject({
  file: z.string(),
  kind: z.literal('yunet'),
  input: InputSchema,
  /** Side of the square input of a `fixed` network, in pixels. */
  side: z.int().min(32).multipleOf(32).default(640),
  /**
   * True: the network runs only at this size. False also when only the file declares a size: see withoutShapes
   * in wasm/runtime/onnx-graph.ts.
   */
  fixed: z.boolean().default(false),
})
export type YunetModel = z.infer<typeof YunetSchema>

/** The complaint about a kind that 0.2.0 had. */
export const REMOVED_KIND = 'detectors of the kind scrfd are no longer supported: use one of the kind yunet'

/**
 * Kinds of detectors. A new kind also needs a reader of its outputs beside wasm/detectors/yunet.ts, and its case in `openNetworks`
 * of wasm/detectors/detector.ts. Add its outputs to `detectorTrial` of commands/models/add.ts, and its name to docs/packs.md. A
 * test makes its network as test/unit/models/tiny-networks.ts does.
 */
export const DetectorSchema = z.discriminatedUnion('kind', [BlazefaceSchema, YunetSchema], {
  error: ({ input }) =>
    (input as { kind?: unknown } | undefined)?.kind === 'scrfd' ? REMOVED_KIND : undefined,
})
export type DetectorModel = z.infer<typeof DetectorSchema>

/** O-Net of MTCNN. It finds the five points of a face, and judges faces. */
export const LandmarksSchema = z.strictObject({
  file: z.string(),
  kind: z.literal('onet', { error: 'landmarks are of the kind onet: leave them out' }),
  input: InputSchema,
})
export type LandmarksModel = z.infer<typeof LandmarksSchema>

/** Chip layout: side in pixels, and the template to which the points are fitted. */
export const ChipSchema = z.discriminatedUnion('template', [
  /** Five points on dlib's mean face, with a margin around it as a fraction of that face. */
  z.strictObject({ size: Positive, template: z.literal('dlib'), padding: z.number().min(0) }),
  /**
   * Five points on ArcFace's template, with a margin in pixels around the network's input. `size` includes the
   * margin. A margin of 16 in a size of 144 shows everything on the standard chip, from which attributes are read.
   */
  z
    .strictObject({
      size: Positive,
      template: z.literal('arcface'),
      margin: Natural.default(0),
    })
    .refine(({ size, margin }) => size > 2 * margin, 'the margins leave nothing of the chip'),
])
export type ChipModel = z.infer<typeof ChipSchema>

/** Side of the chip's middle that the embedder takes, in pixels. */
export const embedderSide = (chip: ChipModel): number =>
  chip.template === 'dlib' ? chip.size : chip.size - 2 * chip.margin

/** Dlib's chip. The views of age and gender are parts of it. Pictures of 0.1, which are stored without a layout, have it. */
export const DLIB_CHIP = { size: 150, template: 'dlib', padding: 0.25 } as const satisfies ChipModel

/** A network of an embedder: chips to vectors. */
const EmbedderNetworkSchema = z.strictObject({
  file: z.string(),
  input: InputSchema,
  output: z.string(),
  /** Length of its vectors. */
  dimension: Positive,
  /** Factor of its unit vectors in the embedding. It sets how much this network counts beside the others. */
  weight: z.number().positive().default(1),
  /** True: a vector is the mean of the vectors of the face and its mirror image. */
  mirrored: z.boolean().default(false),
  /** True: the network takes one chip per run, no batches. */
  single: z.boolean().default(false),
})
export type EmbedderNetwork = z.infer<typeof EmbedderNetworkSchema>

/** The unit vectors of several networks are multiplied by their weights, concatenated and projected. */
const EmbedderSchema = z.preprocess(
  withNetworks,
  z
    .strictObject({
      networks: z.array(EmbedderNetworkSchema).min(1),
      /** Matrix of little-endian float32 values, row by row: an embedding is its product with the concatenation. */
      projection: z.strictObject({ file: z.string() }).optional(),
      /**
       * Logistic regression of a plain face against a covered one. Little-endian float32 values: weights of the unit vectors,
       * weights of the natural logarithms of the original lengths, in the order of the networks, and a constant.
       */
      clearness: z.strictObject({ file: z.string() }).optional(),
      /** Length of an embedding. */
      dimension: Positive,
      metric: z.literal('cosine').default('cosine'),
      chip: ChipSchema,
      /** A pack without calibration cannot be used until it is measured. */
      calibration: CalibrationsSchema.optional(),
    })
    .refine(
      ({ networks, projection, dimension }) => projection || dimension === concatenatedLength(networks),
      'without a projection, the dimension must be the sum of the dimensions of the networks',
    ),
)
export type EmbedderModel = z.infer<typeof EmbedderSchema>

/** Numbers of the concatenated vectors of these networks. */
export const concatenatedLength = (networks: readonly Pick<EmbedderNetwork, 'dimension'>[]): number =>
  networks.reduce((sum, { dimension }) => sum + dimension, 0)

/** Lists the network of an embedder that names the fields of its only network beside its own. */
function withNetworks(embedder: unknown): unknown {
  if (typeof embedder !== 'object' || embedder === null || !('file' in embedder)) return embedder
  const { file, input, output, mirrored, single, ...shared } = embedder as Record<string, unknown>
  return { networks: [{ file, input, output, mirrored, single, dimension: shared.dimension }], ...shared }
}

/**
 * A square part of DLIB_CHIP as a network's input, centred horizontally: side and top edge as fractions of the chip.
 */
const ViewSchema = z
  .strictObject({ side: z.number().positive(), top: z.number().min(0) })
  .refine(({ side, top }) => side + top <= 1, 'a view lies within the chip')
export type View = z.infer<typeof ViewSchema>

/**
 * An upright square around the face from brow to chin: its side, and the height of its centre above the face's, in
 * face sides.
 */
const SquareSchema = z.strictObject({ side: z.number().positive(), up: z.number() })
export type Square = z.infer<typeof SquareSchema>

/** A network that reads attributes: the mean over pictures of a face and their mirror images. */
const faceReader = {
  file: z.string(),
  input: InputSchema,
  /** Side in pixels to which each picture is scaled. */
  size: Positive,
}

const AgeGenderSchema = z.strictObject({
  ...faceReader,
  views: z.array(ViewSchema).min(1),
  /** Age in years; probabilities of the genders, in the order of `genders`. */
  outputs: z.strictObject({ age: z.string(), gender: z.string() }),
  genders: z.array(z.enum(GENDERS)).length(GENDERS.length),
})
export type AgeGenderModel = z.infer<typeof AgeGenderSchema>

const EmotionSchema = z.strictObject({
  ...faceReader,
  squares: z.array(SquareSchema).min(1),
  /** Probabilities of the emotions, in the order of `emotions`. */
  output: z.string(),
  emotions: z.array(z.enum(EMOTIONS)).length(EMOTIONS.length),
})
export type EmotionModel = z.infer<typeof EmotionSchema>

/** A network that tells live faces from prints and screens, from the face and its surroundings. */
export const LivenessSchema = z.strictObject({
  file: z.string(),
  input: InputSchema,
  /** Side of the input crop, in sides of the face's box. The crop is scaled to a square of `size` pixels. */
  around: z.number().min(1),
  size: Positive,
  output: z.string(),
  /** Index of the class of live faces in the output. */
  live: Natural,
})
export type LivenessModel = z.infer<typeof LivenessSchema>

const AttributesSchema = z.strictObject({ ageGender: AgeGenderSchema, emotion: EmotionSchema })
export type AttributeModels = z.infer<typeof AttributesSchema>

/** Omitted networks come from the standard pack. */
export const PackSchema = z
  .strictObject({
    detector: DetectorSchema.optional(),
    landmarks: LandmarksSchema.optional(),
    embedder: EmbedderSchema.optional(),
    attributes: AttributesSchema.optional(),
    liveness: LivenessSchema.optional(),
    /** Tables of a detector with the embedder of the standard pack. */
    calibration: CalibrationsSchema.optional(),
  })
  .refine(({ embedder, calibration }) => !embedder || !calibration, 'calibration belongs to the embedder')
  .refine(({ detector, embedder }) => detector || embedder, 'a pack must have a detector or an embedder')
/** A pack as its manifest states it. Omitted networks come from the standard pack. */
export type PackEntry = z.infer<typeof PackSchema>

/** The networks of one chain from photo to embedding, and networks that read attributes from the same faces. */
export interface Pack {
  readonly detector: DetectorModel
  readonly landmarks: LandmarksModel
  readonly embedder: EmbedderModel
  readonly attributes: AttributeModels
  readonly liveness: LivenessModel
}

export const PackName = z.string().regex(/^[a-z0-9][a-z0-9_-]{0,39}$/, 'must be of a-z, 0-9, _ and -')

/** Schema of manifest.json, and of the manifests of packs that operators add. */
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

/** The manifest of the repository. An invalid manifest stops the process at startup. */
export const MANIFEST: Manifest = ManifestSchema.parse(document)

/** A pack without omitted networks. */
interface CompletePack extends Pack {
  readonly embedder: EmbedderModel & { calibration: Calibrations }
}

/** The default pack. */
export const STANDARD: CompletePack = complete(MANIFEST.packs.standard)

function complete(entry: PackEntry | undefined): CompletePack {
  const { detector, landmarks, embedder, attributes, liveness } = entry ?? {}
  if (!detector || !landmarks || !embedder?.calibration || !attributes || !liveness)
    throw new Error('the standard pack lacks something')
  const { calibration } = embedder
  return { detector, landmarks, embedder: { ...embedder, calibration }, attributes, liveness }
}

/** Completes a pack with the networks that it omits. */
export const packWithDefaults = ({
  detector,
  landmarks,
  embedder,
  attributes,
  liveness,
}: PackEntry): Pack => ({
  detector: detector ?? STANDARD.detector,
  landmarks: landmarks ?? STANDARD.landmarks,
  embedder: embedder ?? STANDARD.embedder,
  attributes: attributes ?? STANDARD.attributes,
  liveness: liveness ?? STANDARD.liveness,
})

/** Returns the verified bytes of a model file. Throws when the file is missing or differs from the manifest. */
export type ReadModel = (file: string) => Promise<Uint8Array<ArrayBuffer>>

/** The manifest's entry for a file of the repository. Throws when the entry is missing. */
export function entryOf(file: string): ModelFile {
  const entry = MANIFEST.files[file]
  if (!entry) throw new Error(`the manifest has no model file ${file}`)
  return entry
}
