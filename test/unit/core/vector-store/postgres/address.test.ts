/** Addresses of PostgreSQL databases: accepted forms, recorded parts, and equality. */
import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isSameStorage, postgresAddress } from '#core/vector-store/postgres/address.ts'
import { parseLayout, recordedLayout, recordLayout, sameLayout } from '#core/vector-store/sharding/layout.ts'
import { temporaryPath } from '../../folder.ts'

const list = (address: string) => parseLayout(JSON.stringify([{ address, cells: '0-1023' }]), 'shards.json')

it('postgresAddress reads the parameters of a connection, and has defaults', () => {
  expect(postgresAddress('postgres://ann:s%40fe@db.example.com/faces')).toEqual({
    hosts: [{ host: 'db.example.com', port: 5432 }],
    readWrite: false,
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
    hosts: [{ host: '::1', port: 6543 }],
    password: undefined,
    schema: 'two',
    type: 'vector',
    candidates: 500,
    connections: 20,
    tls: 'off',
    mayLose: true,
  })
})

it('postgresAddress reads several hosts, and asks for the host that accepts writes', () => {
  const address = 'postgres://ann:s%40fe@a,[fd00::2]:6543,10.0.0.7:5433/faces?target_session_attrs=read-write'
  const hosts = [
    { host: 'a', port: 5432 },
    { host: 'fd00::2', port: 6543 },
    { host: '10.0.0.7', port: 5433 },
  ]
  expect(postgresAddress(address)).toMatchObject({ hosts, user: 'ann', password: 's@fe', readWrite: true })
})

it.each([
  { address: 'postgres://ann@127.0.0.1/faces', tls: 'off' },
  { address: 'postgres://ann@127.0.0.1,db/faces', tls: { rootFile: undefined } },
  { address: 'postgres://ann@localhost/faces?host=/var/run/postgresql', tls: 'off' },
  { address: 'postgres://ann@127.0.0.1/faces?sslmode=require', tls: 'unverified' },
  { address: 'postgres://ann@10.0.0.7/faces', tls: { rootFile: undefined } },
  { address: 'postgres://ann@10.0.0.7/faces?sslrootcert=/etc/ca.pem', tls: { rootFile: '/etc/ca.pem' } },
])('postgresAddress encrypts connections to other hosts by default: $address', ({ address, tls }) => {
  expect(postgresAddress(address)?.tls).toEqual(tls)
})

it.each([
  'postgres://ann@/faces',
  'postgres://ann@db',
  'postgres://ann@db/',
  'postgres://ann@db:99999/faces',
  'postgres://ann@db/faces?schema=A"b',
  'postgres://ann@db/faces?type=bit',
  'postgres://ann@db/faces?sslmode=prefer',
  'postgres://ann@db/faces?options=-cfsync',
  'postgres://ann@db,/faces',
  'postgres://ann@db,db:5432/faces',
  'postgres://ann@a,b,c,d,e,f,g,h,i/faces',
  'postgres://ann@a,b/faces?host=/var/run/postgresql',
  'postgres://ann@a,b/faces?target_session_attrs=any',
])('parseLayout refuses %s without repeating its password', address => {
  expect(() => list(address)).toThrow(/^shards.json is no list of shards: 0.address must be /)
  expect(() => list(address.replace('ann', 'ann:hidden'))).toThrow(
    expect.not.objectContaining({ message: expect.stringContaining('hidden') }),
  )
})

it('recordLayout stores no password, and parseLayout removes it from the address', async () => {
  const folder = await temporaryPath('vectors')
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
  { other: 'postgres://ann@db/faces?schema=two', same: false },
  { other: 'postgres://ann@db:5433/faces', same: false },
  { other: 'postgres://ann@db2/faces', same: false },
  { other: 'postgres://ann@db2,db/faces?target_session_attrs=read-write', same: true },
])('sameLayout and isSameStorage with $other return: $same', ({ other, same }) => {
  const one = 'postgres://ann@db/faces'
  expect(isSameStorage(other, one)).toBe(same)
  expect(sameLayout(list(one), list(other))).toBe(same)
  const both = JSON.stringify([
    { address: one, cells: '0-511' },
    { address: other, cells: '512-1023' },
  ])
  if (same) expect(() => parseLayout(both, 'shards.json')).toThrow('comes twice')
  else expect(parseLayout(both, 'shards.json')).toHaveLength(2)
})
