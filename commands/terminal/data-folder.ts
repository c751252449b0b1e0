/** Checks that a data folder exists, for commands that must not create one. */
import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { INSTALLATION } from '../../core/files/record.ts'
import { METADATA_FILE } from '../../core/metadata/database.ts'
import { dataFolder } from './paths.ts'

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
  if (elsewhere || isServed(data)) return
  throw new ServiceNotRunning(`${data} is not a data folder of Mien: it has no ${METADATA_FILE}. ${CHOOSE}`)
}

/** Whether the folder has metadata, a record of an installation, or the address of its database. */
const isServed = (data: string): boolean =>
  [METADATA_FILE, INSTALLATION, 'database.json'].some(file => existsSync(join(data, file)))
