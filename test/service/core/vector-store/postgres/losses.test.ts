/** Lost, stalled and refused connections to PostgreSQL, and several cores on one database. */

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { openVectorStore } from '#core/vector-store/open.ts'
import type { PostgresAddress } from '#core/vector-store/postgres/address.ts'
import { ConcurrentChange, ConnectionLost, postgresError } from '#core/vector-store/postgres/client.ts'
import { openPostgresShard } from '#core/vector-store/postgres/postgres-shard.ts'
import { cellOf, parseLayout } from '#core/vector-store/sharding/layout.ts'
import { StoreUnavailable, type VectorStore } from '#core/vector-store/vector-store.ts'
import { times } from '#test/support/times.ts'
import { temporaryFolder } from '#test/unit/core/folder.ts'
import { closeWithTest, knownEntry, knownVector, SHARD_AWAY } from '#test/unit/core/vector-store/known.ts'
import { addressText, testDatabase } from '#test/unit/core/vector-store/postgres/database.ts'
import { servedIds } from '#test/unit/core/vector-store/served.ts'
import { breakingProxy } from './breaking-proxy.ts'

const database = testDatabase()
const ROUNDS = Number(process.env.MIEN_CUT_POSTS ?? 10)

const opened = (address: PostgresAddress) => closeWithTest(openPostgresShard(address))
const back = (store: VectorStore) =>
  expect.poll(() => store.reach([1]).then(() => 'back', String)).toBe('back')

describe('a PostgreSQL connection that breaks', () => {
  it('during additions loses no acknowledged vector and leaves no partial call', {
    tags: 'long',
  }, async () => {
    const proxy = await breakingProxy(database.fresh())
    const store = await opened(proxy.address)
    const calls: { ids: number[]; sure: boolean }[] = []
    for (let round = 0; round < ROUNDS; round++) {
      // The cut hits the handshake, the additions, or nothing.
      proxy.cutAfter(Math.floor(2 ** (6 + (9 * round) / ROUNDS)))
      const tried = [0, 5, 10, 15].map(first => [0, 1, 2, 3, 4].map(i => 20 * round + first + i))
      const outcomes = await Promise.allSettled(tried.map(ids => store.add(ids.map(knownEntry))))
      for (const outcome of outcomes) {
        if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject(SHARD_AWAY)
      }
      calls.push(...tried.map((ids, i) => ({ ids, sure: outcomes[i]!.status === 'fulfilled' })))
    }
    proxy.cutAfter(undefined)
    await back(store)
    const there = await servedIds(store)
    for (const { ids, sure } of calls) {
      const found = ids.filter(id => there.has(id)).length
      expect(sure ? [5] : [0, 5]).toContain(found)
    }
    expect(new Set(calls.map(({ sure }) => sure))).toEqual(new Set([true, false]))
  })

  it('before the acknowledgement makes the shard unavailable, and the call is not repeated', async () => {
    const proxy = await breakingProxy(database.fresh())
    const store = await opened(proxy.address)
    await store.add([knownEntry(1)])
    proxy.cutBehind('commit')
    await expect(store.add([knownEntry(2)])).rejects.toMatchObject(SHARD_AWAY)
    await expect(store.remove([knownEntry(1)])).rejects.toMatchObject(SHARD_AWAY)
    proxy.cutBehind(undefined)
    await back(store)
    await expect.poll(() => servedIds(store)).toEqual(new Set([2]))
  })

  it('while idle fails no read', async () => {
    const proxy = await breakingProxy(database.fresh())
    const store = await opened(proxy.address)
    await store.add([knownEntry(1)])
    for (let round = 0; round < 5; round++) {
      await Promise.all([store.get(knownEntry(1)), store.gallery('g')])
      proxy.cut()
      expect(await store.get(knownEntry(1))).toEqual(knownVector(1))
      expect((await store.search('g', knownVector(1), { limit: 1, minScore: 0 })).candidates).toHaveLength(1)
    }
  })
})

