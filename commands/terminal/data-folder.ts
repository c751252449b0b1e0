/** Facts about the data folder of a command: whether a service has used it, its key, and the places of metadata and pictures. */
import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { readBucketKeys, readDatabase, readOperatorKey } from '../../core/configuration/credentials.ts'
import { readConfiguration } from '../../core/configuration/environment.ts'
import type { DataKey } from '../../core/encryption/encrypt.ts'
import { findDataKey, openDataKey } from '../../core/encryption/folder-key.ts'
import type { OperatorKey } from '../../core/encryption/key-file.ts'
import { INSTALLATION } from '../../core/files/record.ts'
import type { DatabaseAddress } from '../../core/metadata/connection/address.ts'
import {
  closeDatabase,
  type Database,
  METADATA_FILE,
  type MetadataSettings,
  openDatabase,
} from '../../core/metadata/database.ts'
import type { PictureSettings } from '../../core/pictures/open.ts'
import type { GlobalOptions } from './command-line.ts'
import { dataFolder, pathOf } from './paths.ts'

const CHOOSE = 'Name another folder with --data DIR or MIEN_DATA.'

/** The folder is missing, or no service has used it. The message states the remedy for the operator. */
export class ServiceNotRunning extends Error {
  override readonly name = 'ServiceNotRunning'
}

/** Throws ServiceNotRunning unless the folder exists. */
export function requireFolder(data: string): void {
  const found = statSync(data, { throwIfNoEntry: false })
  if (!found) throw new ServiceNotRunning(`There is no data folder ${data}. ${CHOOSE}`)
  if (!found.isDirectory()) throw new ServiceNotRunning(`${data} is a file, not a data folder. ${CHOOSE}`)
}

/** The data folder that an option gives. Throws ServiceNotRunning unless it exists. */
export function existingFolder(given: string | undefined): string {
  const data = dataFolder(given)
  requireFolder(data)
  return data
}

/**
 * Throws ServiceNotRunning unless a service has used the folder. `elsewhere`: the metadata is in a database, and the
 * folder may still be empty.
 */
export function requireRunningService(data: string, elsewhere: boolean): void {
  requireFolder(data)
  if (elsewhere || servedFile(data)) return
  throw new ServiceNotRunning(`${data} is not a data folder of Mien: it has no ${METADATA_FILE}. ${CHOOSE}`)
}

/** The folder's metadata, record of an installation, or address of its database; undefined unless a service has used it. */
const servedFile = (data: string) =>
  [METADATA_FILE, INSTALLATION, 'database.json'].find(file => existsSync(join(data, file)))

/** Throws for root if the files of the service, or else the folder, belong to another user: this user could not open files of root. */
export function refuseRoot(data: string): void {
  if (process.geteuid?.() !== 0) return
  const uid = statSync(join(data, servedFile(data) ?? '.'), { throwIfNoEntry: false })?.uid
  if (uid)
    throw new Error(
      `Run this with sudo -u '#${uid}': ${data} belongs to that user, who could not open what root writes.`,
    )
}

/** The folder's data key; undefined when it is not encrypted. Throws EncryptionRefused and ConfigurationError. */
export const dataKeyOf = async (data: string): Promise<DataKey | undefined> =>
  findDataKey(data, await givenKey())

/**
 * The data key for commands that may create the folder: an empty folder becomes encrypted when a key is given. Throws
 * like `dataKeyOf`.
 */
export const dataKeyFor = async (data: string): Promise<DataKey | undefined> =>
  openDataKey(data, await givenKey())

/** The operator's key; undefined when none is set. Throws ConfigurationError. */
export const givenKey = (variable?: string): Promise<OperatorKey | undefined> =>
  readOperatorKey(process.env, variable, pathOf)

/**
 * Settings of a folder that a service has used; creates nothing. Throws EncryptionRefused, ConfigurationError, and
 * ServiceNotRunning for a missing folder.
 */
export async function metadataIn(data: string): Promise<MetadataSettings> {
  const database = await databaseGiven()
  requireRunningService(data, database !== undefined)
  return { dataKey: await dataKeyOf(data), database }
}

interface OpenMetadata {
  /** Absolute path of the data folder. */
  data: string
  settings: MetadataSettings
  database: Database
}

/** Runs `work` with the metadata of a folder that a service has used, and closes it. Throws like `metadataIn`. */
export async function withMetadata<Result>(
  { data: given }: GlobalOptions,
  work: (opened: OpenMetadata) => Promise<Result>,
): Promise<Result> {
  const data = dataFolder(given)
  const settings = await metadataIn(data)
  const database = await openDatabase(data, settings)
  try {
    return await work({ data, settings, database })
  } finally {
    await closeDatabase(database)
  }
}

/** Settings of any folder. Throws EncryptionRefused and ConfigurationError. */
export const metadataOf = async (data: string): Promise<MetadataSettings> => ({
  dataKey: await dataKeyOf(data),
  database: await databaseGiven(),
})

/** Settings for commands that may create the folder. Throws like `metadataOf`. */
export const metadataFor = async (data: string): Promise<MetadataSettings> => ({
  dataKey: await dataKeyFor(data),
  database: await databaseGiven(),
})

/** The database's address; undefined when the metadata is in the data folder. Throws ConfigurationError. */
export const databaseGiven = (): Promise<DatabaseAddress | undefined> => readDatabase(process.env, pathOf)

/** The bucket's address and keys. Throws ConfigurationError. */
export const picturesGiven = async (): Promise<Pick<PictureSettings, 'pictures' | 'bucketKeys'>> => ({
  pictures: readConfiguration(process.env).pictures,
  bucketKeys: await readBucketKeys(process.env, pathOf),
})
