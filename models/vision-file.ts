/** What the edge has of a pack, in one piece: the networks that look at photos, and what is to be known of them. */
import * as z from 'zod'
import { decodeFrame, encodeFrame } from '../core/contract/rpc/frame.ts'
import type { FileChecks } from './file-entry.ts'
import {
  ChipSchema,
  DetectorSchema,
  filesOf,
  LandmarksSchema,
  LivenessSchema,
  type Pack,
  type ReadModel,
} from './manifest.ts'
import { verified } from './verify.ts'

const EyesSchema = z.strictObject({
  /** What core has to embed its chips with (core/embedding/label.ts). */
  label: z.string(),
  pack: z.strictObject({
    detector: DetectorSchema,
    landmarks: LandmarksSchema.optional(),
    embedder: z.strictObject({ chip: ChipSchema }),
    liveness: LivenessSchema,
  }),
  /** The files behind this, in their order. */
  files: z.array(z.strictObject({ file: z.string(), sha256: z.string(), bytes: z.int() })),
})

/** The file's head, and a reader of the models in it. */
export type VisionFile = Pick<z.infer<typeof EyesSchema>, 'label' | 'pack'> & { readonly read: ReadModel }

/** The bytes of the file, for a pack whose files are all there. */
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
  const header: z.input<typeof EyesSchema> = {
    label,
    pack: { detector, landmarks, embedder: { chip }, liveness },
    files,
  }
  return encodeFrame(header, await Promise.all(names.map(read)))
}

/** Reads the file's head; each model is verified when it is read. Throws when it is no such file. */
export function decodeVisionFile(bytes: Uint8Array): VisionFile {
  const { header, blobs } = decodeFrame(bytes)
  const { label, pack, files } = EyesSchema.parse(header)
  return {
    label,
    pack,
    async read(name) {
      const at = files.findIndex(({ file }) => file === name)
      const blob = blobs[at]
      if (!blob) throw new Error(`the bundle has no model file ${name}`)
      return verified(blob.slice() as Uint8Array<ArrayBuffer>, files[at]!)
    },
  }
}
