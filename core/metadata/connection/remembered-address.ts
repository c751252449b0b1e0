/** Which database the metadata of a data folder is in, remembered there: with another one all faces would seem to be gone. */
import { join } from 'node:path'
import * as z from 'zod'
import { readInstallation } from '../../files/installation.ts'
import { readRecord, writeRecord } from '../../files/record.ts'
import type { DatabaseAddress } from './address.ts'

/** A database that can't be used as it is; the message tells the operator why. */
export class DatabaseRefused extends Error {
  override readonly name = 'DatabaseRefused'
}

/** In a data folder whose metadata is elsewhere. */
const PLACE = 'database.json'

const PlaceSchema = z.strictObject({ url: z.string() })

/** What the folder remembers; undefined where its metadata is its own file. Throws DatabaseRefused when it is damaged. */
async function rememberedPlace(data: string): Promise<string | undefined> {
  return (await readRecord(join(data, PLACE), PlaceSchema, DatabaseRefused))?.url
}

/**
 * Throws DatabaseRefused when the folder's metadata is not where it is now looked for, or would not be encrypted as the folder
 * is. `own`: it has metadata in itself. A server may be reached in another way now: that it is the same is for the operator.
 */
export async function requireSameAddress(
  data: string,
  address: DatabaseAddress | undefined,
  { own, sealed }: { own: boolean; sealed: boolean },
): Promise<void> {
  if (address?.url.startsWith('file:') && sealed)
    throw new DatabaseRefused(
      `${data} is encrypted: its metadata has to be in it, or at a server that encrypts.`,
    )
  if (address && own)
    throw new DatabaseRefused(
      `${data} has metadata.db, with faces of its own. Load it into the database and move it away, or leave MIEN_DATABASE_URL out.`,
    )
  const place = address ? undefined : await rememberedPlace(data)
  if (place !== undefined)
    throw new DatabaseRefused(`The metadata of ${data} is at ${place}: set MIEN_DATABASE_URL.`)
}

/**
 * Throws DatabaseRefused where the metadata was a file of this folder, and that is missing or empty: a new one would have
 * no faces, without an error.
 */
export async function requireMetadataFile(data: string, file: string): Promise<void> {
  const record = await readInstallation(data)
  if (record?.metadata !== 'file') return
  throw new DatabaseRefused(
    `${join(data, file)} is missing or empty, and ${data} has been in use. Mount the volume that holds it, or restore ` +
      'the data folder from a backup. To see what is left: npm run store -- repair',
  )
}

/** On the disk when it resolves. */
export async function rememberAddress(data: string, { url }: DatabaseAddress): Promise<void> {
  if ((await rememberedPlace(data)) === url) return
  await writeRecord(join(data, PLACE), { url })
}
