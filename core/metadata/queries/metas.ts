/** All queries on metas, the texts that an owner's faces carry. */
import { and, asc, count, desc, eq, gt, lt, min, ne, type SQL } from 'drizzle-orm'
import type { Database } from '../database.ts'
import { faces } from '../schema.ts'
import { filtered, type PageRequest } from './faces.ts'

/** A meta, the number of faces that carry it, and the lowest id among them. */
interface CountedMeta {
  meta: string
  count: number
  first: number
}

interface MetaPage {
  /** By the id of the first face, descending. */
  metas: CountedMeta[]
  newer: boolean
  older: boolean
}

/**
 * One page of the metas of an owner's faces, or of those in one named gallery. `maxId` and `minId` bound the ids of
 * first faces. Faces without a meta are left out.
 */
export async function metaPage(
  database: Database,
  owner: string,
  { gallery, maxId, minId, limit }: Omit<PageRequest, 'meta' | 'events'>,
): Promise<MetaPage> {
  const first = min(faces.id)
  const metasWhere = (bounds: SQL | undefined, order: SQL, most: number) =>
    database
      .select({ meta: faces.meta, count: count(), first })
      .from(faces)
      .where(and(eq(faces.owner, owner), ne(faces.meta, ''), filtered(database, owner, { gallery })))
      .groupBy(faces.meta)
      .having(bounds)
      .orderBy(order)
      .limit(most) as unknown as Promise<CountedMeta[]>

  const below = maxId === undefined ? undefined : lt(first, maxId)
  const above = minId === undefined ? undefined : gt(first, minId)
  const metas = await metasWhere(and(below, above), minId === undefined ? desc(first) : asc(first), limit)
  if (minId !== undefined) metas.reverse()
  // An empty page takes its own bounds as top and bottom.
  const top = metas[0]?.first ?? (maxId === undefined ? undefined : maxId - 1)
  const bottom = metas.at(-1)?.first ?? (minId === undefined ? undefined : minId + 1)
  const any = async (bound: SQL) => (await metasWhere(bound, asc(first), 1)).length > 0
  return {
    metas,
    newer: top !== undefined && (await any(gt(first, top))),
    older: bottom !== undefined && (await any(lt(first, bottom))),
  }
}
