/** The layout of shards: accepted lists, its record in the folder, and refusals of changes. */
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { openVectorStore } from '#core/vector-store/open.ts'
import { localLayout, parseLayout, recordedLayout, recordLayout } from '#core/vector-store/sharding/layout.ts'
import { temporaryFolder } from '../../folder.ts'

const parse = (list: unknown) => parseLayout(JSON.stringify(list), 'shards.json')
const local = (cells: string) => ({ address: 'local', cells })
const database = (address: string) => ({ address, cells: '512-1023' })

let folder = ''
beforeEach(async () => {
  folder = join(await temporaryFolder(), 'vectors')
  await mkdir(folder)
})

describe('parseLayout', () => {
  it('sorts shards by cell, merges ranges, and takes the password out of addresses', () => {
    expect(parse([database('postgres://me:secret@db/faces'), local(' 0 - 500, 501-511')])).toEqual([
      local('0-511'),
      { ...database('postgres://me@db/faces'), password: 'secret' },
    ])
  })

  it('says where shards in other cores can go', () => {
    const list = [local('0-511'), database('http://10.0.0.7:8788')]
    expect(() => parse(list)).toThrow(expect.objectContaining({ name: 'LayoutRefused' }))
    expect(() => parse(list)).toThrow(/^shards.json names the shard http:\/\/10.0.0.7:8788. .* PostgreSQL/)
  })

  it.each([
    { what: 'an absent list', list: undefined, reason: 'array' },
    { what: 'an empty list', list: [], reason: '>=1' },
    { what: 'a cell without a shard', list: [local('0-1022')], reason: 'cell 1023 has 0 shards' },
    { what: 'a cell with two shards', list: [local('0-1023'), local('7')], reason: 'cell 7 has 2 shards' },
    { what: 'invalid cells', list: [local('all')], reason: '0.cells must be' },
    { what: 'an unknown field', list: [{ ...local('0-1023'), weight: 1 }], reason: 'weight' },
    ...['LOCAL', '', '10.0.0.1:8788', 'ftp://a', 'postgres://a', 'postgres://me@a'].map(address => ({
      what: `the address "${address}"`,
      list: [local('0-511'), database(address)],
      reason: '1.address',
    })),
  ])('refuses $what', ({ list, reason }) => {
    expect(() => parse(list)).toThrow(expect.objectContaining({ name: 'LayoutRefused' }))
    expect(() => parse(list)).toThrow(reason)
    expect(() => parse(list)).toThrow(/^shards.json is no list of shards: /)
  })
})

describe('openVectorStore layout', { tags: 'long' }, () => {
  const entry = { gallery: 'a', id: 5, vector: Float32Array.of(1, 2) }
  const openAndClose = async (settings = {}) => (await openVectorStore(folder, settings)).close()

  it('has a thread per CPU core minus one at first, and keeps the recorded number', async () => {
    await openAndClose()
    expect(await recordedLayout(folder)).toEqual(localLayout(Math.max(1, availableParallelism() - 1)))
    await recordLayout(folder, localLayout(5))
    await openAndClose()
    expect((await readdir(folder)).filter(name => name.startsWith('shard-'))).toHaveLength(5)
  })

  it('can change while the store is empty, and not later', async () => {
    await openAndClose({ shards: localLayout(2) })
    await openAndClose({ shards: localLayout(3) })
    const store = await openVectorStore(folder)
    await store.add([entry])
    await store.close()
    await expect(openVectorStore(folder, { shards: localLayout(2) })).rejects.toMatchObject({
      name: 'LayoutRefused',
      message: expect.stringContaining('mien store move vectors --to'),
    })
    for (const settings of [{}, { shards: localLayout(3) }]) {
      const same = await openVectorStore(folder, settings)
      expect(await same.get(entry)).toEqual(entry.vector)
      await same.close()
    }
  })

  it('is required when its record is missing and shards exist', async () => {
    const store = await openVectorStore(folder, { shards: localLayout(2) })
    await store.add([entry])
    await store.close()
    await rm(join(folder, 'layout.json'))
    await expect(openVectorStore(folder)).rejects.toMatchObject({ name: 'LayoutRefused' })
    const again = await openVectorStore(folder, { shards: localLayout(2) })
    expect(await again.get(entry)).toEqual(entry.vector)
    await again.close()
  })

  it('cannot change while a shard is unavailable', async () => {
    await recordLayout(folder, parse([local('0-511'), database('postgres://me@127.0.0.1:1/faces')]))
    await expect(openVectorStore(folder, { shards: localLayout(1) })).rejects.toMatchObject({
      name: 'StoreUnavailable',
    })
  })

  it('is refused when its file names a shard in another core', async () => {
    const shards = [{ address: 'http://10.0.0.7:8788', cells: '0-1023' }]
    await writeFile(join(folder, 'layout.json'), JSON.stringify({ version: 1, shards }))
    await expect(openVectorStore(folder)).rejects.toMatchObject({
      name: 'LayoutRefused',
      message: expect.stringContaining('move the vectors to PostgreSQL'),
    })
  })
})
