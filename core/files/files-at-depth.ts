/** Lists the files of a folder's subfolders. Node 20, which runs releases, has no `glob`. */
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { ignoreCode } from './expected-errors.ts'

/** Yields the paths, relative to `folder`, of the files that are `depth` subfolders deep. A missing folder has none. */
export async function* filesAtDepth(folder: string, depth: number): AsyncIterable<string> {
  for (const entry of (await readdir(folder, { withFileTypes: true }).catch(ignoreCode('ENOENT'))) ?? []) {
    if (depth === 0 && entry.isFile()) yield entry.name
    if (depth > 0 && entry.isDirectory())
      for await (const file of filesAtDepth(join(folder, entry.name), depth - 1)) yield join(entry.name, file)
  }
}
