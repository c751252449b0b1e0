/** HNSW indexes in PostgreSQL: recall, counts, and complete answers during builds. */
import type { PostgresAddress } from '#core/vector-store/postgres/address.ts'
import { openPostgresShard } from '#core/vector-store/postgres/postgres-shard.ts'
import { cosine, unitVector } from '#core/vector-store/unit-vector.ts'
import type { VectorEntry, VectorStore } from '#core/vector-store/vector-store.ts'
import {
  closest,
  expectUsableAgain,
  indexBesideChanges,
  knownEntries,
  knownEntry,
  knownVector,
} from '#test/unit/core/vector-store/known.ts'
import { REAL, testDatabase } from '#test/unit/core/vector-store/postgres/database.ts'

/** Rows of a large gallery; fewer for PGlite, which is slow and runs one command at a time. */
const ROWS = REAL === undefined ? 300 : 3_000

const database = testDatabase()
let address: PostgresAddress
let store: VectorStore
beforeEach(async () => {
  address = database.fresh()
  store = await opened()
})

afterEach(() => store.close())

const opened = (settings = {}, at = address) => openPostgresShard(at, settings)

const entries = (from: number, count: number, gallery = 'g'): VectorEntry[] =>
  knownEntries(from, count).map(entry => ({ ...entry, gallery }))

const search = (probe: Float32Array, limit: number, more = {}) =>
  store.search('g', probe, { limit, minScore: -1, ...more })

async function indexed() {
  expect((await store.startIndex('g')).state).toBe('building')
  expect(await made()).toBe('ready')
}

/** The final state of a build. PGlite answers no other request during a build. The shard is not at fault. */
async function made() {
  let state = 'building'
  const look = () => store.indexState('g').catch(() => ({ state: 'building' }))
  while (state === 'building') ({ state } = await look())
  return state
}

/** The recall of the ten nearest vectors. */
async function recall(stored: readonly VectorEntry[]) {
  let found = 0
  for (let probe = 1; probe <= 20; probe++) {
    const right = new Set(closest(stored, knownVector(-probe), 10).map(({ id }) => id))
    const { candidates, withIndex } = await search(knownVector(-probe), 10)
    expect(withIndex).toBe(true)
    expect(candidates).toHaveLength(10)
    found += candidates.filter(({ id }) => right.has(id)).length
  }
  return found / 200
}

it('an index has a recall above 0.95, covers new vectors, and returns exact scores', {
  tags: 'long',
}, async () => {
  await store.add([...entries(0, ROWS), ...entries(0, 50, 'small')])
  expect(await store.gallery('g')).toMatchObject({ linear: ROWS, indexed: 0, indexLoaded: false })
  await indexed()
  const made = (await store.gallery('g'))!
  expect(made).toMatchObject({ linear: 0, preindex: 0, indexed: ROWS, indexLoaded: true })
  expect(made.indexHandle).toBeGreaterThan(0)
  expect(await recall(entries(0, ROWS))).toBeGreaterThan(0.95)
  await store.add(entries(ROWS, 100))
  expect(await store.gallery('g')).toMatchObject({ linear: 0, indexed: ROWS + 100 })
  const probe = knownVector(ROWS + 50)
  const { candidates } = await search(probe, 3, { withVectors: true })
  expect(candidates[0]).toEqual({ id: ROWS + 50, score: expect.closeTo(1, 6), vector: probe })
  for (const { score, vector } of candidates) {
    expect(score).toBe(cosine(unitVector(probe), vector!))
  }
  expect(await search(probe, 5, { linearOnly: true })).toMatchObject({ candidates: [], withIndex: false })
  expect((await store.list('g', ROWS + 99, 5)).vectors).toEqual([
    { id: ROWS + 99, space: 'indexed', vector: knownVector(ROWS + 99) },
  ])
  expect(await store.gallery('small')).toMatchObject({ linear: 50, indexFile: undefined })
})

