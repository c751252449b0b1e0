/** All queries on cameras and on the leases of their watchers. The database's clock gives the times of leases. */
import { and, asc, eq, exists, isNotNull, isNull, lte, not, or, sql } from 'drizzle-orm'
import { CAMERA_LIMITS } from '../../../contract/limits/cameras.ts'
import type { CameraReport } from '../../../contract/model/camera.ts'
import type { Database } from '../database.ts'
import { cameras, faces, NOW_MS } from '../schema.ts'
import { cameraLeases } from './schema.ts'

export type StoredCamera = typeof cameras.$inferSelect

/** The fields of a camera that can change. */
type CameraChange = Partial<
  Pick<StoredCamera, 'meta' | 'url' | 'rot' | 'roi' | 'enabled' | 'retentionDays' | 'options'>
>

/** Condition: the camera is not deleted. The row of a deleted camera with a retention stays until its faces are deleted. */
const NOT_DELETED = eq(cameras.deleting, false)

const isCamera = (owner: string, id: string) => and(eq(cameras.owner, owner), eq(cameras.id, id), NOT_DELETED)

/** Inserts a camera and returns it. */
export async function insertCamera(
  database: Database,
  camera: typeof cameras.$inferInsert,
): Promise<StoredCamera> {
  const [inserted] = await database.insert(cameras).values(camera).returning()
  return inserted!
}

export async function cameraById(
  database: Database,
  owner: string,
  id: string,
): Promise<StoredCamera | undefined> {
  const [camera] = await database.select().from(cameras).where(isCamera(owner, id))
  return camera
}

/** The owner's cameras, oldest first. */
export const camerasOf = (database: Database, owner: string): Promise<StoredCamera[]> =>
  database
    .select()
    .from(cameras)
    .where(and(eq(cameras.owner, owner), NOT_DELETED))
    .orderBy(asc(cameras.created), asc(cameras.id))

/** Changes a camera and returns it; undefined when the owner does not have it. */
export async function updateCamera(
  database: Database,
  owner: string,
  id: string,
  change: CameraChange,
): Promise<StoredCamera | undefined> {
  const [camera] = await database.update(cameras).set(change).where(isCamera(owner, id)).returning()
  return camera
}

/**
 * Deletes a camera. False when the owner does not have it. The row of a camera with a retention stays, without its description,
 * while faces of the camera exist: the retention still applies to them.
 */
export async function deleteCamera(database: Database, owner: string, id: string): Promise<boolean> {
  const cleared = { meta: null, url: null, detector: null, rot: null, roi: null, options: null }
  const [, kept, deleted] = await database.batch([
    database.delete(cameraLeases).where(and(eq(cameraLeases.owner, owner), eq(cameraLeases.camera, id))),
    database
      .update(cameras)
      .set({ ...cleared, deleting: true })
      .where(and(isCamera(owner, id), isNotNull(cameras.retentionDays))),
    database.delete(cameras).where(and(isCamera(owner, id), isNull(cameras.retentionDays))),
  ])
  return kept.rowsAffected + deleted.rowsAffected > 0
}

/** Deletes the rows of an owner's deleted cameras without faces. */
export async function deleteSpentCameras(database: Database, owner: string): Promise<void> {
  const posted = database
    .select({ id: faces.id })
    .from(faces)
    .where(and(eq(faces.owner, owner), eq(faces.camera, cameras.id)))
  await database
    .delete(cameras)
    .where(and(eq(cameras.owner, owner), eq(cameras.deleting, true), not(exists(posted))))
}

type StoredLease = typeof cameraLeases.$inferSelect

const isLease = (owner: string, camera: string) =>
  and(eq(cameraLeases.owner, owner), eq(cameraLeases.camera, camera))

/** Written without a parameter: SQLite then uses the partial index. */
const HAS_PICTURE = isNotNull(cameraLeases.picture)

/**
 * A watcher holds the camera. An end further away than any lease was written before the database's clock was set back, and holds
 * nothing: its watcher may be dead.
 */
const IS_HELD = sql<number>`(${cameraLeases.ends} > ${NOW_MS} AND ${cameraLeases.ends} <= ${NOW_MS} + ${CAMERA_LIMITS.leaseMs})`

/** The lease of a camera, also when it has ended, whether it holds, and the time. */
export async function leaseOf(
  database: Database,
  owner: string,
  camera: string,
): Promise<(StoredLease & { isHeld: boolean; now: number }) | undefined> {
  const [row] = await database
    .select({ lease: cameraLeases, isHeld: IS_HELD, now: NOW_MS })
    .from(cameraLeases)
    .where(isLease(owner, camera))
  return row && { ...row.lease, isHeld: Boolean(row.isHeld), now: row.now }
}

interface Renewal {
  owner: string
  camera: string
  watcher: string
  report: CameraReport
  /** JPEG in base64. Stored only while a viewer wants it. */
  picture: string | null
}

/** Takes or renews a lease. Returns whether a viewer wants pictures; undefined when another watcher holds the camera. */
export async function renewLease(database: Database, renewal: Renewal): Promise<boolean | undefined> {
  const { owner, camera, watcher } = renewal
  const { watcher: holder, since, wanted } = cameraLeases
  const times = { reported: NOW_MS, ends: sql`${NOW_MS} + ${CAMERA_LIMITS.leaseMs}` }
  const [row] = await database
    .insert(cameraLeases)
    .values({ ...renewal, ...times, since: NOW_MS, picture: null })
    .onConflictDoUpdate({
      target: cameraLeases.camera,
      set: {
        ...times,
        watcher,
        since: sql`CASE WHEN ${holder} = ${watcher} THEN ${since} ELSE ${NOW_MS} END`,
        report: renewal.report,
        picture: sql`CASE WHEN ${wanted} > ${NOW_MS} THEN ${renewal.picture} END`,
      },
      setWhere: and(isLease(owner, camera), or(eq(holder, watcher), not(IS_HELD))),
    })
    .returning({ isWanted: sql<number>`${wanted} > ${NOW_MS}` })
  return row && Boolean(row.isWanted)
}

/** Deletes the lease of this watcher. */
export async function releaseLease(
  database: Database,
  owner: string,
  camera: string,
  watcher: string,
): Promise<void> {
  await database.delete(cameraLeases).where(and(isLease(owner, camera), eq(cameraLeases.watcher, watcher)))
}

/** Asks the watcher for pictures. */
export async function wantPicture(database: Database, owner: string, camera: string): Promise<void> {
  await database
    .update(cameraLeases)
    .set({ wanted: sql`${NOW_MS} + ${CAMERA_LIMITS.wantedMs}` })
    .where(isLease(owner, camera))
}

/** Deletes the pictures of all owners that are no longer wanted, or whose lease does not hold. */
export async function forgetPictures(database: Database): Promise<void> {
  await database
    .update(cameraLeases)
    .set({ picture: null })
    .where(and(HAS_PICTURE, or(lte(cameraLeases.wanted, NOW_MS), not(IS_HELD))))
}
