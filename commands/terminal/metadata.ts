/** How a command reaches the metadata of a data folder: with the folder's key, and where the environment says that it is. */
import { readDatabase } from '../../core/configuration/database.ts'
import type { DatabaseAddress } from '../../core/metadata/connection/address.ts'
import type { MetadataSettings } from '../../core/metadata/database.ts'
import { requireRunningService } from './data-folder.ts'
import { dataKeyFor, dataKeyOf } from './data-key.ts'
import { pathOf } from './paths.ts'

/** Of a folder that a service has used: makes nothing. Throws also an Error that names a folder that is not there. */
export async function metadataIn(data: string): Promise<MetadataSettings> {
  const database = await databaseGiven()
  requireRunningService(data, database !== undefined)
  return { dataKey: await dataKeyOf(data), database }
}

/** Throws EncryptionRefused and ConfigurationError. */
export const metadataOf = async (data: string): Promise<MetadataSettings> => ({
  dataKey: await dataKeyOf(data),
  database: await databaseGiven(),
})

/** The same for what may make the folder. */
export const metadataFor = async (data: string): Promise<MetadataSettings> => ({
  dataKey: await dataKeyFor(data),
  database: await databaseGiven(),
})

/** Undefined where the metadata is in the data folder. Throws ConfigurationError. */
export const databaseGiven = (): Promise<DatabaseAddress | undefined> =>
  readDatabase(process.env, path => pathOf(path))
