/** Addresses of PostgreSQL databases: accepted forms, recorded parts, and equality. */
import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { placeOf, postgresAddress } from '../../../../../core/vector-store/postgres/address.ts'
import {
  parseLayout,
  recordedLayout,
  recordLayout,
  sameLayout,
} from '../../../../../core/vector-store/sharding/layout.ts'
import { temporaryFolder } from '../../folder.ts'

const list = (address: string) => parseLayout(JSON.stringify([{ address, cells: '0-1023' }]), 'shards.json')

it('postgresAddress reads the parameters of a connection, and has defaults', () => {
  expect(postgresAddress('postgres://ann:s%40fe@db.example.com/faces')).toEqual({
    host: 'db.example.com',
    port: 5432,
    database: 'faces',
    user: 'ann',
    password: 's@fe',
    schema: 'mien',
    type: 'halfvec',
    candidates: 200,
    connections: 8,
    tls: { rootFile: undefined },
    mayLose: false,
  })
  expect(
    postgresAddress(
      'postgresql://ann@[::1]:6543/faces?type=vector&schema=two&ef_search=500&connections=20&fsync=off',
    ),
  ).toMatchObject({
    host: '::1',
    port: 6543,
    password: undefined,
    schema: 'two',
    type: 'vector',
    candidates: 500,
    connections: 20,
    tls: 'off',
    mayLose: true,
  })
})

it.each([
  { address: 'postgres://ann@127.0.0.1/faces', tls: 'off' },
  { address: 'postgres://ann@localhost/faces', tls: 'off' },
  { address: 'postgres://ann@localhost/faces?host=/var/run/postgresql', tls: 'off' },
  { address: 'postgres://ann@127.0.0.1/faces?sslmode=require', tls: 'unverified' },
  { address: 'postgres://ann@10.0.0.7/faces', tls: { rootFile: undefined } },
  { address: 'postgres://ann@localhost.example.com/faces', tls: { rootFile: undefined } },
  { address: 'postgres://ann@10.0.0.7/faces?sslmode=disable', tls: 'off' },
  { address: 'postgres://ann@10.0.0.7/faces?sslrootcert=/etc/ca.pem', tls: { rootFile: '/etc/ca.pem' } },
])('postgresAddress encrypts connections to other hosts by default: $address', ({ address, tls }) => {
  expect(postgresAddress(address)?.tls).toEqual(tls)
})

it.each([
  'postgres://',
  'postgres://db/faces',
  'postgres://ann@/faces',
  'postgres://ann@db',
  'postgres://ann@db/',
  'postgres://ann@db/a/b',
  'postgres://ann@db/%',
  'postgres://ann@db/faces#x',
  'postgres://ann@db:99999/faces',
  'postgres://ann@db/faces?schema=A"b',
  'postgres://ann@db/faces?type=bit',
  'postgres://ann@db/faces?ef_search=0',
  'postgres://ann@db/faces?connections=1',
  'postgres://ann@db/faces?sslmode=prefer',
  'postgres://ann@db/faces?fsync=on',
  'postgres://ann@db/faces?options=-cfsync',
  'postgres://ann@db/faces?host=relative',
])('parseLayout refuses %s without repeating its password', address => {
  expect(() => list(address)).toThrow(/^shards.json is no list of shards: 0.address must be /)
  expect(() => list(address.replace('ann', 'ann:hidden'))).toThrow(
    expect.not.objectContaining({ message: expect.stringContaining('hidden') }),
  )
})

it('recordLayout stores no password, and parseLayout removes it from the address', async () => {
  const folder = join(await temporaryFolder(), 'vectors')
  await mkdir(folder)
  const layout = list('postgres://ann:s%40fe@127.0.0.1/faces?schema=one')
  expect(layout).toEqual([
    { address: 'postgres://ann@127.0.0.1/faces?schema=one', cells: '0-1023', password: 's@fe' },
  ])
  await recordLayout(folder, layout)
  expect(await readFile(join(folder, 'layout.json'), 'utf8')).not.toContain('fe@')
  const recorded = (await recordedLayout(folder))!
  expect(recorded).toEqual([{ address: layout[0]!.address, cells: '0-1023' }])
  expect(sameLayout(recorded, layout)).toBe(true)
})

it.each([
  { other: 'postgres://bob:x@db:5432/faces?type=vector&ef_search=40&connections=3', same: true },
  { other: 'postgresql://ann@db/faces?schema=mien&sslmode=disable', same: true },
  { other: 'postgres://ann@db/faces?schema=two', same: false },
  { other: 'postgres://ann@db/others', same: false },
  { other: 'postgres://ann@db:5433/faces', same: false },
  { other: 'postgres://ann@db2/faces', same: false },
])('sameLayout and placeOf with $other return: $same', ({ other, same }) => {
  const one = 'postgres://ann@db/faces'
  expect(placeOf(other) === placeOf(one)).toBe(same)
  expect(sameLayout(list(one), list(other))).toBe(same)
  const both = JSON.stringify([
    { address: one, cells: '0-511' },
    { address: other, cells: '512-1023' },
  ])
  if (same) expect(() => parseLayout(both, 'shards.json')).toThrow('comes twice')
  else expect(parseLayout(both, 'shards.json')).toHaveLength(2)
})
