/** Reads a folder of photos. A pattern, for example `{gallery}/{meta}/*`, takes the fields of a photo from its path. */
import { opendir, stat } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { foldName } from '../../contract/model/person.ts'
import { UsageError } from '../terminal/command-line.ts'
import { type Entry, entryOf, type FieldDefaults, type GivenFields, unknownName } from './row.ts'

/** One folder per person, named by its meta. */
const DEFAULT_PATTERN = '{meta}/*'

const PHOTO = /\.(jpe?g|png|webp)$/i

/** Yields one entry per photo, in the order of the file system. Other files and hidden files are left out. */
export async function* folderRows(
  folder: string,
  defaults: FieldDefaults,
  pattern: string = DEFAULT_PATTERN,
): AsyncGenerator<Entry> {
  const fieldsOf = pathPattern(pattern)
  for await (const { name, problem } of photosIn(folder, '')) {
    if (problem !== undefined) {
      yield { problem: { name, reason: problem } }
      continue
    }
    const fields = fieldsOf(name.replaceAll(sep, '/'))
    const reason = `The path does not match the pattern ${pattern}. Name another with --pattern.`
    yield fields
      ? withPerson(entryOf({ ...fields, file: name }, { base: folder, defaults }), fields)
      : { problem: { name, reason } }
  }
}

/** A meta in the path names the person, unless the photo is of several people. */
function withPerson(entry: Entry, fields: GivenFields): Entry {
  const { row } = entry
  if (!row || !fields.meta || row.selector === 'all' || foldName(row.meta) === '') return entry
  return { row: { ...row, person: row.meta } }
}

interface Found {
  /** Relative path of a photo, or of a folder that has a problem. */
  name: string
  problem?: string
}

/** Links to files are followed, links to folders are not: they may form a circle. A folder below that cannot be read is a problem. */
async function* photosIn(folder: string, below: string): AsyncGenerator<Found> {
  const entries = await opendir(join(folder, below)).catch((error: NodeJS.ErrnoException) => {
    if (below === '') throw error
    return error.code
  })
  if (typeof entries !== 'object')
    return yield { name: below, problem: `The folder cannot be read: ${entries}.` }
  for await (const entry of entries) {
    if (entry.name.startsWith('.')) continue
    const name = join(below, entry.name)
    if (entry.isDirectory()) yield* photosIn(folder, name)
    else if (PHOTO.test(name) && (entry.isFile() || (await isFile(join(folder, name))))) yield { name }
  }
}

const isFile = async (path: string) =>
  stat(path).then(
    found => found.isFile(),
    () => false,
  )

/** Placeholders and the fields that they set. */
const PLACEHOLDERS = { meta: 'meta', gallery: 'galleries', camera: 'camera', time: 'time' } as const
type Placeholder = keyof typeof PLACEHOLDERS

/**
 * Compiles a pattern to a function from a path with "/" to its fields. The result is undefined for a path that does not match. `*`
 * stands for any characters except "/", `**` for any characters, a placeholder for at least one character except "/". Throws
 * UsageError for another or repeated placeholder.
 */
function pathPattern(text: string): (path: string) => GivenFields | undefined {
  const used = new Set<string>()
  const source = text.replace(/\{([^}]*)\}|\*\*|\*|[^{*]+|\{/gsu, (part, name: string | undefined) => {
    if (part === '**') return '.*'
    if (part === '*') return '[^/]*'
    if (name === undefined) return part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
    if (!Object.hasOwn(PLACEHOLDERS, name))
      throw new UsageError(unknownName('placeholder', name, Object.keys(PLACEHOLDERS)))
    if (used.has(name)) throw new UsageError(`The pattern has {${name}} twice.`)
    used.add(name)
    return `(?<${name}>[^/]+?)`
  })
  const expression = new RegExp(`^${source}$`, 'su')
  return path => {
    const match = expression.exec(path)
    if (!match) return undefined
    const fields = Object.entries(match.groups ?? {}).map(([name, value]) => [
      PLACEHOLDERS[name as Placeholder],
      // macOS stores names decomposed. Callers search for the usual, composed form.
      name === 'meta' ? value.normalize('NFC') : value,
    ])
    return Object.fromEntries(fields)
  }
}
