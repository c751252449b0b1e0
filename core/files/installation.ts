/** The installation record of a data folder: the id that its parts share, and which parts were made in it. */
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod'
import { ignoreCode } from './expected-errors.ts'
import { readRecord, writeRecord } from './record.ts'

/** In the data folder. A folder without it is new, or was made by an earlier version. */
export const INSTALLATION = 'installation.json'

const InstallationSchema = z.strictObject({
  version: z.literal(1),
  /** A UUID. The metadata, the vectors and the pictures carry the same one. */
  id: z.uuid(),
  /** Where the metadata is: `metadata.db` in this folder, or a database elsewhere. */
  metadata: z.enum(['file', 'elsewhere']),
  /** Whether this folder has shards of its own. */
  vectors: z.boolean(),
  /** Whether this folder has pictures of its own. */
  pictures: z.boolean(),
})
export type Installation = z.infer<typeof InstallationSchema>

/** The record can't be read; the message tells the operator what to do. */
export class InstallationDamaged extends Error {
  override readonly name = 'InstallationDamaged'
}

/** The record of this data folder; undefined where there is none. Throws InstallationDamaged. */
export const readInstallation = (data: string): Promise<Installation | undefined> =>
  readRecord(join(data, INSTALLATION), InstallationSchema, InstallationDamaged)

/** On the disk when it resolves. */
export const writeInstallation = (data: string, installation: Installation): Promise<void> =>
  writeRecord(join(data, INSTALLATION), installation)

/** Whether there is a file at this path that holds something. */
export const holdsSomething = async (path: string): Promise<boolean> =>
  ((await stat(path).catch(ignoreCode('ENOENT')))?.size ?? 0) > 0
