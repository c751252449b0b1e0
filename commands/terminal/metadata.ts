/** Reads the metadata settings of a command: the folder's key, and the database's address from the environment. */
import { readDatabase } from '../../core/configuration/credentials.ts'
import type { DatabaseAddress } from '../../core/metadata/connection/address.ts'
import type { MetadataSettings } from '../../core/metadata/database.ts'
import { requireRunningService } from './data-folder.ts'
import { dataKeyFor, dataKeyOf } from './data-key.ts'
import { pathOf } from './paths.ts'

/**
 * Settings of a folder that a service has used; creates nothing. Throws EncryptionRefused, ConfigurationError, and
 * ServiceNotRunning for a missing folder.
 */
export async function metadataIn(data: string): Promise<MetadataSettings> {
  const database = await databaseGiven()
  requireRunningService(data, database !== undefined)
  return { dataKey: await dataKeyOf(data), database }
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
export const databaseGiven = (): Promise<DatabaseAddress | undefined> =>
  readDatabase(process.env, path => pathOf(path))
