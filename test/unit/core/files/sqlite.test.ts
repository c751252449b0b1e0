/** Databases in files: a frozen file does not change while another process writes; and copies under another key. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import Libsql from 'libsql'
import { databaseKey } from '#core/encryption/encrypt.ts'
import { snapshotWithKey, withFrozenFile } from '#core/files/sqlite.ts'
import { foundIn } from '../backup/keys.ts'
import { letGo, temporaryFolder } from '../folder.ts'

const KEY = databaseKey(new Uint8Array(32).fill(1))
const OTHER_KEY = databaseKey(new Uint8Array(32).fill(2))

/** Adds rows and moves the journal into the file until it is killed. */
const WRITER = `
import Libsql from 'libsql'
const file = new Libsql(process.argv[1], { encryptionKey: process.argv[2] })
file.exec('PRAGMA busy_timeout = 5000; PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 4')
for (;;) {
  file.exec("BEGIN IMMEDIATE; INSERT INTO a VALUES (randomblob(3000)); INSERT INTO b VALUES (1); COMMIT")
  file.prepare('PRAGMA wal_checkpoint(PASSIVE)').get([])
  await new Promise(resolve => setTimeout(resolve, 5))
}`

let folder = ''
beforeEach(async () => {
  folder = await temporaryFolder()
})

const opened = (path: string, key: string) => new Libsql(path, { readonly: false, ...{ encryptionKey: key } })

const count = (file: Libsql.Database, table: string) =>
  (file.prepare(`SELECT count(*) AS rows FROM ${table}`).get([]) as { rows: number }).rows

describe('withFrozenFile', () => {
  it('gives a whole copy while another process writes', { tags: 'long' }, async () => {
    const path = join(folder, 'live.db')
    const made = opened(path, KEY)
    made.exec('PRAGMA journal_mode = WAL; CREATE TABLE a (x); CREATE TABLE b (x)')
    made.close()
    const writer = spawn(process.execPath, ['--input-type=module', '-e', WRITER, path, KEY], {
      cwd: import.meta.dirname,
    })
    try {
      const live = opened(path, KEY)
      await expect.poll(() => count(live, 'a'), { timeout: 20_000 }).toBeGreaterThan(0)
      live.close()
      for (const round of [1, 2]) {
        const copy = join(folder, `copy-${round}.db`)
        await withFrozenFile(path, KEY, async () => {
          await copyFile(path, copy)
          await sleep(200)
          const later = join(folder, `later-${round}.db`)
          await copyFile(path, later)
          const [first, second] = [opened(copy, KEY), opened(later, KEY)]
          expect(count(second, 'a')).toBe(count(first, 'a'))
          expect(first.prepare('PRAGMA integrity_check').all([])).toEqual([{ integrity_check: 'ok' }])
          expect(count(first, 'a')).toBe(count(first, 'b'))
          expect(count(first, 'a')).toBeGreaterThan(0)
          first.close()
          second.close()
        })
        const live = opened(path, KEY)
        expect(count(live, 'a')).toBeGreaterThan(count(opened(copy, KEY), 'a'))
        live.close()
      }
    } finally {
      writer.kill('SIGKILL')
      await once(writer, 'exit')
    }
  })

  it('refuses a missing database and does not create it', async () => {
    const path = join(folder, 'none.db')
    await expect(withFrozenFile(path, undefined, async () => {})).rejects.toThrow(`There is no ${path}.`)
    await expect(copyFile(path, join(folder, 'copy.db'))).rejects.toMatchObject({ code: 'ENOENT' })
  })
})

const SECRET = 'a secret that is looked for'

const at = (name: string) => join(folder, name)

const content = (path: string, key: string | undefined) => {
  const file = new Libsql(path, { readonly: true, ...(key && { encryptionKey: key }) })
  try {
    return (file.prepare('SELECT text FROM t').get([]) as { text: string }).text
  } finally {
    file.close()
  }
}

describe('snapshot of an encrypted database', () => {
  beforeEach(() => {
    const file = opened(at('made'), KEY)
    file.exec(`PRAGMA journal_mode = WAL; CREATE TABLE t (text TEXT); INSERT INTO t VALUES ('${SECRET}')`)
    expect(foundIn(folder, { SECRET: Buffer.from(SECRET) })).toEqual([])
    file.close()
  })

  it.each([
    { to: 'another key', key: OTHER_KEY },
    { to: 'no key', key: undefined },
  ])('snapshotWithKey writes a copy with $to, to a path with special characters', async ({ key }) => {
    const copy = at('50% off #1? é&key=x.db')
    snapshotWithKey(at('made'), copy, KEY, key)
    expect(content(copy, key)).toBe(SECRET)
    await letGo()
    snapshotWithKey(copy, at('back'), key, KEY)
    expect(content(at('back'), KEY)).toBe(SECRET)
    for (const wrong of [undefined, OTHER_KEY])
      expect(() => content(at('back'), wrong)).toThrow('not a database')
  })

  it('snapshotWithKey does not reveal its keys when the copy cannot be written', () => {
    expect(() => snapshotWithKey(at('made'), at('no/such/folder'), KEY, OTHER_KEY)).toThrow(
      /can't be written \(SQLITE_CANTOPEN\)\.$/,
    )
    try {
      snapshotWithKey(at('made'), at('no/such/folder'), KEY, OTHER_KEY)
    } catch (error) {
      for (const key of [KEY, OTHER_KEY])
        expect(`${(error as Error).stack} ${(error as Error).cause}`).not.toContain(key)
    }
  })
})
