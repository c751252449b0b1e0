/** Requirements on a PostgreSQL database: refusals name the remedy. */
import { openPostgresShard } from '#core/vector-store/postgres/postgres-shard.ts'
import { REAL, testDatabase } from '#test/unit/core/vector-store/postgres/database.ts'

const database = testDatabase()

describe('openPostgresShard', () => {
  it('refuses an older pgvector with the remedy, and accepts it after the update', async () => {
    const address = database.fresh()
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
      const address = database.fresh()
      await expect(openPostgresShard({ ...address, mayLose: false })).rejects.toMatchObject({
        name: 'LayoutRefused',
        message: expect.stringContaining('fsync = off'),
      })
    },
  )

  it('refuses a schema of a later version and leaves it unchanged', async () => {
    const address = database.fresh()
    await (await openPostgresShard(address)).close()
    await database.ask(`insert into ${address.schema}.migrations (number) values (900), (901)`)
    await expect(openPostgresShard(address)).rejects.toMatchObject({
      name: 'LayoutRefused',
      message: expect.stringContaining('later version'),
    })
  })

  it.runIf(REAL !== undefined)('refuses wrong credentials without showing the password', async () => {
    const address = database.fresh()
    for (const wrong of [{ password: 'not-it' }, { user: 'nobody_here' }, { database: 'nothing_here' }]) {
      const refused = await openPostgresShard({ ...address, ...wrong }).catch((error: Error) => error)
      expect(refused).toMatchObject({ name: 'LayoutRefused' })
      expect(String(refused)).not.toContain('not-it')
    }
  })

  it('refuses an unreadable root certificate', async () => {
    const tls = { rootFile: '/nowhere/ca.pem' }
    await expect(openPostgresShard({ ...database.fresh(), tls })).rejects.toMatchObject({
      name: 'LayoutRefused',
      message: "/nowhere/ca.pem, which sslrootcert names, can't be read.",
    })
  })

  it('creates its schema once for concurrent openings', async () => {
    const address = database.fresh()
    const shards = await Promise.all(Array.from({ length: 5 }, () => openPostgresShard(address)))
    await shards[0]!.add([{ gallery: 'a', id: 1, vector: Float32Array.of(1) }])
    for (const shard of shards) expect(await shard.gallery('a')).toMatchObject({ linear: 1 })
    await Promise.all(shards.map(shard => shard.close()))
  })
})