describe('a PostgreSQL shard with several hosts', { tags: 'long' }, () => {
  /** Two ways to one database, like a primary and the standby that takes over. */
  async function twoWays() {
    const target = database.fresh()
    const [one, two] = [await breakingProxy(target), await breakingProxy(target)]
    await two.stop()
    const hosts = [one, two].flatMap(({ address }) => address.hosts)
    const store = await opened({ ...target, hosts })
    // Several idle connections. PGlite runs one transaction at a time: the addition follows the ends of the reads.
    await Promise.all(times(6, () => store.get(knownEntry(1))))
    await store.add([knownEntry(1)])
    return { one, two, store }
  }

  it('fails no read and no later addition when the first host refuses connections', async () => {
    const { one, two, store } = await twoWays()
    await two.serve()
    await one.stop()
    expect(await store.get(knownEntry(1))).toEqual(knownVector(1))
    await store.add([knownEntry(2)])
    expect(await servedIds(store)).toEqual(new Set([1, 2]))
  })

  it('leaves a stalled host with all idle connections after the first request without a response', async () => {
    const { one, two, store } = await twoWays()
    await two.serve()
    one.hold()
    await expect(store.get(knownEntry(1))).rejects.toMatchObject(SHARD_AWAY)
    expect(await store.get(knownEntry(1))).toEqual(knownVector(1))
    await store.add([knownEntry(2)])
    expect(await servedIds(store)).toEqual(new Set([1, 2]))
  })
})

it('a PostgreSQL shard acknowledges no addition with a warning commit, as after a cancelled wait for a standby', async () => {
  const address = database.fresh()
  const store = await opened(address)
  await store.add([knownEntry(1)])
  await database.ask(
    `create function ${address.schema}.warn() returns trigger language plpgsql as
      $$ begin raise warning 'might not have been replicated'; return null; end $$;
    create constraint trigger warn after update on ${address.schema}.galleries
      deferrable initially deferred for each row execute function ${address.schema}.warn()`,
  )
  await expect(store.add([knownEntry(2)])).rejects.toMatchObject(SHARD_AWAY)
  await database.ask(`drop trigger warn on ${address.schema}.galleries`)
  await store.add([knownEntry(3)])
})

describe('several cores on one database', () => {
  it('store one vector per key and one dimension per gallery, with correct counts', async () => {
    const address = database.fresh()
    const stores = await Promise.all(times(3, () => opened(address)))
    for (let round = 0; round < 4; round++) {
      const gallery = `g${round}`
      const of = (dimension: number, id: number) => ({
        gallery,
        id,
        vector: Float32Array.from({ length: dimension }, (_, i) => i + 1),
      })
      const same = await Promise.allSettled(stores.map(store => store.add([of(2, 1), of(2, 2)])))
      expect(same.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
      const removed = await Promise.all(stores.map(store => store.remove([of(2, 1), of(2, 2)])))
      expect(removed.flat()).toHaveLength(2)
      const other = await Promise.allSettled(stores.map((store, i) => store.add([of(3 + i, i)])))
      const [taken] = other.flatMap((outcome, i) => (outcome.status === 'fulfilled' ? [i] : []))
      for (const outcome of other) {
        if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ why: 'dimension' })
      }
      for (const store of stores) {
        expect(await store.gallery(gallery)).toMatchObject({ linear: 1 })
        expect((await store.list(gallery, 0, 9)).vectors).toMatchObject([{ id: taken }])
      }
    }
  })

  it('keep a vector that one adds to a gallery while another empties it', async () => {
    const address = database.fresh()
    const [one, two] = [await opened(address), await opened(address)]
    for (let round = 0; round < 8; round++) {
      const [old, fresh] = [knownEntry(2 * round), knownEntry(2 * round + 1)]
      await one.add([old])
      await Promise.all([one.remove([old]), two.add([fresh])])
      expect(await servedIds(one)).toEqual(new Set([fresh.id]))
      await two.remove([fresh])
    }
  })
})

