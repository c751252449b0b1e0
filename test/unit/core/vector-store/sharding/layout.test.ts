/** The layout of shards: accepted lists, its record in the folder, refusals of changes, and the cells of ids. */
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { openVectorStore } from '#core/vector-store/open.ts'
import {
  CELLS,
  cellOf,
  cellsOf,
  localLayout,
  parseLayout,
  rangesOf,
  recordedLayout,
  recordLayout,
} from '#core/vector-store/sharding/layout.ts'
import { temporaryPath } from '../../folder.ts'

const parse = (list: unknown) => parseLayout(JSON.stringify(list), 'shards.json')
const local = (cells: string) => ({ address: 'local', cells })
const database = (address: string) => ({ address, cells: '512-1023' })

let folder = ''
beforeEach(async () => {
  folder = await temporaryPath('vectors')
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

describe('cellOf', () => {
  // Fixed values: stored vectors are found by these numbers.
  it.each([
    [0, 0],
    [1, 183],
    [4_611_686_018_427, 543],
    [Number.MAX_SAFE_INTEGER, 933],
  ])('maps the id %d permanently to the cell %d', (id, cell) => {
    expect(cellOf(id)).toBe(cell)
  })

  it.each([
    { ids: 'consecutive numbers', idAt: (i: number) => i },
    { ids: 'numbers that differ above 2^32 only', idAt: (i: number) => (i % 2 ** 20) * 2 ** 32 },
  ])('spreads $ids evenly', ({ idAt }) => {
    const counts = new Array<number>(CELLS).fill(0)
    for (let i = 0; i < 100 * CELLS; i++) counts[cellOf(idAt(i))]!++
    // 100 ids per cell are expected. A uniform hash gives a cell below 50 or above 160 once in a million.
    expect(Math.min(...counts)).toBeGreaterThan(50)
    expect(Math.max(...counts)).toBeLessThan(160)
  })
})

describe('cellsOf', () => {
  it.each(['', 'all', '3-1', '0-1024', '1,1', '0-5,5-7', '1-2-3'])('refuses "%s"', text => {
    expect(cellsOf(text)).toBeUndefined()
  })

  it('reads the text of rangesOf back', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.nat(CELLS - 1), { minLength: 1 }), some => {
        const cells = some.toSorted((a, b) => a - b)
        expect(cellsOf(rangesOf(cells))).toEqual(cells)
      }),
    )
  })
})
