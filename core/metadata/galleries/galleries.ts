/** All queries on named galleries and their members. `default` has no row: it holds every face. */
import { and, asc, count, eq, gt, inArray } from 'drizzle-orm'
import type { Database } from '../database.ts'
import { brokenConstraint } from '../revisions.ts'
import { galleries, memberships } from '../schema.ts'

/** Condition: the gallery is not being deleted. Callers do not see a gallery in deletion, but its name is still taken. */
const NOT_DELETED = eq(galleries.deleting, false)

const isNamed = (owner: string, name: string) =>
  and(eq(galleries.owner, owner), eq(galleries.name, name), NOT_DELETED)

/** Settings of a gallery by its owner; null for unset ones. */
export type GallerySettings = Pick<typeof galleries.$inferSelect, 'retentionDays' | 'displayName'>

const SETTINGS = { retentionDays: galleries.retentionDays, displayName: galleries.displayName }

/** An owner's galleries, sorted by name, the first `most`. */
export const ownerGalleries = (
  database: Database,
  owner: string,
  most = Number.MAX_SAFE_INTEGER,
): Promise<(GallerySettings & { name: string })[]> =>
  database
    .select({ name: galleries.name, ...SETTINGS })
    .from(galleries)
    .where(and(eq(galleries.owner, owner), NOT_DELETED))
    .orderBy(asc(galleries.name))
    .limit(most)

/** An owner's galleries with the number of their faces, sorted by name. */
export async function countedGalleries(
  database: Database,
  owner: string,
): Promise<(GallerySettings & { name: string; faces: number })[]> {
  const counted = await database
    .select({ name: memberships.gallery, faces: count() })
    .from(memberships)
    .where(eq(memberships.owner, owner))
    .groupBy(memberships.gallery)
  const faces = new Map(counted.map(row => [row.name, row.faces]))
  const rows = await ownerGalleries(database, owner)
  return rows.map(row => ({ ...row, faces: faces.get(row.name) ?? 0 }))
}

/** The names that are galleries of the owner. */
export async function existingGalleries(
  database: Database,
  owner: string,
  names: readonly string[],
): Promise<Set<string>> {
  const rows = await database
    .select({ name: galleries.name })
    .from(galleries)
    .where(and(eq(galleries.owner, owner), inArray(galleries.name, [...names]), NOT_DELETED))
  return new Set(rows.map(row => row.name))
}

/** Creates a gallery. False when the owner has a gallery of that name already. */
export async function insertGallery(
  database: Database,
  gallery: GallerySettings & { owner: string; name: string; created: number },
): Promise<boolean> {
  try {
    await database.insert(galleries).values(gallery)
    return true
  } catch (error) {
    if (brokenConstraint(error)?.kind === 'unique') return false
    throw error
  }
}

/** The owner's gallery of this name; undefined when there is none. */
export async function galleryNamed(
  database: Database,
  owner: string,
  name: string,
): Promise<GallerySettings | undefined> {
  const [gallery] = await database.select(SETTINGS).from(galleries).where(isNamed(owner, name))
  return gallery
}

/** Changes the settings of a gallery. */
export async function setGallery(
  database: Database,
  owner: string,
  name: string,
  settings: Partial<GallerySettings>,
): Promise<void> {
  await database.update(galleries).set(settings).where(isNamed(owner, name))
}

/** The next ids above `above` of the faces in a gallery, ascending. */
export async function nextMembers(
  database: Database,
  owner: string,
  name: string,
  above: number,
  limit: number,
): Promise<number[]> {
  const rows = await database
    .select({ id: memberships.face })
    .from(memberships)
    .where(and(eq(memberships.owner, owner), eq(memberships.gallery, name), gt(memberships.face, above)))
    .orderBy(asc(memberships.face))
    .limit(limit)
  return rows.map(row => row.id)
}

/** Marks a gallery as being deleted: callers no longer see it. False when the owner does not have it. */
export async function markGalleryDeleted(database: Database, owner: string, name: string): Promise<boolean> {
  const { rowsAffected } = await database
    .update(galleries)
    .set({ deleting: true })
    .where(isNamed(owner, name))
  return rowsAffected > 0
}

/** The galleries of all owners that are being deleted. */
export const deletedGalleries = (database: Database): Promise<{ owner: string; name: string }[]> =>
  database
    .select({ owner: galleries.owner, name: galleries.name })
    .from(galleries)
    .where(eq(galleries.deleting, true))
