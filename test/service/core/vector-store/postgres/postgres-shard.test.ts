/** A shard in PostgreSQL: the shared suite, requirements on the database, and the same answers as a local shard. */

import type { PostgresAddress } from '#core/vector-store/postgres/address.ts'
import { openPostgresShard } from '#core/vector-store/postgres/postgres-shard.ts'
import { openShard } from '#core/vector-store/shard/shard.ts'
import type { VectorStore } from '#core/vector-store/vector-store.ts'
import { times } from '#test/support/times.ts'
import { temporaryFolder } from '#test/unit/core/folder.ts'
import { knownEntry, knownVector } from '#test/unit/core/vector-store/known.ts'
import { REAL, testDatabase } from '#test/unit/core/vector-store/postgres/database.ts'
import { behavesAsAVectorStore } from '#test/unit/core/vector-store/vector-store.suite.ts'

const database = testDatabase()
let address: PostgresAddress
beforeEach(() => {
  address = database.fresh()
})

behavesAsAVectorStore('openPostgresShard', () => openPostgresShard(address))

describe('openPostgresShard', () => {
  it('refuses an older pgvector with the remedy, and accepts it after the update', async () => {
    // The first shard creates the extension.
    await (await openPostgresShard(address)).close()
    const [{ extversion } = { extversion: '' }] = await database.ask<{ extversion: string }>(
      "select extversion from pg_extension where extname = 'vector'",
    )
    // A superuser may change the catalogue: it simulates a server that was not updated.
    const claim = (version: string) =>
      database.ask(`update pg_extension set extversion = '${version}' where extname = 'vector'`)
    try {
      for (const version of ['0.8.3', '0.8', '0.5.1']) {
        await claim(version)
        await expect(openPostgresShard(address)).rejects.toMatchObject({
          name: 'LayoutRefused',
          message: expect.stringMatching(
            RegExp(`has pgvector ${version}, .*corrupted.*Do "alter extension vector update"`),
          ),
        })
      }
      for (const version of ['0.8.4', '0.9', '1.0.0']) {
        await claim(version)
        await (await openPostgresShard(address)).close()
      }
    } finally {
      await claim(extversion)
    }
  })

  it.skipIf(REAL !== undefined)(
    'refuses a database that may lose acknowledged data, unless the address allows it',
    async () => {
      await expect(openPostgresShard({ ...address, mayLose: false })).rejects.toMatchObject({
        name: 'LayoutRefused',
        message: expect.stringContaining('fsync = off'),
      })
    },
  )

  it('refuses a schema of a later version and leaves it unchanged', async () => {
    await (await openPostgresShard(address)).close()
    await database.ask(`insert into ${address.schema}.migrations (number) values (900), (901)`)
    await expect(openPostgresShard(address)).rejects.toMatchObject({
      name: 'LayoutRefused',
      message: expect.stringContaining('later version'),
    })
  })

  it.runIf(REAL !== undefined)('refuses wrong credentials without showing the password', async () => {
    for (const wrong of [{ password: 'not-it' }, { user: 'unknown_user' }, { database: 'nothing_here' }]) {
      const refused = await openPostgresShard({ ...address, ...wrong }).catch((error: Error) => error)
      expect(refused).toMatchObject({ name: 'LayoutRefused' })
      expect(String(refused)).not.toContain('not-it')
    }
  })

  it('refuses an unreadable root certificate', async () => {
    const tls = { rootFile: '/nowhere/ca.pem' }
    await expect(openPostgresShard({ ...address, tls })).rejects.toMatchObject({
      name: 'LayoutRefused',
      message: "/nowhere/ca.pem, which sslrootcert names, can't be read.",
    })
  })

  it('creates its schema once for concurrent openings', async () => {
    const shards = await Promise.all(times(5, () => openPostgresShard(address)))
    await shards[0]!.add([{ gallery: 'a', id: 1, vector: Float32Array.of(1) }])
    for (const shard of shards) expect(await shard.gallery('a')).toMatchObject({ linear: 1 })
    await Promise.all(shards.map(shard => shard.close()))
  })
})

describe('an exact search, despite rounding in the database,', () => {
  let store: VectorStore
  let twin: VectorStore
  beforeEach(async () => {
    store = await openPostgresShard(address)
    twin = await openShard(await temporaryFolder())
    onTestFinished(async () => {
      await store.close()
      await twin.close()
    })
  })

  async function addBoth(entries: Parameters<VectorStore['add']>[0]) {
    await store.add(entries)
    await twin.add(entries)
  }

  it('distinguishes scores that are equal in the database, and orders ties by id', async () => {
    const base = knownVector(1)
    const entries = times(300, id => {
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

  it('compares vectors of any magnitude', async () => {
    const sizes = [1e-38, 1e-25, 1e-12, 1, 1e12, 1e25, 1e37]
    await addBoth(
      sizes.flatMap((size, i) =>
        times(20, j => {
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
})
