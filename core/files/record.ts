/**
 * Reads and writes records: small JSON files of a data folder with a schema, for example the record of the installation. A write
 * replaces a record atomically.
 */
import { readFile, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import * as z from 'zod'
import { isLaterVersion, laterVersion } from '../../contract/later-version.ts'
import { syncFolder, writeWhole } from './durable.ts'
import { ignoreCode } from './inspect.ts'

/** Error class for an unreadable record. Its message says what to do. */
type Damaged = new (message: string, options: ErrorOptions) => Error

/**
 * Reads a record. Undefined when it does not exist. Throws `Damaged` when it does not match its schema, or when a later
 * version of the service wrote it.
 */
export async function readRecord<Schema extends z.ZodType>(
  path: string,
  schema: Schema,
  Damaged: Damaged,
): Promise<z.output<Schema> | undefined> {
  const text = await readFile(path, 'utf8').catch(ignoreCode('ENOENT'))
  if (text === undefined) return undefined
  let content: unknown
  try {
    content = JSON.parse(text)
    return schema.parse(content)
  } catch (cause) {
    if (isLaterVersion(content)) throw new Damaged(laterVersion(path), { cause })
    throw new Damaged(`${path} is damaged. Restore it from a backup.`, { cause })
  }
}

/** Replaces a record atomically. It is durable when this resolves. */
export async function writeRecord(path: string, content: object): Promise<void> {
  const folder = dirname(path)
  await writeWhole(path, Buffer.from(`${JSON.stringify(content, null, 2)}\n`), folder)
  await syncFolder(folder)
}

/** File name in the data folder. A folder without it is new. */
export const INSTALLATION = 'installation.json'

const InstallationSchema = z.strictObject({
  version: z.literal(1),
  /** A UUID, also recorded in the metadata, the vectors and the pictures. */
  id: z.uuid(),
  /** Location of the metadata: `metadata.db` in this folder, or a remote database. */
  metadata: z.enum(['file', 'elsewhere']),
  /** Whether this folder contains shards. */
  vectors: z.boolean(),
  /** Whether this folder contains pictures. */
  pictures: z.boolean(),
})
export type Installation = z.infer<typeof InstallationSchema>

/** The record is unreadable. The message says what to do. */
export class InstallationDamaged extends Error {
  override readonly name = 'InstallationDamaged'
}

/** Reads the record of a data folder; undefined when there is none. Throws InstallationDamaged. */
export const readInstallation = (data: string): Promise<Installation | undefined> =>
  readRecord(join(data, INSTALLATION), InstallationSchema, InstallationDamaged)

/** Writes the record. It is durable when this resolves. */
export const writeInstallation = (data: string, installation: Installation): Promise<void> =>
  writeRecord(join(data, INSTALLATION), installation)

/** Whether there is a non-empty file at this path. */
export const holdsSomething = async (path: string): Promise<boolean> =>
  ((await stat(path).catch(ignoreCode('ENOENT')))?.size ?? 0) > 0
