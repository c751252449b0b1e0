/** All queries on what the cores of one database share: leases by the database's clock, settings, and the installation. */
import { eq, gt, lte, sql } from 'drizzle-orm'
import type { Database } from '../database.ts'
import { cores, installation, owners } from '../schema.ts'

/** Renews the lease of a core for `forMs` milliseconds from now on, also when it has expired. */
export async function renewCore(
  database: Database,
  { id, shares }: { id: string; shares: SharedSettings | null },
  forMs: number,
): Promise<void> {
  const ends = sql`${NOW} + ${forMs}`
  await database
    .insert(cores)
    .values({ id, shares, ends })
    .onConflictDoUpdate({ target: cores.id, set: { ends, shares } })
}

/** Ends the lease of a core. Other cores may reconcile its intents from now on. */
export async function endCore(database: Database, id: string): Promise<void> {
  await database.delete(cores).where(eq(cores.id, id))
}

/** The cores with a valid lease, and their shared settings. */
export const livingCores = (database: Database): Promise<{ id: string; shares: SharedSettings | null }[]> =>
  database.select({ id: cores.id, shares: cores.shares }).from(cores).where(gt(cores.ends, NOW))

/** Deletes expired leases. Their cores already count as dead. */
export async function forgetDeadCores(database: Database): Promise<void> {
  await database.delete(cores).where(lte(cores.ends, NOW))
}

/** Subquery: ids of the cores with a valid lease. */
export const livingIds = (database: Database) =>
  database.select({ id: cores.id }).from(cores).where(gt(cores.ends, NOW))

export interface SharedSettings {
  /** Label of the embedder. */
  embedder: string
  /** Ids of the accepted signing keys for picture links. Contains no secret. */
  links: string[]
  /** Address of the bucket that holds the pictures; null for a folder, which cores can share as well. */
  bucket: string | null
}

/**
 * The difference to another core; undefined when both can work side by side. One common link key is enough: keys are
 * rotated.
 */
export function differenceOf(mine: SharedSettings, other: SharedSettings): string | undefined {
  if (mine.embedder !== other.embedder)
    return `embeds with ${other.embedder}, and this one with ${mine.embedder}`
  if (!mine.links.some(id => other.links.includes(id)))
    return 'signs links to pictures with a key that this one does not know: copy its secrets.json'
  if (mine.bucket !== other.bucket)
    return `keeps pictures in ${placeOf(other)}, and this one in ${placeOf(mine)}`
  return undefined
}

const placeOf = ({ bucket }: SharedSettings): string =>
  bucket === null ? 'a folder' : `the bucket at ${bucket}`

/**
 * The installation's id (files/record.ts); undefined in metadata that was never served, or only by an earlier
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

/** The database's time in Unix milliseconds. */
export const NOW = sql<number>`CAST(unixepoch('subsec') * 1000 AS INTEGER)`
