/** The SHA-256 of each file of a release, in the format of sha256sum. */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { pipeline } from 'node:stream/promises'

/** Where Node keeps compiled code (commands/mien.js). */
const CACHE = 'node_modules/.cache/'

/** The list in the folder of a release. */
export const SUMS_FILE = 'files.sha256'

/** Hashes in hexadecimal by path, with slashes, below a folder. */
export type Sums = ReadonlyMap<string, string>

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
