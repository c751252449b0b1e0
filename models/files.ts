/** Model files on disk. */
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { ModelFile } from './file-entry.ts'
import { MANIFEST, type ReadModel } from './manifest.ts'
import { verified } from './verify.ts'

/** Where `npm run models` puts what it builds; not in git. */
export const BUILT = new URL('built/', import.meta.url)

/** A model file and the absolute path at which it belongs, there or not. */
export type PlacedFile = ModelFile & { readonly path: string }

/** By their names. Plain values: threads are started with them. */
export type PlacedFiles = Readonly<Record<string, PlacedFile>>

/** The files that are built. */
export const BUILT_FILES: PlacedFiles = Object.fromEntries(
  Object.entries(MANIFEST.files)
    .filter(([, entry]) => 'package' in entry)
    .map(([file, entry]) => [file, { ...entry, path: fileURLToPath(new URL(file, BUILT)) }]),
)

/** Reads these files. */
export const readerOf =
  (files: PlacedFiles): ReadModel =>
  async file => {
    const entry = Object.hasOwn(files, file) ? files[file] : undefined
    if (!entry) throw new Error(`no manifest has the model file ${file}`)
    const bytes = await readFile(entry.path).catch(cause => {
      throw new Error(`the model ${file} is not there: run npm run models${verbFor(entry)}`, { cause })
    })
    return verified(new Uint8Array(bytes), entry)
  }

const verbFor = (entry: ModelFile): string =>
  'package' in entry ? '' : 'url' in entry ? ' -- pull' : ' -- add'

/** Reads built models. */
export const readModel: ReadModel = readerOf(BUILT_FILES)
