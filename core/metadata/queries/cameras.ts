/** All queries on cameras. Each takes the owner and sees only that owner's cameras. */
import { and, asc, eq, exists, isNotNull, isNull, not } from 'drizzle-orm'
import { cameraLeases } from '../camera-schema.ts'
import type { Database } from '../database.ts'
import { cameras, faces } from '../schema.ts'

export type StoredCamera = typeof cameras.$inferSelect

/** The fields of a camera that can change. */
export type CameraChange = Partial<
  Pick<StoredCamera, 'meta' | 'url' | 'rot' | 'roi' | 'enabled' | 'retentionDays' | 'options'>
>

/** Condition: the camera is not deleted. The row of a deleted camera with a retention stays until its faces are deleted. */
const NOT_DELETED = eq(cameras.going, false)

const mine = (owner: string, id: string) => and(eq(cameras.owner, owner), eq(cameras.id, id), NOT_DELETED)

export async function insertCamera(database: Database, camera: StoredCamera): Promise<void> {
  await database.insert(cameras).values(camera)
}

export async function cameraById(
  database: Database,
  owner: string,
  id: string,
): Promise<StoredCamera | undefined> {
  const [camera] = await database.select().from(cameras).where(mine(owner, id))
  return camera
}

/** The owner's cameras, oldest first. */
export const camerasOf = (database: Database, owner: string): Promise<StoredCamera[]> =>
  database
    .select()
    .from(cameras)
    .where(and(eq(cameras.owner, owner), NOT_DELETED))
    .orderBy(asc(cameras.created), asc(cameras.id))

/** Changes a camera and returns it; undefined when the owner has no such camera. */
export async function updateCamera(
  database: Database,
  owner: string,
  id: string,
  change: CameraChange,
): Promise<StoredCamera | undefined> {
  const [camera] = await database.update(cameras).set(change).where(mine(owner, id)).returning()
  return camera
}

/**
 * Deletes a camera. False when the owner has no such camera. The row of a camera with a retention stays, without its
 * description, while faces of the camera exist: the retention still applies to them.
 */
export async function deleteCamera(database: Database, owner: string, id: string): Promise<boolean> {
  const cleared = { meta: null, url: null, detector: null, rot: null, roi: null, options: null }
  const [, kept, deleted] = await database.batch([
    database.delete(cameraLeases).where(and(eq(cameraLeases.owner, owner), eq(cameraLeases.camera, id))),
    database
      .update(cameras)
      .set({ ...cleared, going: true })
      .where(and(mine(owner, id), isNotNull(cameras.retentionDays))),
    database.delete(cameras).where(and(mine(owner, id), isNull(cameras.retentionDays))),
  ])
  return kept.rowsAffected + deleted.rowsAffected > 0
}

/** Deletes the rows of an owner's deleted cameras that have no faces any more. */
export async function deleteSpentCameras(database: Database, owner: string): Promise<void> {
  const posted = database
    .select({ id: faces.id })
    .from(faces)
    .where(and(eq(faces.owner, owner), eq(faces.camera, cameras.id)))
  await database
    .delete(cameras)
    .where(and(eq(cameras.owner, owner), eq(cameras.going, true), not(exists(posted))))
}
