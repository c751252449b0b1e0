/** What a database has to be: what is refused, and whether the operator is told what to do. */
import { describe, expect, it } from 'vitest'
import { openPostgresShard } from '../../../../../core/vector-store/postgres/postgres-shard.ts'
import { REAL, testDatabase } from '../../../../unit/core/vector-store/postgres/database.ts'

const database = testDatabase()

describe('a database', () => {
  it('with an older pgvector is refused with the reason, and taken once it is updated', async () => {
    const address = database.fresh()
    // The first one makes the extension.
    await (await openPostgresShard(address)).close()
    const [{ extversion } = { extversion: '' }] = await database.ask<{ extversion: string }>(
      "select extversion from pg_extension where extname = 'vector'",
    )
    // An administrator may write into the catalogue: this is what a server says that was not updated.
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

  it.skipIf(REAL !== undefined)('that may lose what it acknowledged is refused, unless it may', async () => {
    const address = database.fresh()
    await expect(openPostgresShard({ ...address, mayLose: false })).rejects.toMatchObject({
      name: 'LayoutRefused',
      message: expect.stringContaining('fsync = off'),
    })
  })

  it('of a later version is refused, and left as it is', async () => {
    const address = database.fresh()
    await (await openPostgresShard(address)).close()
    await database.ask(`insert into ${address.schema}.migrations (number) values (900), (901)`)
    await expect(openPostgresShard(address)).rejects.toMatchObject({
      name: 'LayoutRefused',
      message: expect.stringContaining('later version'),
    })
  })

  it.runIf(REAL !== undefined)('that lets nobody in is refused without a word of the password', async () => {
    const address = database.fresh()
    for (const wrong of [{ password: 'not-it' }, { user: 'nobody_here' }, { database: 'nothing_here' }]) {
      const refused = await openPostgresShard({ ...address, ...wrong }).catch((error: Error) => error)
      expect(refused).toMatchObject({ name: 'LayoutRefused' })
      expect(String(refused)).not.toContain('not-it')
    }
  })

  it('is asked with a certificate that can be read, or not at all', async () => {
    const tls = { rootFile: '/nowhere/ca.pem' }
    await expect(openPostgresShard({ ...database.fresh(), tls })).rejects.toMatchObject({
      name: 'LayoutRefused',
      message: "/nowhere/ca.pem, which sslrootcert names, can't be read.",
    })
  })

  it('is made ready once, by however many begin at the same time', async () => {
    const address = database.fresh()
    const shards = await Promise.all(Array.from({ length: 5 }, () => openPostgresShard(address)))
    await shards[0]!.add([{ gallery: 'a', id: 1, vector: Float32Array.of(1) }])
    for (const shard of shards) expect(await shard.gallery('a')).toMatchObject({ linear: 1 })
    await Promise.all(shards.map(shard => shard.close()))
  })
})
