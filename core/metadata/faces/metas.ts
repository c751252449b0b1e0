/** All queries on metas, the texts that an owner's faces carry. */
import { and, asc, count, eq, gt, inArray, min, ne, type SQL } from 'drizzle-orm'
import { environment } from '../../../contract/environment.ts'
import { FACE_LIMITS } from '../../../contract/limits/faces.ts'
import { foldName, wordsOf } from '../../../contract/model/person.ts'
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
 * and `minId` bound these ids. With `name`, those that contain its words. Faces without a meta are left out.
 */
export async function metaPage(
  database: Database,
  owner: string,
  { gallery, name, ...bounds }: PageBounds & Pick<FaceFilter, 'gallery'> & { name?: string | undefined },
): Promise<{ metas: CountedMeta[]; newer: boolean; older: boolean }> {
  const first = min(faces.id)
  const listed = and(eq(faces.owner, owner), filtered(database, owner, { gallery }))
  const named = name === undefined ? undefined : inArray(faces.meta, await metasWith(database, listed, name))
  const select = (where: SQL | undefined, most: number, ...order: SQL[]) =>
    database
      .select({ meta: faces.meta, count: count(), first })
      .from(faces)
      .where(and(listed, ne(faces.meta, ''), named))
      .groupBy(faces.meta)
      .having(where)
      .orderBy(...order)
      .limit(most) as unknown as Promise<CountedMeta[]>
  const { rows: metas, ...others } = await pageOf(first, bounds, meta => meta.first, select)
  return { metas, ...others }
}

/** The first metas of these faces in alphabetical order that contain the words of a text, at most a page. SQLite ignores the case of ASCII only. */
async function metasWith(database: Database, listed: SQL | undefined, text: string): Promise<string[]> {
  const words = wordsOf(text)
  const found: string[] = []
  for (let last = ''; found.length < FACE_LIMITS.pageSize; ) {
    const chunk = await database
      .selectDistinct({ meta: faces.meta })
      .from(faces)
      .where(and(listed, gt(faces.meta, last)))
      .orderBy(asc(faces.meta))
      .limit(FACE_LIMITS.streamChunk)
    for (const { meta } of chunk) {
      const name = foldName(meta)
      if (words.every(word => name.includes(word))) found.push(meta)
    }
    if (chunk.length < FACE_LIMITS.streamChunk) break
    last = chunk.at(-1)!.meta
    await environment.turn()
  }
  return found.slice(0, FACE_LIMITS.pageSize)
}
