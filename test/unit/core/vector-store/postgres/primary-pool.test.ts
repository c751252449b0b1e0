/** A shard with several hosts: it uses the server that accepts writes. */
import { type PostgresAddress, postgresAddress } from '#core/vector-store/postgres/address.ts'
import { openPostgresShard } from '#core/vector-store/postgres/postgres-shard.ts'
import { closeWithTest, knownEntry, SHARD_AWAY } from '../known.ts'
import { servedIds } from '../served.ts'
import { type Pglite, START_MS, servePglite } from './database.ts'

let first: Pglite
let second: Pglite
let address: PostgresAddress
let schemas = 0

beforeAll(async () => {
  ;[first, second] = await Promise.all([servePglite(), servePglite()])
}, START_MS)
afterAll(async () => {
  await first.close()
  await second.close()
})

/** All connections of a PGlite share one session, and its settings. */
const readOnly = ({ database }: Pglite, value: boolean) =>
  database.exec(`set default_transaction_read_only = ${value}`)

beforeEach(async () => {
  await readOnly(first, false)
  await readOnly(second, false)
  const { host } = new URL(second.base)
  address = postgresAddress(`${first.base.replace('/postgres?', `,${host}/postgres?`)}&schema=s${schemas++}`)!
})

const opened = (of: PostgresAddress) => closeWithTest(openPostgresShard(of))
const only = (host: number): PostgresAddress => ({ ...address, hosts: [address.hosts[host]!] })

it.each([0, 1])(
  'openPostgresShard stores vectors on the host that accepts writes, number %d',
  async primary => {
    await readOnly([second, first][primary]!, true)
    const store = await opened(address)
    await store.add([knownEntry(1)])
    await store.close()
    await readOnly([second, first][primary]!, false)
    expect(await servedIds(await opened(only(primary)))).toEqual(new Set([1]))
    expect(await servedIds(await opened(only(1 - primary)))).toEqual(new Set())
  },
)

it('openPostgresShard is unavailable while no host accepts writes', { tags: 'long' }, async () => {
  await readOnly(first, true)
  await readOnly(second, true)
  const store = await opened(address)
  await expect(store.add([knownEntry(1)])).rejects.toMatchObject(SHARD_AWAY)
  await expect(store.get(knownEntry(1))).rejects.toMatchObject(SHARD_AWAY)
  await readOnly(second, false)
  await store.add([knownEntry(1)])
  expect(await servedIds(store)).toEqual(new Set([1]))
})

it('openPostgresShard refuses a read-only host that must accept writes, and reads from one that need not', {
  tags: 'long',
}, async () => {
  const store = await opened(only(0))
  await store.add([knownEntry(1)])
  await readOnly(first, true)
  const strict = await opened({ ...only(0), readWrite: true })
  await expect(strict.get(knownEntry(1))).rejects.toMatchObject(SHARD_AWAY)
  expect(await servedIds(store)).toEqual(new Set([1]))
})
