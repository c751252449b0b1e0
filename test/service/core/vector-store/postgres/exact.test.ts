/** Exact searches in PostgreSQL: the same answers as a local shard, despite rounding in the database. */
import { openPostgresShard } from '#core/vector-store/postgres/postgres-shard.ts'
import { openShard } from '#core/vector-store/shard/shard.ts'
import type { VectorStore } from '#core/vector-store/vector-store.ts'
import { temporaryFolder } from '#test/unit/core/folder.ts'
import { knownEntry, knownVector } from '#test/unit/core/vector-store/known.ts'
import { testDatabase } from '#test/unit/core/vector-store/postgres/database.ts'

const database = testDatabase()
let store: VectorStore
let twin: VectorStore
beforeEach(async () => {
  store = await openPostgresShard(database.fresh())
  twin = await openShard(await temporaryFolder())
  onTestFinished(async () => {
    await store.close()
    await twin.close()
  })
})

async function addBoth(entries: Parameters<VectorStore['add']>[0]): Promise<void> {
  await store.add(entries)
  await twin.add(entries)
}

it('search distinguishes scores that are equal in the database, and orders ties by id', async () => {
  const base = knownVector(1)
  const entries = Array.from({ length: 300 }, (_, id) => {
    const vector = base.map(value => value * 2 ** ((id % 7) - 3))
    // Some differ in the last bit of one number, which sums of 32 bits lose.
    if (id % 3 === 0) vector[id % vector.length]! *= 1 + 2 ** -22
    return { gallery: 'g', id: 1_000 - id, vector }
  })
  await addBoth(entries)
  for (const limit of [1, 7, 40, 299]) {
    const bounds = { limit, minScore: -1 }
    expect(await store.search('g', knownVector(1), bounds)).toEqual(
      await twin.search('g', knownVector(1), bounds),
    )
  }
})

it('search compares vectors of any magnitude', async () => {
  const sizes = [1e-38, 1e-25, 1e-12, 1, 1e12, 1e25, 1e37]
  await addBoth(
    sizes.flatMap((size, i) =>
      Array.from({ length: 20 }, (_, j) => {
        const { id, vector } = knownEntry(20 * i + j)
        return { gallery: 'g', id, vector: vector.map(value => value * size) }
      }),
    ),
  )
  const bounds = { limit: 60, minScore: -1 }
  for (const size of sizes) {
    const probe = knownVector(-3).map(value => value * size)
    expect(await store.search('g', probe, bounds)).toEqual(await twin.search('g', probe, bounds))
  }
})
