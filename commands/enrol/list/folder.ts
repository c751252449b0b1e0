/** Reads a folder of photos. A pattern of the relative path gives the fields of each photo. */
import { opendir, stat } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { type PathPattern, pathPattern } from './pattern.ts'
import { type Entry, entryOf, type FieldDefaults } from './row.ts'

/** One folder per person, named by its meta. */
export const DEFAULT_PATTERN = '{meta}/*'

const PHOTO = /\.(jpe?g|png|webp)$/i

/** Yields one entry per photo, in the order of the file system. Other files and hidden files are left out. */
export async function* folderRows(
  folder: string,
  defaults: FieldDefaults,
  pattern: string = DEFAULT_PATTERN,
): AsyncGenerator<Entry> {
  const fieldsOf = pathPattern(pattern)
  for await (const name of photosIn(folder, ''))
    yield entryAt(name, pattern, fieldsOf, { base: folder, defaults })
}

function entryAt(
  name: string,
  pattern: string,
  fieldsOf: PathPattern,
  place: { base: string; defaults: FieldDefaults },
): Entry {
  const fields = fieldsOf(name.replaceAll(sep, '/'))
  if (!fields)
    return {
      problem: {
        name,
        reason: `The path does not match the pattern ${pattern}. Name another with --pattern.`,
      },
    }
  // macOS stores names decomposed. Callers search for the usual, composed form.
  const meta = typeof fields.meta === 'string' ? { meta: fields.meta.normalize('NFC') } : {}
  return entryOf({ ...fields, ...meta, file: name }, place)
}

/** Relative paths of photos. Links to files are followed, links to folders are not: they may form a circle. */
async function* photosIn(folder: string, below: string): AsyncGenerator<string> {
  for await (const entry of await opendir(join(folder, below))) {
    if (entry.name.startsWith('.')) continue
    const name = join(below, entry.name)
    if (entry.isDirectory()) yield* photosIn(folder, name)
    else if (PHOTO.test(name) && (entry.isFile() || (await isFile(join(folder, name))))) yield name
  }
}

const isFile = async (path: string): Promise<boolean> =>
  stat(path).then(
    found => found.isFile(),
    () => false,
  )
