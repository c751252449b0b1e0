/** Cores in this process with a shared database, vectors and pictures; each has its own connection and lease. */
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ownerNamed } from '#core/metadata/access/owners.ts'
import type { DatabaseAddress } from '#core/metadata/connection/address.ts'
import { closeDatabase, openDatabase } from '#core/metadata/database.ts'
import { takeLease } from '#core/operations/consistency/core-lease.ts'
import { type OpenStores, type Services, servicesOf } from '#core/operations/services.ts'
import { openStores } from '#core/stores.ts'
import { OWNER, testServices } from '#test/support/sample-faces.ts'
import { temporaryFolder } from '#test/unit/core/folder.ts'
import { withPersons } from './world.ts'

/** Opens `count` cores with person identification; the first has the store. The database is a file by default. */
export async function openCores(count: number, database?: DatabaseAddress): Promise<Services[]> {
  const folder = await temporaryFolder()
  const address = database ?? { url: pathToFileURL(join(folder, 'shared.db')).href }
  const stores = await openStores(join(folder, 'core-0'), { database: address })
  onTestFinished(() => stores.close())
  const parts = [servicesWith(stores)]
  await ownerNamed(stores.database, { id: OWNER, name: 'first', created: 0 })
  for (let i = 1; i < count; i++) {
    const beside = await openBeside(stores, join(folder, `core-${i}`), address)
    parts.push(servicesWith(beside))
  }
  return parts
}

function servicesWith(stores: OpenStores) {
  const services = withPersons(servicesOf(stores, testServices))
  onTestFinished(() => services.events.close())
  return services
}

async function openBeside(first: OpenStores, data: string, address: DatabaseAddress): Promise<OpenStores> {
  const database = await openDatabase(data, { database: address })
  const lease = await takeLease(database)
  onTestFinished(async () => {
    await lease.end()
    await closeDatabase(database)
  })
  return { database, lease, vectors: first.vectors, pictures: first.pictures, diskSpace: first.diskSpace }
}
