/** The installation record of a data folder: the id that its parts share, and the parts that it contains. */
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod'
import { ignoreCode } from './expected-errors.ts'
import { readRecord, writeRecord } from './record.ts'

/** File name in the data folder. A folder without it is new or of an earlier version. */
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
