/** Model files on disk. */
import { readFile, rename, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { ModelFile } from './file-entry.ts'
import { checkModelFile, isBuilt } from './file-entry.ts'
import { MANIFEST, type ReadModel } from './manifest.ts'

/** Output folder of `mien models`; not in git. */
export const BUILT_FOLDER = new URL('built/', import.meta.url)

/** Writes a file that is built. Readers see the whole file or none. */
export async function replaceFile(path: string | URL, contents: Uint8Array | string): Promise<void> {
  const draft = `${path instanceof URL ? fileURLToPath(path) : path}.${process.pid}.tmp`
  await writeFile(draft, contents)
  await rename(draft, path)
}

/** A model file and its absolute path. The file may be missing. */
export type PlacedFile = ModelFile & { readonly path: string }

/** Files by name. Plain values, which can be passed to worker threads. */
export type PlacedFiles = Readonly<Record<string, PlacedFile>>

/** The files that commands/build/models.ts builds. */
export const BUILT_FILES: PlacedFiles = Object.fromEntries(
  Object.entries(MANIFEST.files)
    .filter(([, entry]) => isBuilt(entry))
    .map(([file, entry]) => [file, { ...entry, path: fileURLToPath(new URL(file, BUILT_FOLDER)) }]),
)

/** Creates a reader of these files. */
export const readerOf =
  (files: PlacedFiles): ReadModel =>
  async file => {
    const entry = Object.hasOwn(files, file) ? files[file] : undefined
    if (!entry) throw new Error(`no manifest has the model file ${file}`)
    const bytes = await readFile(entry.path).catch(cause => {
      throw new Error(`the model ${file} is not there: ${remedyFor(entry)}`, { cause })
    })
    return checkModelFile(new Uint8Array(bytes), entry)
  }

function remedyFor(entry: ModelFile) {
  if (isBuilt(entry)) return 'run mien build in the repository, or install the release again'
  return `run mien models ${'url' in entry ? 'pull' : 'add'}`
}

/** Reads built models. */
export const readModel: ReadModel = readerOf(BUILT_FILES)
