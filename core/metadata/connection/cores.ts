/** All queries on the leases of cores that share the database. Leases use the database's clock. */
import { eq, gt, lte, sql } from 'drizzle-orm'
import type { Database } from '../database.ts'
import { NOW } from '../database-clock.ts'
import { cores } from '../schema.ts'
import type { SharedSettings } from './shared-settings.ts'

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
