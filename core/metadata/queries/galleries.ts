/** Named galleries: all queries on them and on who is in them. `default` is none of these: it holds every face. */
import { and, asc, eq, gt, inArray } from 'drizzle-orm'
import { brokenConstraint } from '../connection/constraints.ts'
import type { Database } from '../database.ts'
import { galleries, memberships } from '../schema.ts'

/** What a gallery that is being deleted is not: it exists for no caller, but its name is not free yet. */
const STAYING = eq(galleries.going, false)

/** The names of an owner's galleries, sorted. */
export async function galleryNames(database: Database, owner: string): Promise<string[]> {
  const rows = await database
    .select({ name: galleries.name })
    .from(galleries)
    .where(and(eq(galleries.owner, owner), STAYING))
    .orderBy(asc(galleries.name))
  return rows.map(row => row.name)
}

/** Those of these names that are galleries of the owner. */
export async function existingGalleries(
  database: Database,
  owner: string,
  names: readonly string[],
): Promise<Set<string>> {
  const rows = await database
    .select({ name: galleries.name })
    .from(galleries)
    .where(and(eq(galleries.owner, owner), inArray(galleries.name, [...names]), STAYING))
  return new Set(rows.map(row => row.name))
}

/** False when the owner has a gallery of that name already. */
export async function insertGallery(
  database: Database,
  gallery: { owner: string; name: string; created: number; retentionDays: number | null },
): Promise<boolean> {
  try {
    await database.insert(galleries).values(gallery)
    return true
  } catch (error) {
    if (brokenConstraint(error)?.kind === 'unique') return false
    throw error
  }
}

/** The gallery, if the owner has it. */
export async function galleryNamed(
  database: Database,
  owner: string,
  name: string,
): Promise<Pick<typeof galleries.$inferSelect, 'retentionDays'> | undefined> {
  const [gallery] = await database
    .select({ retentionDays: galleries.retentionDays })
    .from(galleries)
    .where(and(eq(galleries.owner, owner), eq(galleries.name, name), STAYING))
  return gallery
}

/** False when the owner has no such gallery. */
export async function setGalleryRetention(
  database: Database,
  owner: string,
  name: string,
  retentionDays: number | null,
): Promise<boolean> {
  const { rowsAffected } = await database
    .update(galleries)
    .set({ retentionDays })
    .where(and(eq(galleries.owner, owner), eq(galleries.name, name), STAYING))
  return rowsAffected > 0
}

/** The next ids above one of the faces in a gallery, rising. */
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

/** Gives up a gallery: for callers it is gone. False when the owner has no such gallery. */
export async function giveUpGallery(database: Database, owner: string, name: string): Promise<boolean> {
  const { rowsAffected } = await database
    .update(galleries)
    .set({ going: true })
    .where(and(eq(galleries.owner, owner), eq(galleries.name, name), STAYING))
  return rowsAffected > 0
}

/** The galleries of all owners that were given up and still have faces, or only just had. */
export const goingGalleries = (database: Database): Promise<{ owner: string; name: string }[]> =>
  database
    .select({ owner: galleries.owner, name: galleries.name })
    .from(galleries)
    .where(eq(galleries.going, true))
