/** A PostgreSQL shard beside local shards of one store, with the operations of an operator. */
import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, expect, it, onTestFinished } from 'vitest'
import { openVectorStore, type StoreSettings } from '#core/vector-store/open.ts'
import type { PostgresAddress } from '#core/vector-store/postgres/address.ts'
import { cellOf, type Layout, parseLayout } from '#core/vector-store/sharding/layout.ts'
import type { VectorStore } from '#core/vector-store/vector-store.ts'
import { temporaryFolder } from '#test/unit/core/folder.ts'
import { knownEntry, knownVector } from '#test/unit/core/vector-store/known.ts'
import { addressText, testDatabase } from '#test/unit/core/vector-store/postgres/database.ts'
import { servedIds } from '#test/unit/core/vector-store/served.ts'
import { breakingProxy } from './breaking-proxy.ts'

const database = testDatabase()
let data = ''
let folder = ''
beforeEach(async () => {
  data = await temporaryFolder()
  folder = join(data, 'vectors')
  await mkdir(folder)
})

/** Half of the cells in a thread, half in a database. */
const half = (address: PostgresAddress): Layout =>
  parseLayout(
    JSON.stringify([
      { address: 'local', cells: '0-511' },
      { address: addressText({ ...address, password: address.password ?? 'no-secret' }), cells: '512-1023' },
    ]),
    'shards.json',
  )

async function opened(settings: StoreSettings): Promise<VectorStore> {
  const store = await openVectorStore(folder, settings)
  onTestFinished(() => store.close().catch(() => {}))
  return store
}

const ids = Array.from({ length: 60 }, (_, id) => id)
const [there = 0] = ids.filter(id => cellOf(id) >= 512)
const [here = 0] = ids.filter(id => cellOf(id) < 512)

it('a PostgreSQL shard reports an outage and its end without its password', async () => {
  const proxy = await breakingProxy(database.fresh())
  const news: unknown[] = []
  const shards = half(proxy.address)
  const store = await opened({ shards, onShard: (event, { address }) => news.push([event, address]) })
  await store.add(ids.map(knownEntry))
  await proxy.stop()
  await expect(store.get(knownEntry(there))).rejects.toMatchObject({ name: 'StoreUnavailable' })
  expect(await store.get(knownEntry(here))).toEqual(knownVector(here))
  const found = await store.search('g', knownVector(there), { limit: 60, minScore: -1 })
  expect(found).toMatchObject({ live: 1, total: 2 })
  await proxy.serve()
  await expect.poll(() => news.length, { timeout: 30_000 }).toBe(2)
  expect(await servedIds(store)).toEqual(new Set(ids))
  const { user, hosts, schema } = proxy.address
  const address = expect.stringMatching(
    RegExp(`^postgres://${user}@127.0.0.1:${hosts[0]!.port}/.*schema=${schema}`),
  )
  expect(news).toEqual([
    ['shard unavailable', address],
    ['shard available', address],
  ])
  const recorded = await readFile(join(folder, 'layout.json'), 'utf8')
  expect(recorded).not.toContain(shards.find(({ password }) => password)?.password)
})
