/** All queries on the installation that the metadata belongs to, and on whether the metadata was ever in use. */
import type { Database } from '../database.ts'
import { installation, owners } from '../schema.ts'

/**
 * The installation's id (files/installation.ts); undefined in metadata that was never served, or only by an earlier
 * version.
 */
export async function installationOf(database: Database): Promise<string | undefined> {
  const [row] = await database.select().from(installation).limit(1)
  return row?.id
}

/** Stores the installation's id unless there is one: the first of several cores wins. Returns the stored id. */
export async function claimInstallation(database: Database, id: string): Promise<string> {
  const claimed = await installationOf(database)
  if (claimed !== undefined) return claimed
  await database.insert(installation).values({ id }).onConflictDoNothing()
  return (await installationOf(database)) ?? id
}

/** Sets the installation's id, and replaces an earlier one. */
export async function replaceInstallation(database: Database, id: string): Promise<void> {
  await database.batch([database.delete(installation), database.insert(installation).values({ id })])
}

/** True while there is no owner. The first start creates one. */
export async function isUnused(database: Database): Promise<boolean> {
  const found = await database.select({ id: owners.id }).from(owners).limit(1)
  return found.length === 0
}
