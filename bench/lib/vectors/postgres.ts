/** One of our shards in a given PostgreSQL: exact, and with an HNSW index at several candidate list sizes. */
import { postgresAddress } from '#core/vector-store/postgres/address.ts'
import { openPostgresShard } from '#core/vector-store/postgres/postgres-shard.ts'
import type { VectorStore } from '#core/vector-store/vector-store.ts'
import { progress } from '../../benchmark.ts'
import type { Rig } from '../../rig.ts'
import { type Contestant, costOf, type HeldFaces, type Made, storeContestant } from './contestants.ts'
import { addRows, makeIndex, NO_INDEX_BY_ITSELF } from './fill.ts'

/** The same vectors in two galleries: without an index and with one. */
const EXACT = 'exact'
const INDEXED = 'indexed'

/** Candidate list sizes of an index search (ef_search). */
const EXPANSIONS = [40, 200, 800]

/** The exact search takes part in every tenth round: it scans every row. */
const SLOW = 10

/** Rows added after the index was built, to measure the rate of adds. */
const LATER = 2_000

/** Uses its own schema, and empties it at the end. */
export async function openPostgres({ rows, count, dimension }: HeldFaces, rig: Rig): Promise<Contestant[]> {
  const given = postgresAddress(process.env.MIEN_TEST_POSTGRES ?? '')
  if (!given) throw new Error('MIEN_TEST_POSTGRES names no database, like postgres://user@host/database.')
  const address = { ...given, schema: `bench_${count}_${dimension}` }
  const open = async (candidates = given.candidates) => {
    const store = await openPostgresShard({ ...address, candidates }, { indexAbove: NO_INDEX_BY_ITSELF })
    rig.defer(() => store.close())
    return store
  }
  const store = await open()
  for (const gallery of [EXACT, INDEXED]) await removeAll(store, gallery)
  rig.defer(async () => {
    for (const gallery of [EXACT, INDEXED]) await removeAll(store, gallery)
  })
  const added = await costOf(() => addRows(store, EXACT, 0, rows, dimension))
  report('added', count, added)
  await addRows(store, INDEXED, 0, rows, dimension)
  progress('PostgreSQL: its index is being made')
  const made = await costOf(() => makeIndex(store, INDEXED))
  const later = rows.subarray(0, Math.min(LATER, count) * dimension)
  report(
    'added beside the index',
    later.length / dimension,
    await costOf(() => addRows(store, INDEXED, count, later, dimension)),
  )
  await removeAll(store, INDEXED, count)
  // The server's CPU time is not available to this process.
  const elsewhere = ({ wallSeconds }: Made): Made => ({ cpuSeconds: Number.NaN, wallSeconds })
  const contestants: Contestant[] = [
    { ...storeContestant('PostgreSQL, exact', store, EXACT, elsewhere(added)), every: SLOW },
  ]
  for (const expansion of EXPANSIONS) {
    const name = `PostgreSQL, HNSW ef ${expansion}`
    contestants.push(storeContestant(name, await open(expansion), INDEXED, elsewhere(made)))
  }
  return contestants
}

async function removeAll(store: VectorStore, gallery: string, from = 0) {
  for (;;) {
    const { vectors } = await store.list(gallery, from, 1_000)
    if (vectors.length === 0) return
    await store.remove(vectors.map(({ id }) => ({ gallery, id })))
  }
}

const report = (what: string, rows: number, { wallSeconds }: Made) =>
  progress(`PostgreSQL: ${rows} ${what}, ${Math.round(rows / wallSeconds)} a second`)
