/** Frozen databases: their file does not change while another process writes and moves its journal. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import Libsql from 'libsql'
import { withFrozenFile } from '#core/files/sqlite.ts'
import { temporaryFolder } from '../folder.ts'

const KEY = 'a-key-of-32-characters-for-tests'

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

const count = (file: Libsql.Database, table: string): number =>
  (file.prepare(`SELECT count(*) AS rows FROM ${table}`).get([]) as { rows: number }).rows

describe('withFrozenFile', () => {
  it('gives a whole copy while another process writes', { tags: 'long' }, async () => {
    const key = KEY
    const path = join(folder, 'live.db')
    const made = opened(path, key)
    made.exec('PRAGMA journal_mode = WAL; CREATE TABLE a (x); CREATE TABLE b (x)')
    made.close()
    const writer = spawn(process.execPath, ['--input-type=module', '-e', WRITER, path, key], {
      cwd: import.meta.dirname,
    })
    try {
      const live = opened(path, key)
      await expect.poll(() => count(live, 'a'), { timeout: 20_000 }).toBeGreaterThan(0)
      live.close()
      for (const round of [1, 2]) {
        const copy = join(folder, `copy-${round}.db`)
        await withFrozenFile(path, key, async () => {
          await copyFile(path, copy)
          await sleep(200)
          const later = join(folder, `later-${round}.db`)
          await copyFile(path, later)
          const [first, second] = [opened(copy, key), opened(later, key)]
          expect(count(second, 'a')).toBe(count(first, 'a'))
          expect(first.prepare('PRAGMA integrity_check').all([])).toEqual([{ integrity_check: 'ok' }])
          expect(count(first, 'a')).toBe(count(first, 'b'))
          expect(count(first, 'a')).toBeGreaterThan(0)
          first.close()
          second.close()
        })
        const live = opened(path, key)
        expect(count(live, 'a')).toBeGreaterThan(count(opened(copy, key), 'a'))
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
