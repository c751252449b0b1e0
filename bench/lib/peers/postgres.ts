/** One of our shards in a given PostgreSQL: exact, and with an HNSW index at several candidate list sizes. */
import { postgresAddress } from '#core/vector-store/postgres/address.ts'
import { openPostgresShard } from '#core/vector-store/postgres/postgres-shard.ts'
import type { VectorStore } from '#core/vector-store/vector-store.ts'
import { progress } from '../../benchmark.ts'
import { type Contestant, type HeldFaces, LIMIT, type Made, type Peer, timed } from '../vectors/contestant.ts'
import { addRows, madeIndex, NO_INDEX_BY_ITSELF } from '../vectors/fill.ts'

/** The same vectors in two galleries: without an index and with one. */
const EXACT = 'exact'
const INDEXED = 'indexed'

/** Candidate list sizes of an index search (ef_search). */
const EXPANSIONS = [40, 200, 800]

/** The exact search takes part in every tenth round: it scans every row. */
const SLOW = 10

/** Rows added after the index was built, to measure the rate of adds. */
const LATER = 2_000

/** Uses its own schema, and removes it at the end. */
export async function openPostgres({ rows, count, dimension }: HeldFaces): Promise<Peer> {
  const given = postgresAddress(process.env.MIEN_TEST_POSTGRES ?? '')
  if (!given) throw new Error('MIEN_TEST_POSTGRES names no database, like postgres://user@host/database.')
  const address = { ...given, schema: `bench_${count}_${dimension}` }
  const settings = { indexAbove: NO_INDEX_BY_ITSELF }
  const store = await openPostgresShard(address, settings)
  for (const gallery of [EXACT, INDEXED]) await removeAll(store, gallery)
  const added = await timed(() => addRows(store, () => EXACT, 0, rows, dimension))
  reportRate('added', count, added)
  await addRows(store, () => INDEXED, 0, rows, dimension)
  progress('  PostgreSQL: its index is being made')
  const made = await timed(() => madeIndex(store, INDEXED))
  const later = rows.subarray(0, Math.min(LATER, count) * dimension)
  const beside = await timed(() => addRows(store, () => INDEXED, count, later, dimension))
  reportRate('added beside the index', later.length / dimension, beside)
  await removeAll(store, INDEXED, count)
  const indexedStores = await Promise.all(
    EXPANSIONS.map(candidates => openPostgresShard({ ...address, candidates }, settings)),
  )
  return {
    contestants: [
      { ...contestant('PostgreSQL, exact', store, EXACT, added), every: SLOW },
      ...EXPANSIONS.map((expansion, i) =>
        contestant(`PostgreSQL, HNSW ef ${expansion}`, indexedStores[i]!, INDEXED, made),
      ),
    ],
    async close() {
      for (const gallery of [EXACT, INDEXED]) await removeAll(store, gallery)
      await Promise.all([store, ...indexedStores].map(each => each.close()))
    },
  }
}

/** The server's CPU time is not available to this process. */
const contestant = (
  name: string,
  store: VectorStore,
  gallery: string,
  { wallSeconds }: Made,
): Contestant => ({
  name,
  made: { cpuSeconds: Number.NaN, wallSeconds },
  async search(probe) {
    const { candidates } = await store.search(gallery, probe, { limit: LIMIT, minScore: -1 })
    return candidates.map(({ id }) => id)
  },
})

async function removeAll(store: VectorStore, gallery: string, from = 0): Promise<void> {
  for (;;) {
    const { vectors } = await store.list(gallery, from, 1_000)
    if (vectors.length === 0) return
    await store.remove(vectors.map(({ id }) => ({ gallery, id })))
  }
}

function reportRate(what: string, rows: number, { wallSeconds }: Made): void {
  progress(`  PostgreSQL: ${rows} ${what}, ${Math.round(rows / wallSeconds)} a second`)
}
