/** PostgreSQL in this process (PGlite) with pgvector: a table with an HNSW index. */
import { PGlite } from '@electric-sql/pglite'
import { vector } from '@electric-sql/pglite-pgvector'
import { progress } from '../../benchmark.ts'
import { type HeldFaces, LIMIT, type Peer, timed } from '../vectors/contestant.ts'
import { vectorAt } from '../vectors/truth.ts'

/** Candidate list sizes of a search (ef_search). */
const EXPANSIONS = [40, 200]

/** Rows per COPY. */
const AT_ONCE = 5_000

export async function openPgvector(held: HeldFaces): Promise<Peer> {
  const database = await PGlite.create({ extensions: { vector } })
  await database.exec(
    `create extension vector; create table faces (id integer primary key, vector vector(${held.dimension}))`,
  )
  for (let from = 0; from < held.count; from += AT_ONCE) {
    const lines = Array.from({ length: Math.min(AT_ONCE, held.count - from) }, (_, i) => {
      return `${from + i}\t${asText(vectorAt(held.rows, from + i, held.dimension))}\n`
    })
    await database.query("copy faces from '/dev/blob'", [], { blob: new Blob(lines) })
  }
  progress('  pgvector: its index is being made')
  const made = await timed(() => database.exec('create index on faces using hnsw (vector vector_cosine_ops)'))
  return {
    contestants: EXPANSIONS.map(expansion => ({
      name: `PGlite, pgvector ef ${expansion}`,
      made,
      begin: () => database.exec(`set hnsw.ef_search = ${expansion}`),
      async search(probe) {
        const { rows } = await database.query<{ id: number }>(
          `select id from faces order by vector <=> $1 limit ${LIMIT}`,
          [asText(probe)],
        )
        return rows.map(({ id }) => id)
      },
    })),
    close: () => database.close(),
  }
}

const asText = (values: Float32Array): string => `[${values.join(',')}]`
