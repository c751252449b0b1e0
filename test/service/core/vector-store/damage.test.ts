/**
 * Changed bytes on the disk: they are reported or harmless. No answer is wrong, and the store opens again.
 * MIEN_FLIPS sets the number of changed bytes.
 */
import { cpSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Libsql from 'libsql'
import { journalFault } from '#core/vector-store/rows/row-journal.ts'
import { openShard } from '#core/vector-store/shard/shard.ts'
import { sharedFolder, temporaryFolder, temporaryPath } from '#test/unit/core/folder.ts'
import { knownEntries, knownEntry, knownVector, waitForIndex } from '#test/unit/core/vector-store/known.ts'
import { servedIds } from '#test/unit/core/vector-store/served.ts'

const FLIPS = Number(process.env.MIEN_FLIPS ?? 3)
const FLIP_MS = 10_000

/** Opens the shard and checks that it serves only these ids; returns the reports of damage. */
async function look(folder: string, ids: ReadonlySet<number>) {
  const damage: string[] = []
  const store = await openShard(folder, { indexAbove: 1e9, onDamage: what => damage.push(what) })
  try {
    await servedIds(store)
    // A vector that was found damaged is not served afterwards.
    const served = await servedIds(store)
    expect([...served].filter(id => !ids.has(id))).toEqual([])
    await store.add([{ gallery: 'new', id: 1, vector: knownVector(1) }])
    await store.remove([{ gallery: 'new', id: 1 }])
    expect(['none', 'ready']).toContain(await waitForIndex(store))
    return { damage, served }
  } finally {
    await store.close()
  }
}

/** Changes one byte of a file. The shard must report it or serve everything, and do the same at the next start. */
async function expectFoundOrHarmless(folder: string, file: string, ids: ReadonlySet<number>) {
  const path = join(folder, file)
  const at = Math.floor(Math.random() * statSync(path).size)
  const bytes = readFileSync(path)
  bytes[at]! ^= 1 + Math.floor(Math.random() * 255)
  writeFileSync(path, bytes)
  const where = `byte ${at} of ${file}`
  try {
    const { damage, served } = await look(folder, ids)
    if (damage.length === 0) expect({ where, served: served.size }).toEqual({ where, served: ids.size })
    const again = await look(folder, ids)
    expect({ where, served: again.served.size }).toEqual({ where, served: served.size })
    return damage.length > 0 ? 'reported' : 'harmless'
  } catch (error) {
    // A second start reports the same and changes nothing.
    if ((error as Error).name !== 'RowsDamaged') throw new Error(where, { cause: error })
    await expect(look(folder, ids)).rejects.toMatchObject({ name: 'RowsDamaged' })
    return 'refused'
  }
}

const rounds = Math.ceil(FLIPS / 3)

/** A closed shard: a gallery with an index, rows outside the index, and free slots. */
const filled = copiesOf(async folder => {
  const store = await openShard(folder, { indexAbove: 1e9 })
  const entries = knownEntries(0, 1_200)
  await store.add(entries.slice(0, 1_000))
  await store.startIndex('g')
  await waitForIndex(store)
  await store.remove(entries.filter(({ id }) => id % 10 === 0).slice(0, 90))
  await store.add(entries.slice(1_000))
  const ids = await servedIds(store)
  await store.close()
  return ids
})

/** A shard whose process was killed after it had acknowledged its last addition: a copy of an open one. */
const killed = copiesOf(async folder => {
  const open = await temporaryFolder()
  const store = await openShard(open)
  for (let from = 0; from < 600; from += 20) await store.add(knownEntries(from, 20))
  cpSync(open, folder, { recursive: true })
  const ids = await servedIds(store)
  await store.close()
  return ids
})

describe('a shard with a changed byte', { tags: 'long' }, () => {
  it.each([
    { where: 'the rows', fill: filled, fileOf: () => 'rows.db' },
    {
      where: 'the index',
      fill: filled,
      fileOf: (folder: string) => join('index', readdirSync(join(folder, 'index'))[0]!),
    },
    { where: 'the journal that a kill left', fill: killed, fileOf: () => 'rows.db-wal' },
  ])(
    `reports it or serves everything, ${rounds} times in $where`,
    async ({ where, fill, fileOf }) => {
      const { folder, ids } = await fill()
      for (let round = 0; round < rounds; round++) {
        const copy = await temporaryPath('shard')
        cpSync(folder, copy, { recursive: true })
        const outcome = await expectFoundOrHarmless(copy, fileOf(copy), ids)
        if (where === 'the index') expect(outcome).toBe('reported')
      }
    },
    rounds * FLIP_MS,
  )

  it('reports a changed vector at every start, and serves it after it is added again', async () => {
    const { folder, ids } = await filled()
    changeVector(join(folder, 'rows.db'), 77)
    for (let i = 0; i < 2; i++) {
      const { damage, served } = await look(folder, ids)
      expect(damage).toEqual(['1 vectors of the gallery g are damaged, and are not served.'])
      expect(served).toEqual(new Set([...ids].filter(id => id !== 77)))
    }
    const store = await openShard(folder)
    await store.add([knownEntry(77)])
    await store.close()
    expect(await look(folder, ids)).toEqual({ damage: [], served: ids })
  })

  it('removes a changed vector', async () => {
    const { folder, ids } = await filled()
    changeVector(join(folder, 'rows.db'), 77)
    const store = await openShard(folder)
    expect(await store.remove([{ gallery: 'g', id: 77 }])).toHaveLength(1)
    await store.close()
    const { damage, served } = await look(folder, ids)
    expect(damage).toEqual([])
    expect(served.has(77)).toBe(false)
  })

  it('detects a vector that changes while the shard is open, and serves the others', async () => {
    const { folder } = await filled()
    const damage: string[] = []
    const store = await openShard(folder, { onDamage: what => damage.push(what) })
    const file = new Libsql(join(folder, 'rows.db'))
    const { slot, record } = file
      .prepare('SELECT slot, record FROM places JOIN slots USING (slot) WHERE id = 77')
      .get([]) as { slot: number; record: Buffer }
    const changed = Buffer.from(record)
    changed[50]! ^= 64
    file.prepare('UPDATE slots SET record = ? WHERE slot = ?').run([changed, slot])
    file.close()
    const { candidates } = await store.search('g', knownVector(77), { limit: 1, minScore: -1 })
    expect(candidates[0]?.id).not.toBe(77)
    expect(damage).toHaveLength(1)
    expect(await store.get({ gallery: 'g', id: 77 })).toBeUndefined()
    await store.close()
  })
})

describe('journalFault', () => {
  it('accepts the journal that a kill left, at any length', async () => {
    const path = join((await killed()).folder, 'rows.db-wal')
    expect(journalFault(path)).toBeUndefined()
    const bytes = readFileSync(path)
    const frame = 24 + 16_384
    for (const length of [0, 20, 32, 40, 32 + frame, 32 + 2 * frame + 100]) {
      writeFileSync(path, bytes.subarray(0, length))
      expect(journalFault(path)).toBeUndefined()
    }
  })

  it.each([
    { what: 'its header', at: 17, fault: 'damaged' },
    { what: 'the header of its first page', at: 32 + 3, fault: 'damaged' },
    { what: 'the salt of its first page', at: 32 + 9, fault: 'damaged' },
    { what: 'its first page', at: 32 + 24 + 5_000, fault: 'damaged' },
    { what: 'its last page', at: -5_000, fault: 'cut' },
    { what: 'the salt of its last page', at: -16_384 - 24 + 13, fault: 'damaged' },
  ])('detects a changed byte in $what', async ({ at, fault }) => {
    const path = join((await killed()).folder, 'rows.db-wal')
    const bytes = readFileSync(path)
    bytes[at < 0 ? bytes.length + at : at]! ^= 16
    writeFileSync(path, bytes)
    expect(journalFault(path)).toBe(fault)
  })
})

/** A shard that tests copy, with the ids that it serves. */
interface Prepared {
  folder: string
  ids: Set<number>
}

/** A copy of a folder that is made once. */
function copiesOf(make: (folder: string) => Promise<Set<number>>): () => Promise<Prepared> {
  const made = sharedFolder()
  let making: Promise<Set<number>> | undefined
  return async () => {
    making ??= make(made)
    const ids = await making
    const folder = await temporaryFolder()
    cpSync(made, folder, { recursive: true })
    return { folder, ids: new Set(ids) }
  }
}

/** Changes one number of a vector in the file. */
function changeVector(path: string, id: number) {
  const bytes = readFileSync(path)
  const at = bytes.indexOf(Buffer.from(knownVector(id).buffer))
  expect(at).toBeGreaterThan(0)
  bytes[at + 9]! ^= 64
  writeFileSync(path, bytes)
}
