/** All queries on metas, the texts that an owner's faces carry. */
import { and, count, eq, min, ne, type SQL } from 'drizzle-orm'
import type { Database } from '../database.ts'
import { faces } from '../schema.ts'
import { type FaceFilter, filtered, type PageBounds, pageOf } from './faces.ts'

/** A meta, the number of faces that carry it, and the lowest id among them. */
interface CountedMeta {
  meta: string
  count: number
  first: number
}

/**
 * One page of the metas of an owner's faces, or of those in one named gallery, by the id of the first face, descending. `maxId`
 * and `minId` bound these ids. Faces without a meta are left out.
 */
export async function metaPage(
  database: Database,
  owner: string,
  { gallery, ...bounds }: PageBounds & Pick<FaceFilter, 'gallery'>,
): Promise<{ metas: CountedMeta[]; newer: boolean; older: boolean }> {
  const first = min(faces.id)
  const select = (where: SQL | undefined, most: number, ...order: SQL[]) =>
    database
      .select({ meta: faces.meta, count: count(), first })
      .from(faces)
      .where(and(eq(faces.owner, owner), ne(faces.meta, ''), filtered(database, owner, { gallery })))
      .groupBy(faces.meta)
      .having(where)
      .orderBy(...order)
      .limit(most) as unknown as Promise<CountedMeta[]>
  const { rows: metas, ...others } = await pageOf(first, bounds, meta => meta.first, select)
  return { metas, ...others }
}
