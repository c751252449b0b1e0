/** A shard with a data key: its files cannot be read, exchanged or replayed elsewhere. */
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import Libsql from 'libsql'
import { compactRows } from '#core/vector-store/rewrite-store.ts'
import { gallerySeed } from '#core/vector-store/rows/row-record.ts'
import { openShard } from '#core/vector-store/shard/shard.ts'
import { verifyFiles } from '#core/vector-store/verify.ts'
import { foundIn } from '#test/unit/core/backup/keys.ts'
import { letGo, temporaryFolder } from '#test/unit/core/folder.ts'
import { closeWithTest, knownEntries, knownVector, waitForIndex } from '#test/unit/core/vector-store/known.ts'

const dataKey = new Uint8Array(32).fill(1)
const otherKey = new Uint8Array(32).fill(2)

/** A gallery name to search for in files. */
const NAME = 'nightshift'
const ROWS = 500

/** SQLite's header, which records the mode of the last opening. */
const HEADER_BYTES = 100

let store = ''
let folder = ''
beforeEach(async () => {
  store = await temporaryFolder()
  folder = join(store, 'shard-0')
  mkdirSync(folder)
})

const path = () => join(folder, 'rows.db')
const entries = knownEntries(0, ROWS).map(entry => ({ ...entry, gallery: NAME }))

const opened = (onDamage = (what: string) => void expect.fail(what)) =>
  closeWithTest(openShard(folder, { dataKey, onDamage }))

/** A shard with rows and their index. */
async function filled() {
  const shard = await opened()
  await shard.add(entries)
  await shard.startIndex(NAME)
  await waitForIndex(shard, NAME)
  return shard
}

const served = async (shard: Awaited<ReturnType<typeof opened>>) => {
  const { vectors } = await shard.list(NAME, 0, 2 * ROWS)
  return vectors.map(({ id, vector }) => ({ gallery: NAME, id, vector }))
}

const bytesOf = (id: number) => new Uint8Array(knownVector(id).buffer)

describe('an encrypted shard', () => {
  it('has no vector, name or index in plaintext in any file at any time', async () => {
    const clear = {
      first: bytesOf(0),
      last: bytesOf(ROWS - 1),
      name: Buffer.from(NAME),
      index: Buffer.from('MIENIVF1'),
    }
    await (await filled()).close()
    const shard = await opened()
    expect(await shard.gallery(NAME)).toMatchObject({ indexed: ROWS, indexLoaded: true })
    const { candidates } = await shard.search(NAME, knownVector(7), { limit: 1, minScore: 0.9 })
    expect(candidates).toMatchObject([{ id: 7 }])
    expect(foundIn(folder, clear)).toEqual([])
    await shard.remove([{ gallery: NAME, id: 0 }])
    expect(foundIn(folder, clear)).toEqual([])
    await shard.close()
    compactRows(path(), dataKey)
    expect(foundIn(folder, clear)).toEqual([])
    expect(await served(await opened())).toEqual(entries.slice(1))
  })

  it.each([
    { what: 'without a key', key: undefined },
    { what: 'with another key', key: otherKey },
  ])('is not opened $what, and stays unchanged', async ({ key }) => {
    await (await filled()).close()
    const rows = () => readFileSync(path()).subarray(HEADER_BYTES)
    const before = rows()
    await expect(openShard(folder, key ? { dataKey: key } : {})).rejects.toMatchObject({
      name: 'RowsDamaged',
    })
    expect(() => compactRows(path(), key)).toThrow('is damaged')
    expect(rows()).toEqual(before)
    expect(await served(await opened())).toEqual(entries)
  })

  it('reports vectors that were exchanged with valid checksums', async () => {
    await (await filled()).close()
    const file = new Libsql(path())
    const records = [1, 2].map(slot => {
      const { record } = file.prepare('SELECT record FROM slots WHERE slot = ?').get([slot]) as {
        record: ArrayBuffer
      }
      return Buffer.from(new Uint8Array(record))
    }) as [Buffer, Buffer]
    const [first, second] = records.map(record => Buffer.from(record)) as [Buffer, Buffer]
    const changes = [exchanged(first, second), exchanged(second, first)]
    for (const [i, bytes] of changes.entries())
      file.prepare('UPDATE slots SET record = ? WHERE slot = ?').run([bytes, i + 1])
    file.exec('PRAGMA journal_mode = DELETE')
    file.close()
    expect((await verifyFiles(store, dataKey)).faults).toContainEqual(
      expect.stringContaining(`2 vectors of the gallery ${NAME} are damaged.`),
    )
    await letGo()
    const damage: string[] = []
    const shard = await opened(what => void damage.push(what))
    expect(damage[0]).toContain('2 vectors')
    expect(await served(shard)).toEqual(entries.filter(({ id }) => id > 1))
  })
})

/** A record with the vector of another record and a valid checksum. */
function exchanged(record: Buffer, other: Buffer) {
  const bytes = Buffer.concat([record.subarray(0, 24), other.subarray(24)])
  bytes.writeUInt32LE(crc32(bytes.subarray(4), gallerySeed(NAME)), 0)
  return bytes
}