it('a PostgreSQL shard executes additions that arrive when an earlier one is answered', async () => {
  const store = await opened(database.fresh())
  for (let id = 0; id < 40; id++) {
    await store.add([knownEntry(id)])
    // The delay in microtasks reaches the end of the check for waiting additions.
    for (let turn = 0; turn < id % 10; turn++) await undefined
  }
  expect(await servedIds(store)).toEqual(new Set(times(40, id => id)))
})

it('a PostgreSQL shard beside a local one reports an outage and its end without its password', async () => {
  const proxy = await breakingProxy(database.fresh())
  const { password = 'no-secret', user, hosts, schema } = proxy.address
  const places = [
    { address: 'local', cells: '0-511' },
    { address: addressText({ ...proxy.address, password }), cells: '512-1023' },
  ]
  const folder = await temporaryFolder()
  const news: unknown[] = []
  const opening = openVectorStore(folder, {
    shards: parseLayout(JSON.stringify(places), 'shards.json'),
    onShard: (event, { address }) => news.push([event, address]),
  })
  const store = await closeWithTest(opening)
  const ids = times(60, id => id)
  const [there = 0] = ids.filter(id => cellOf(id) >= 512)
  const [here = 0] = ids.filter(id => cellOf(id) < 512)
  await store.add(ids.map(knownEntry))
  await proxy.stop()
  await expect(store.get(knownEntry(there))).rejects.toMatchObject(SHARD_AWAY)
  expect(await store.get(knownEntry(here))).toEqual(knownVector(here))
  const found = await store.search('g', knownVector(there), { limit: 60, minScore: -1 })
  expect(found).toMatchObject({ live: 1, total: 2 })
  await proxy.serve()
  await expect.poll(() => news.length).toBe(2)
  expect(await servedIds(store)).toEqual(new Set(ids))
  const address = expect.stringMatching(
    RegExp(`^postgres://${user}@127.0.0.1:${hosts[0]!.port}/.*schema=${schema}`),
  )
  expect(news).toEqual([
    ['shard unavailable', address],
    ['shard available', address],
  ])
  expect(await readFile(join(folder, 'layout.json'), 'utf8')).not.toContain(password)
})

it('close answers earlier calls and refuses later ones', async () => {
  const address = database.fresh()
  const store = await openPostgresShard(address)
  const additions = times(20, id => store.add([knownEntry(id)]))
  await delay(1)
  await store.close()
  await Promise.all(additions)
  await expect(store.get(knownEntry(1))).rejects.toMatchObject(SHARD_AWAY)
  expect((await servedIds(await opened(address))).size).toBe(20)
})

it.each([
  { code: '53100', kind: StoreUnavailable, why: 'full' },
  { code: '53200', kind: StoreUnavailable, why: 'away' },
  { code: '53300', kind: StoreUnavailable, why: 'away' },
  { code: '57014', kind: StoreUnavailable, why: 'away' },
  { code: '25006', kind: ConnectionLost, why: 'away' },
  { code: '57P01', kind: ConnectionLost, why: 'away' },
  { code: '08006', kind: ConnectionLost, why: 'away' },
  { code: 'ECONNRESET', kind: ConnectionLost, why: 'away' },
  { code: 'EPIPE', kind: ConnectionLost, why: 'away' },
  { code: '40001', kind: ConcurrentChange, why: undefined },
  { code: '40P01', kind: ConcurrentChange, why: undefined },
  { code: '23505', kind: ConcurrentChange, why: undefined },
])('postgresError maps the code $code', ({ code, kind, why }) => {
  const severity = /\d/.test(code) && { severity: 'ERROR' }
  const trouble = postgresError(Object.assign(new Error('with its own words'), { code, ...severity }))
  expect(trouble.constructor).toBe(kind)
  expect((trouble as Partial<StoreUnavailable>).why).toBe(why)
  expect(trouble.message).not.toContain('words')
})
