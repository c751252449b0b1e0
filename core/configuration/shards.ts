/** Reads the operator's list of the store's shards from the file that MIEN_SHARDS names. */
import { readFile } from 'node:fs/promises'
import { type Layout, parseLayout } from '../vector-store/sharding/layout.ts'
import { ConfigurationError } from './environment.ts'

/**
 * The layout in the file; undefined when no file is named. Throws ConfigurationError, and LayoutRefused for an invalid
 * list.
 */
export async function readLayout(file: string | undefined): Promise<Layout | undefined> {
  if (file === undefined) return undefined
  const text = await readFile(file, 'utf8').catch((cause: NodeJS.ErrnoException) => {
    throw new ConfigurationError(`${file}, which MIEN_SHARDS names, can't be read (${cause.code}).`, {
      cause,
    })
  })
  return parseLayout(text, file)
}
