/** Opens what backups to a repository need: the data folder, its key and pictures, and the repository. */

import { BackupRefused } from '../../core/backup/contents.ts'
import { isBucket, openPlace } from '../../core/backup/repository/place.ts'
import { createRepository, findRepository, type Repository } from '../../core/backup/repository/repository.ts'
import { readBackupKeys } from '../../core/configuration/credentials.ts'
import { picturesOf } from '../../core/pictures/open.ts'
import { databaseGiven, dataKeyOf, picturesGiven, requireRunningService } from '../terminal/data-folder.ts'
import { dataFolder, pathOf } from '../terminal/paths.ts'

/** Path or address of a repository, as it was typed. */
export const repositoryName = (text: string): string => (isBucket(text) ? text : pathOf(text))

const bucketKeys = () => readBackupKeys(process.env, pathOf)

/** Throws BackupRefused for an invalid address of a bucket, and for missing keys. Connects to nothing. */
export async function requireAddress(text: string): Promise<void> {
  const place = await openPlace(repositoryName(text), await bucketKeys())
  place.close()
}

/** Opens a repository. Throws BackupRefused when there is none. */
export const openRepository = async (text: string): Promise<Repository> =>
  findRepository(repositoryName(text), await bucketKeys())

/** Opens a repository, or creates it at an empty place. */
export const makeRepository = async (text: string): Promise<Repository> =>
  createRepository(repositoryName(text), await bucketKeys())

/** Opens the data folder of a service. Throws BackupRefused when its metadata is elsewhere. */
export async function openSource(given: string | undefined) {
  const data = dataFolder(given)
  const database = await databaseGiven()
  requireRunningService(data, database !== undefined)
  if (database)
    throw new BackupRefused(
      `The metadata is at ${database.url}. Back the database up by its own means: docs/operations.md, "Metadata in a database".`,
    )
  return { data, dataKey: await dataKeyOf(data), pictures: await picturesOf(data, await picturesGiven()) }
}

export const megabytes = (bytes: number): string => (bytes / 2 ** 20).toFixed(1)
