/** Databases for the worlds of tests: the file of each data folder, or for every world a server of its own. */
import { onTestFinished } from 'vitest'
import { startDatabaseServer } from '../../../bench/harness/database-server.ts'
import type { DatabaseAddress } from '../../../core/metadata/connection/address.ts'

let elsewhere = false
const servers = new Map<string, Promise<DatabaseAddress>>()

/** From now on, in this file of tests. */
export function keepMetadataElsewhere(): void {
  elsewhere = true
}

/** Where the metadata of this data folder is; a server ends with the test that first asked for it. */
export function databaseFor(data: string): Promise<DatabaseAddress | undefined> {
  if (!elsewhere) return Promise.resolve(undefined)
  const known = servers.get(data)
  if (known) return known
  const started = startDatabaseServer()
  onTestFinished(async () => (await started).remove())
  const address = started.then(({ url }) => ({ url }))
  servers.set(data, address)
  return address
}
