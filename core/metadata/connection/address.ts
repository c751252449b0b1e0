/** Address of metadata outside the data folder, which the folder remembers: in another database, all faces would be missing. */

import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod'
import { readInstallation, readRecord, writeRecord } from '../../files/record.ts'

export interface DatabaseAddress {
  /** `libsql://`, `https://` or `http://` and a server, or `file:` and an absolute path. Contains no secret. */
  url: string
  /** Access token for the server. */
  token?: string
  /** URLs of replicas of the server. A change is acknowledged when one of them has it. */
  replicas?: readonly string[]
}

/**
 * Why a URL is not a valid address; undefined when it is valid. Tokens in URLs are refused because logs contain the
 * URL.
 */
export function faultOfUrl(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined
  switch (url?.protocol) {
    case 'file:':
      return /^file:\/(\/\/)?[^/]/.test(text) ? undefined : 'must name a file by its absolute path'
    case 'libsql:':
    case 'https:':
    case 'http:':
      if (url.username || url.password || url.searchParams.has('authToken'))
        return 'must not have a token in it: that is for MIEN_DATABASE_TOKEN'
      return undefined
    default:
      return 'must be like "libsql://host", "https://host:port", "http://host:port" or "file:/folder/file"'
  }
}

export const isFile = ({ url }: DatabaseAddress): boolean => url.startsWith('file:')

/** A database that cannot be used in its present state. The message states the reason for the operator. */
export class DatabaseRefused extends Error {
  override readonly name = 'DatabaseRefused'
}

/** Name of the file in a data folder whose metadata is elsewhere. */
const ADDRESS_FILE = 'database.json'

const AddressSchema = z.strictObject({ url: z.string() })

/**
 * The remembered URL; undefined when the folder holds its own metadata. Throws DatabaseRefused when the record is
 * damaged.
 */
export async function rememberedUrl(data: string): Promise<string | undefined> {
  return (await readRecord(join(data, ADDRESS_FILE), AddressSchema, DatabaseRefused))?.url
}

/**
 * Throws DatabaseRefused when the folder's metadata is not at this address, or would be in the clear although the
 * folder is encrypted. `own`: the folder holds a metadata file. `sealed`: the folder is encrypted. A changed address is
 * accepted: the operator ensures that it leads to the same database.
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
      `${data} has metadata.db, with other faces. Move it into the database with "mien store move metadata --to", or leave MIEN_DATABASE_URL out.`,
    )
  const rememberedAt = address ? undefined : await rememberedUrl(data)
  if (rememberedAt !== undefined)
    throw new DatabaseRefused(`The metadata of ${data} is at ${rememberedAt}: set MIEN_DATABASE_URL.`)
}

/**
 * Throws DatabaseRefused when the metadata was a file of this folder and the file is missing or empty. A new file would
 * hold no faces, and no error would report the loss.
 */
export async function requireMetadataFile(data: string, file: string): Promise<void> {
  const record = await readInstallation(data)
  if (record?.metadata !== 'file') return
  throw new DatabaseRefused(
    `${join(data, file)} is missing or empty, and ${data} has been in use. Mount the volume that holds it, or restore ` +
      'the data folder from a backup. To see what is left: mien store repair',
  )
}

/** Removes the address: the folder holds its own metadata. */
export const forgetAddress = (data: string): Promise<void> => rm(join(data, ADDRESS_FILE), { force: true })

/** Stores the address in the data folder. Durable when the promise resolves. */
export async function rememberAddress(data: string, { url }: DatabaseAddress): Promise<void> {
  if ((await rememberedUrl(data)) === url) return
  await writeRecord(join(data, ADDRESS_FILE), { url })
}
