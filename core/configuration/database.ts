/** Reads the address of the metadata database from the environment. */
import { resolve } from 'node:path'
import { type DatabaseAddress, faultOfUrl } from '../metadata/connection/address.ts'
import { ConfigurationError } from './environment.ts'
import { givenSecret } from './secret-files.ts'

/** Variables for the token of a database: its value, or the file that contains it. */
export const DATABASE_TOKEN = { key: 'MIEN_DATABASE_TOKEN', file: 'MIEN_DATABASE_TOKEN_FILE' } as const

/**
 * Reads the address, for commands that need no other configuration; undefined when the metadata is in the data folder.
 * Throws ConfigurationError.
 */
export async function readDatabase(
  environment: Record<string, string | undefined>,
  pathOf: (path: string) => string = resolve,
): Promise<DatabaseAddress | undefined> {
  const url = environment.MIEN_DATABASE_URL
  if (!url) return undefined
  const fault = faultOfUrl(url)
  if (fault !== undefined) throw new ConfigurationError(`MIEN_DATABASE_URL ${fault}`)
  return { url, token: await givenSecret(environment, DATABASE_TOKEN, pathOf) }
}
