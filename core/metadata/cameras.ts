/** Cameras: all queries on them. Each takes the owner and sees no other owner's cameras. */
import { and, asc, eq } from 'drizzle-orm'
import type { Database } from './database.ts'
import { cameras } from './schema.ts'

export type StoredCamera = typeof cameras.$inferSelect

/** What may be changed of a camera. */
export type CameraChange = Partial<Pick<StoredCamera, 'meta' | 'url' | 'rot' | 'roi' | 'enabled'>>

const mine = (owner: string, id: string) => and(eq(cameras.owner, owner), eq(cameras.id, id))

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
    .where(eq(cameras.owner, owner))
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

/** False when the owner has no such camera. */
export async function deleteCamera(database: Database, owner: string, id: string): Promise<boolean> {
  const deleted = await database.delete(cameras).where(mine(owner, id)).returning({ id: cameras.id })
  return deleted.length > 0
}
