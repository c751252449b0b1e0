/** All queries on leases of cameras. Times are those of the database. */
import { and, eq, isNotNull, lte, or, sql } from 'drizzle-orm'
import { LIMITS } from '../../../contract/limits.ts'
import type { CameraReport } from '../../../contract/model/watching/camera-state.ts'
import { cameraLeases } from '../camera-schema.ts'
import type { Database } from '../database.ts'
import { NOW } from '../database-clock.ts'

export type StoredLease = typeof cameraLeases.$inferSelect

const mine = (owner: string, camera: string) =>
  and(eq(cameraLeases.owner, owner), eq(cameraLeases.camera, camera))

/** Written without a parameter: SQLite then uses the partial index. */
const HAS_PICTURE = isNotNull(cameraLeases.picture)

/** The lease of a camera, also when it has ended, and the time. */
export async function leaseOf(
  database: Database,
  owner: string,
  camera: string,
): Promise<(StoredLease & { now: number }) | undefined> {
  const [row] = await database
    .select({ lease: cameraLeases, now: NOW })
    .from(cameraLeases)
    .where(mine(owner, camera))
  return row && { ...row.lease, now: row.now }
}

export interface Renewal {
  owner: string
  camera: string
  watcher: string
  report: CameraReport
  /** JPEG in base64. Stored only while somebody wants it. */
  picture: string | null
}

/** Takes or renews a lease. Returns whether somebody wants pictures; undefined when another watcher holds the camera. */
export async function renewLease(database: Database, renewal: Renewal): Promise<boolean | undefined> {
  const { owner, camera, watcher } = renewal
  const { watcher: holder, since, wanted } = cameraLeases
  const times = { reported: NOW, ends: sql`${NOW} + ${LIMITS.cameraLeaseMs}` }
  const [row] = await database
    .insert(cameraLeases)
    .values({ ...renewal, ...times, since: NOW, picture: null })
    .onConflictDoUpdate({
      target: cameraLeases.camera,
      set: {
        ...times,
        watcher,
        since: sql`CASE WHEN ${holder} = ${watcher} THEN ${since} ELSE ${NOW} END`,
        report: renewal.report,
        picture: sql`CASE WHEN ${wanted} > ${NOW} THEN ${renewal.picture} END`,
      },
      setWhere: and(mine(owner, camera), or(eq(holder, watcher), lte(cameraLeases.ends, NOW))),
    })
    .returning({ isWanted: sql<number>`${wanted} > ${NOW}` })
  return row && Boolean(row.isWanted)
}

/** Deletes the lease of this watcher. */
export async function releaseLease(
  database: Database,
  owner: string,
  camera: string,
  watcher: string,
): Promise<void> {
  await database.delete(cameraLeases).where(and(mine(owner, camera), eq(cameraLeases.watcher, watcher)))
}

/** Asks the watcher for pictures. */
export async function wantPicture(database: Database, owner: string, camera: string): Promise<void> {
  await database
    .update(cameraLeases)
    .set({ wanted: sql`${NOW} + ${LIMITS.cameraWantedMs}` })
    .where(mine(owner, camera))
}

/** Deletes the pictures of all owners that are no longer wanted, or whose lease has ended. */
export async function forgetPictures(database: Database): Promise<void> {
  await database
    .update(cameraLeases)
    .set({ picture: null })
    .where(and(HAS_PICTURE, or(lte(cameraLeases.wanted, NOW), lte(cameraLeases.ends, NOW))))
}
