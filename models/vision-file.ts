/**
 * The vision file: the part of a pack that the edge needs, as one file with the vision models and their description.
 */
import * as z from 'zod'
import { decodeFrame, encodeFrame } from '../contract/rpc/frame.ts'
import type { FileChecks } from './file-entry.ts'
import { checkModelFile, filesOf } from './file-entry.ts'
import {
  ChipSchema,
  DetectorSchema,
  LandmarksSchema,
  LivenessSchema,
  type Pack,
  type ReadModel,
} from './manifest.ts'

const HeaderSchema = z.strictObject({
  /** Label of the chips that the networks make (core/embedding/label.ts). */
  label: z.string(),
  pack: z.strictObject({
    detector: DetectorSchema,
    landmarks: LandmarksSchema,
    embedder: z.strictObject({ chip: ChipSchema }),
    liveness: LivenessSchema,
  }),
  /** The files that follow this header, in their order. */
  files: z.array(z.strictObject({ file: z.string(), sha256: z.string(), bytes: z.int() })),
})

/** The header of the file, and a reader of its models. */
type VisionFile = Pick<z.infer<typeof HeaderSchema>, 'label' | 'pack'> & { readonly read: ReadModel }

/** Encodes the file for a pack whose model files all exist. */
export async function encodeVisionFile(
  {
    detector,
    landmarks,
    embedder: { chip },
    liveness,
  }: Pick<Pack, 'detector' | 'landmarks' | 'embedder' | 'liveness'>,
  label: string,
  checks: Readonly<Record<string, FileChecks>>,
  read: ReadModel,
): Promise<Uint8Array<ArrayBuffer>> {
  const names = filesOf({ detector, landmarks, liveness })
  const files = names.map(file => {
    const { sha256, bytes } = checks[file]!
    return { file, sha256, bytes }
  })
  const header: z.input<typeof HeaderSchema> = {
    label,
    pack: { detector, landmarks, embedder: { chip }, liveness },
    files,
  }
  return encodeFrame(header, await Promise.all(names.map(read)))
}

/**
 * Decodes the header. Each model is verified when it is read; `elsewhere` reads models without bytes in this file.
 * Throws for an invalid file.
 */
export function decodeVisionFile(bytes: Uint8Array, elsewhere?: ReadModel): VisionFile {
  const { header, blobs } = decodeFrame(bytes)
  const { label, pack, files } = HeaderSchema.parse(header)
  return {
    label,
    pack,
    async read(name) {
      const at = files.findIndex(({ file }) => file === name)
      const blob = blobs[at]
      if (!blob) throw new Error(`the bundle has no model file ${name}`)
      const model = blob.length === 0 && elsewhere ? await elsewhere(name) : blob.slice()
      return checkModelFile(model as Uint8Array<ArrayBuffer>, files[at]!)
    },
  }
}