it('a search with an index finds enough despite removed vectors and other galleries', async () => {
  await store.close()
  // The index returns few candidates, and most of them are removed: the search has to continue.
  store = await opened({}, { ...address, candidates: 10 })
  await store.add([...entries(0, 800), ...entries(10_000, 300, 'other')])
  await indexed()
  const gone = (id: number) => id % 4 !== 0
  await store.remove(entries(0, 800).filter(({ id }) => gone(id)))
  const left = entries(0, 800).filter(({ id }) => !gone(id))
  for (let probe = 1; probe <= 10; probe++) {
    const { candidates, withIndex } = await search(knownVector(-probe), 4)
    expect(withIndex).toBe(true)
    expect(candidates.filter(({ id }) => !gone(id) && id < 800)).toHaveLength(4)
  }
  const { candidates } = await search(knownVector(-1), 200)
  expect(candidates).toEqual(closest(left, knownVector(-1), 200))
})

it('startIndex replaces an index under another name, and a restart keeps the name', async () => {
  await store.add(entries(0, 400))
  await indexed()
  const first = (await store.gallery('g'))!
  await indexed()
  const second = (await store.gallery('g'))!
  expect(second.indexFile).not.toBe(first.indexFile)
  expect(second.indexHandle).not.toBe(first.indexHandle)
  const indexes = await database.ask(
    `select 1 from pg_indexes where schemaname = '${address.schema}' and indexdef like '%hnsw%'`,
  )
  expect(indexes).toHaveLength(1)
  const before = await search(knownVector(-1), 10)
  await store.close()
  store = await opened()
  expect(await store.gallery('g')).toEqual(second)
  expect(await search(knownVector(-1), 10)).toEqual(before)
  expect(before.withIndex).toBe(true)
})

it('a gallery loses and duplicates nothing while its index is built', async () => {
  await store.add([...entries(0, ROWS), ...entries(0, 10, 'small')])
  await indexBesideChanges(store, entries(0, ROWS), async stored => {
    const { candidates } = await search(knownVector(-1), 10_000)
    expect(candidates).toEqual(closest(stored, knownVector(-1), 10_000))
    const keys: number[] = []
    for await (const { gallery, id } of store.keys()) if (gallery === 'g') keys.push(id)
    expect(keys.sort((a, b) => a - b)).toEqual(stored.map(({ id }) => id).sort((a, b) => a - b))
    const { linear, preindex, indexed } = (await store.gallery('g'))!
    expect(linear + preindex + indexed).toBe(stored.length)
  })
  await expect(store.add([knownEntry(ROWS)])).rejects.toMatchObject({ why: 'duplicate' })
})

it('the partition of a gallery is dropped with its last vector, and the name can be used again', async () => {
  await store.add(entries(0, 300))
  await indexed()
  await store.remove(entries(0, 300))
  expect(await store.indexState('g')).toEqual({ state: 'none', progress: 1 })
  await expectUsableAgain(store)
  const partitions = () =>
    database.ask(`select 1 from pg_tables where schemaname = '${address.schema}' and tablename like 'own%'`)
  await expect.poll(partitions).toEqual([])
})

it.each([
  { dimension: 2_001, type: 'vector' as const, as: 'halfvec' },
  { dimension: 4_001, type: 'halfvec' as const, as: undefined },
])(
  'vectors of $dimension dimensions are indexed as $as when $type is configured',
  async ({ dimension, type, as }) => {
    await store.close()
    store = await opened({}, { ...address, type })
    const vector = Float32Array.from({ length: dimension }, (_, i) => Math.sin(i + 1))
    await store.add([{ gallery: 'g', id: 1, vector }])
    await store.startIndex('g')
    expect(await made()).toBe(as === undefined ? 'none' : 'ready')
    const [row] = await database.ask(`select index_type from ${address.schema}.galleries`)
    expect(row).toEqual({ index_type: as ?? null })
    expect((await store.search('g', vector, { limit: 1, minScore: 0 })).candidates).toEqual([
      { id: 1, score: expect.closeTo(1, 6) },
    ])
  },
)
