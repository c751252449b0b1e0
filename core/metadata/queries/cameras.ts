/** Cameras: all queries on them. Each takes the owner and sees no other owner's cameras. */
import { and, asc, eq, exists, isNotNull, isNull, not } from 'drizzle-orm'
import type { Database } from '../database.ts'
import { cameras, faces } from '../schema.ts'

export type StoredCamera = typeof cameras.$inferSelect

/** What may be changed of a camera. */
export type CameraChange = Partial<
  Pick<StoredCamera, 'meta' | 'url' | 'rot' | 'roi' | 'enabled' | 'retentionDays'>
>

/** What a camera that was deleted, and is kept for its retention alone, is not. */
const STAYING = eq(cameras.going, false)

const mine = (owner: string, id: string) => and(eq(cameras.owner, owner), eq(cameras.id, id), STAYING)

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

/** Oldest first. */
export const camerasOf = (database: Database, owner: string): Promise<StoredCamera[]> =>
  database
    .select()
    .from(cameras)
    .where(and(eq(cameras.owner, owner), STAYING))
    .orderBy(asc(cameras.created), asc(cameras.id))

/** The camera as it is afterwards, or undefined when the owner has no such camera. */
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
 * False when the owner has no such camera. One with a retention is kept, without what it was called, for as long as there
 * are faces that it posted: their days go on being counted.
 */
export async function deleteCamera(database: Database, owner: string, id: string): Promise<boolean> {
  const nothing = { meta: null, url: null, detector: null, rot: null, roi: null }
  const [kept, gone] = await database.batch([
    database
      .update(cameras)
      .set({ ...nothing, going: true })
      .where(and(mine(owner, id), isNotNull(cameras.retentionDays))),
    database.delete(cameras).where(and(mine(owner, id), isNull(cameras.retentionDays))),
  ])
  return kept.rowsAffected + gone.rowsAffected > 0
}

/** Deletes the cameras of an owner that are kept for the sake of faces, and have none any more. */
export async function deleteSpentCameras(database: Database, owner: string): Promise<void> {
  const posted = database
    .select({ id: faces.id })
    .from(faces)
    .where(and(eq(faces.owner, owner), eq(faces.camera, cameras.id)))
  await database
    .delete(cameras)
    .where(and(eq(cameras.owner, owner), eq(cameras.going, true), not(exists(posted))))
}
