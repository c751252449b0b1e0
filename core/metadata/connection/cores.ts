/** Cores that share the database: all queries on which of them are alive. The clock is the database's own. */
import { eq, gt, lte, sql } from 'drizzle-orm'
import type { Database } from '../database.ts'
import { cores } from '../schema.ts'
import type { SharedSettings } from './shared-settings.ts'

/** Milliseconds since 1970, as the database has it. */
const NOW = sql<number>`CAST(unixepoch('subsec') * 1000 AS INTEGER)`

/** Lets a core count as alive for so long from now on, also one whose time was over. */
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

/** Ends it: what it has left noted is for the others from now on. */
export async function endCore(database: Database, id: string): Promise<void> {
  await database.delete(cores).where(eq(cores.id, id))
}

/** The cores that are alive, and what they share. */
export const livingCores = (database: Database): Promise<{ id: string; shares: SharedSettings | null }[]> =>
  database.select({ id: cores.id, shares: cores.shares }).from(cores).where(gt(cores.ends, NOW))

/** Forgets the cores whose time is over: they count as dead already. */
export async function forgetDeadCores(database: Database): Promise<void> {
  await database.delete(cores).where(lte(cores.ends, NOW))
}

/** For a query: the ids of the cores that are alive. */
export const livingIds = (database: Database) =>
  database.select({ id: cores.id }).from(cores).where(gt(cores.ends, NOW))
