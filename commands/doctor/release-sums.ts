/** The SHA-256 of each file of a release: listed when it is made, and compared with an installation. */
import { createHash } from 'node:crypto'
import { createReadStream, existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { IS_RELEASE } from '../../core/files/program-form.ts'
import { type Check, type Finding, note, ok, problem } from './check.ts'

/** Where Node keeps compiled code (commands/mien.js). */
const CACHE = 'node_modules/.cache/'

/** The list in the folder of a release, in the format of sha256sum. */
export const SUMS_FILE = 'files.sha256'

/** Hashes in hexadecimal by path, with slashes, below a folder. */
export type Sums = ReadonlyMap<string, string>

/** Paths in a message, for each kind of difference; the others are counted. */
const MAX_NAMED = 5

const PROGRAM = join(import.meta.dirname, '..', '..')

/** The folder of the package that a file belongs to; empty for other files. */
const packageOf = (path: string): string => /^node_modules\/(@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? ''

/** Regular files below the folder, without links, the cache and the list itself, as sorted paths with slashes. */
export async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries
    .filter(entry => entry.isFile())
    .map(({ parentPath, name }) => relative(folder, join(parentPath, name)).replaceAll(sep, '/'))
    .filter(path => path !== SUMS_FILE && !path.startsWith(CACHE))
    .sort()
}

/** The hashes of these files below the folder. */
export async function sumsOf(folder: string, paths: readonly string[]): Promise<Sums> {
  const sums = new Map<string, string>()
  for (const path of paths) {
    const hash = createHash('sha256')
    await pipeline(createReadStream(join(folder, path)), hash)
    sums.set(path, hash.digest('hex'))
  }
  return sums
}

export const sumsText = (sums: Sums): string => [...sums].map(([path, sum]) => `${sum}  ${path}\n`).join('')

/** Throws when a line does not have the format of sha256sum. */
export const parseSums = (text: string): Sums =>
  new Map(
    text
      .split('\n')
      .filter(line => line !== '')
      .map(line => {
        const [, sum, path] = /^([0-9a-f]{64}) [ *](.+)$/.exec(line) ?? []
        if (!sum || !path) throw new Error(`expected lines of sha256sum, got "${line.slice(0, 80)}"`)
        return [path, sum]
      }),
  )

/**
 * The check of `mien doctor --verify`. `list`: path of the list that was published with the release. Without it, the list
 * of the installation: it shows damage, but not what somebody changed together with the list.
 */
export const verifyRelease =
  (list: string | undefined): Check =>
  async () => {
    if (!IS_RELEASE)
      return note('The program runs from the repository, which has no list.', 'git status shows its changes.')
    const path = list ?? join(PROGRAM, SUMS_FILE)
    return compareFolder(PROGRAM, path, parseSums(await readFile(path, 'utf8')))
  }

/**
 * Compares the files below the folder with the sums, which the file at `source` lists. In a project, npm puts packages that a release
 * downloads beside it: those that are not in the folder are compared there.
 */
export async function compareFolder(folder: string, source: string, expected: Sums): Promise<Finding> {
  const project = join(folder, '..', '..')
  const packages = new Set([...expected.keys()].map(packageOf))
  const beside: string[] = []
  for (const name of packages)
    if (!existsSync(join(folder, name)) && existsSync(join(project, name)))
      beside.push(...(await filesBelow(join(project, name))).map(path => `${name}/${path}`))
  const actual = new Map([
    ...(await sumsOf(folder, await filesBelow(folder))),
    ...(await sumsOf(project, beside)),
  ])
  const differences = {
    changed: [...actual].filter(([path, sum]) => (expected.get(path) ?? sum) !== sum).map(([path]) => path),
    missing: [...expected.keys()].filter(path => !actual.has(path)),
    added: [...actual.keys()].filter(path => !expected.has(path)),
  }
  const texts = Object.entries(differences).flatMap(([kind, paths]) => {
    const more = paths.length > MAX_NAMED ? ', ...' : ''
    return paths.length === 0 ? [] : `${paths.length} ${kind}: ${paths.slice(0, MAX_NAMED).join(', ')}${more}`
  })
  if (texts.length === 0) return ok(`All ${expected.size} files are as ${source} says.`)
  return problem(
    `Files are not as ${source} says. ${texts.join('; ')}.`,
    'Find out who changed them. Then run: npm install --global RELEASE, again.',
  )
}
