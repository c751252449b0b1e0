/** All queries on metas, the texts that an owner's faces carry. */
import { sql } from 'drizzle-orm'
import { environment } from '../../../contract/environment.ts'
import { FACE_LIMITS } from '../../../contract/limits/faces.ts'
import { foldName, wordsOf } from '../../../contract/model/person.ts'
import type { Database } from '../database.ts'
import { type FaceFilter, inGallery, type PageBounds } from './faces.ts'

/** A meta, the number of faces that carry it, and the lowest id among them. */
interface CountedMeta {
  meta: string
  count: number
  first: number
}

/**
 * One page of the metas of an owner's faces, or of the faces in one named gallery, by the id of the first face, descending. `maxId`
 * and `minId` bound these ids. With `name`, the first metas that contain its words, at most FACE_LIMITS.pageSize. Faces without a
 * meta are left out.
 */
export async function metaPage(
  database: Database,
  owner: string,
  {
    gallery,
    name = '',
    maxId = Number.POSITIVE_INFINITY,
    minId = Number.NEGATIVE_INFINITY,
    limit,
  }: PageBounds & Pick<FaceFilter, 'gallery'> & { name?: string },
): Promise<{ metas: CountedMeta[]; newer: boolean; older: boolean }> {
  const words = wordsOf(name)
  const isNamed = ({ meta }: CountedMeta) => {
    const folded = words.length > 0 ? foldName(meta) : ''
    return words.every(word => folded.includes(word))
  }
  const nearestFirst = minId === Number.NEGATIVE_INFINITY ? -1 : 1
  let page: CountedMeta[] = []
  let left = words.length > 0 ? FACE_LIMITS.pageSize : Number.POSITIVE_INFINITY
  let lowest = Number.POSITIVE_INFINITY
  let highest = Number.NEGATIVE_INFINITY
  for await (const metas of countedMetas(database, owner, gallery)) {
    const named = metas.filter(isNamed).slice(0, left)
    left -= named.length
    for (const { first } of named) {
      lowest = Math.min(lowest, first)
      highest = Math.max(highest, first)
    }
    page = [...page, ...named.filter(({ first }) => first > minId && first < maxId)]
      .sort((a, b) => nearestFirst * (a.first - b.first))
      .slice(0, limit)
    if (left === 0) break
  }
  page.sort((a, b) => b.first - a.first)
  // An empty page takes its own bounds as top and bottom.
  return {
    metas: page,
    newer: highest > (page[0]?.first ?? maxId - 1),
    older: lowest < (page.at(-1)?.first ?? minId + 1),
  }
}

/** Faces that one statement reads. */
const FACES_PER_STATEMENT = 2_000

/** The metas in alphabetical order. SQLite reads the index `faces_meta`, and others are served between the statements. */
async function* countedMetas(
  database: Database,
  owner: string,
  gallery: string | undefined,
): AsyncGenerator<CountedMeta[]> {
  let meta = ''
  let id = Number.MAX_SAFE_INTEGER
  /** The last meta, which may have more faces. */
  let last: CountedMeta | undefined
  for (;;) {
    const rows = await database.all<CountedMeta & { lastId: number }>(sql`
      SELECT meta, sum(listed) AS count, min(iif(listed, id, NULL)) AS first, max(id) AS lastId FROM (
        SELECT meta, id, ${inGallery(owner, gallery)} AS listed FROM faces
        WHERE owner = ${owner} AND (meta, id) > (${meta}, ${id}) ORDER BY meta, id LIMIT ${FACES_PER_STATEMENT}
      ) GROUP BY meta ORDER BY meta`)
    const ended: CountedMeta[] = []
    for (const { lastId, ...row } of rows) {
      if (last?.meta === row.meta)
        last = { meta, count: last.count + row.count, first: last.first ?? row.first }
      else {
        if (last) ended.push(last)
        last = row
      }
      meta = row.meta
      id = lastId
    }
    if (rows.length === 0 && last) ended.push(last)
    yield ended.filter(({ count }) => count > 0)
    if (rows.length === 0) return
    await environment.turn()
  }
}
