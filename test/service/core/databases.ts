/** Databases of tests: a file in each data folder, or a server for each data folder. */
import { inject, onTestFinished } from 'vitest'
import type { DatabaseAddress } from '#core/metadata/connection/address.ts'
import { startDatabaseServer } from '#test/support/servers/database-server.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** Whether the metadata of the tests is on servers: in the project `database-server`. */
    databaseServer?: boolean
  }
}

const servers = new Map<string, Promise<DatabaseAddress>>()

/** The address of the metadata of a data folder; its server stops with the test that started it. */
export function databaseFor(data: string): Promise<DatabaseAddress | undefined> {
  if (!inject('databaseServer')) return Promise.resolve(undefined)
  const known = servers.get(data)
  if (known) return known
  const started = startDatabaseServer()
  onTestFinished(async () => (await started).remove())
  const address = started.then(({ url }) => ({ url }))
  servers.set(data, address)
  return address
}
