/** All queries on data that the cores of one database share: leases by the database's clock, settings, and the installation. */
import { eq, inArray, not, sql } from 'drizzle-orm'
import { STORE_LIMITS } from '../../../contract/limits/store.ts'
import {
  SETTING_NAMES,
  type SettingName,
  type Settings,
  SettingsSchema,
} from '../../../contract/model/service-state.ts'
import type { Database } from '../database.ts'
import { settings } from '../persons/schema.ts'
import { cores, installation, NOW_MS, owners } from '../schema.ts'
import type { SharedSettings } from './shared-settings.ts'

/**
 * The lease is valid. An end further away than two leases was written before the database's clock was set back, and says nothing: its
 * core may be dead. A clock that is set back by less, as time services do, ends no lease of a living core.
 */
const IS_ALIVE = sql`(${cores.ends} > ${NOW_MS} AND ${cores.ends} <= ${NOW_MS} + ${2 * STORE_LIMITS.leaseMs})`

/** Renews the lease of a core, also when it has expired. */
export async function renewCore(
  database: Database,
  { id, shares }: { id: string; shares: SharedSettings | null },
): Promise<void> {
  const ends = sql`${NOW_MS} + ${STORE_LIMITS.leaseMs}`
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
  database.select({ id: cores.id, shares: cores.shares }).from(cores).where(IS_ALIVE)

/** Deletes expired leases. Their cores already count as dead. */
export async function forgetDeadCores(database: Database): Promise<void> {
  await database.delete(cores).where(not(IS_ALIVE))
}

/** Subquery: ids of the cores with a valid lease. */
export const livingIds = (database: Database) => database.select({ id: cores.id }).from(cores).where(IS_ALIVE)

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

/** The changed settings. Leaves out names and values that this version does not know. */
export async function storedSettings(database: Database): Promise<Partial<Settings>> {
  const values = new Map((await database.select().from(settings)).map(({ name, value }) => [name, value]))
  const known = SETTING_NAMES.flatMap(name => {
    const { success, data } = SettingsSchema.shape[name].safeParse(values.get(name))
    return success ? [[name, data] as const] : []
  })
  return Object.fromEntries(known)
}

/** Stores these settings, and forgets the settings of `reset`. */
export async function changeSettings(
  database: Database,
  changed: Partial<Settings>,
  reset: readonly SettingName[],
): Promise<void> {
  // JSON, because the value null would be NULL.
  const rows = Object.entries(changed).map(([name, value]) => ({
    name,
    value: sql`${JSON.stringify(value)}`,
  }))
  await database.batch([
    database.delete(settings).where(inArray(settings.name, [...reset])),
    ...rows.map(row =>
      database
        .insert(settings)
        .values(row)
        .onConflictDoUpdate({ target: settings.name, set: { value: sql`excluded.value` } }),
    ),
  ])
}
