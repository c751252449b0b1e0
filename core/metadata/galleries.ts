/** Named galleries: all queries on them and on who is in them. `default` is none of these: it holds every face. */
import { and, asc, eq, inArray } from 'drizzle-orm'
import { brokenConstraint, type Database } from './database.ts'
import { faces, galleries, memberships } from './schema.ts'

/** The names of an owner's galleries, sorted. */
export async function galleryNames(database: Database, owner: string): Promise<string[]> {
  const rows = await database
    .select({ name: galleries.name })
    .from(galleries)
    .where(eq(galleries.owner, owner))
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
    .where(and(eq(galleries.owner, owner), inArray(galleries.name, [...names])))
  return new Set(rows.map(row => row.name))
}

/** False when the owner has a gallery of that name already. */
export async function insertGallery(
  database: Database,
  gallery: { owner: string; name: string; created: number },
): Promise<boolean> {
  try {
    await database.insert(galleries).values(gallery)
    return true
  } catch (error) {
    if (brokenConstraint(error)?.kind === 'unique') return false
    throw error
  }
}

/** That a face is in a named gallery; a face in three of them has three of these. */
export interface Membership {
  face: number
  gallery: string
}

/**
 * Deletes a gallery and the faces in it, in one transaction. Answers with every membership those faces had, so that
 * what else is kept of them can be found; or undefined when the owner has no such gallery.
 */
export async function deleteGalleryWithFaces(
  database: Database,
  owner: string,
  name: string,
): Promise<Membership[] | undefined> {
  const inside = database
    .select({ face: memberships.face })
    .from(memberships)
    .where(and(eq(memberships.owner, owner), eq(memberships.gallery, name)))
  const [lost, , deleted] = await database.batch([
    database
      .select({ face: memberships.face, gallery: memberships.gallery })
      .from(memberships)
      .where(and(eq(memberships.owner, owner), inArray(memberships.face, inside))),
    database.delete(faces).where(and(eq(faces.owner, owner), inArray(faces.id, inside))),
    database
      .delete(galleries)
      .where(and(eq(galleries.owner, owner), eq(galleries.name, name)))
      .returning({ name: galleries.name }),
  ])
  return deleted.length > 0 ? lost : undefined
}
