/** Encrypted databases: opening, copies, and changes of the key. */

import { join } from 'node:path'
import Libsql from 'libsql'
import { databaseKey } from '#core/encryption/encrypt.ts'
import { rekeyed } from '#core/files/sqlite.ts'
import { foundIn } from '../backup/keys.ts'
import { temporaryFolder } from '../folder.ts'
import { letGo } from '../let-go.ts'

const KEY = databaseKey(Uint8Array.from({ length: 32 }, (_, i) => i))
const OTHER_KEY = databaseKey(Uint8Array.from({ length: 32 }, (_, i) => i + 1))

const SECRET = 'a secret that is looked for'

let folder = ''
const at = (name: string): string => join(folder, name)

beforeEach(async () => {
  folder = await temporaryFolder()
  const file = new Libsql(at('made'), { readonly: false, ...{ encryptionKey: KEY } })
  file.exec(`PRAGMA journal_mode = WAL; CREATE TABLE t (text TEXT); INSERT INTO t VALUES ('${SECRET}')`)
  expect(foundIn(folder, { SECRET: Buffer.from(SECRET) })).toEqual([])
  file.close()
})

const content = (path: string, key: string | undefined) => {
  const file = new Libsql(path, { readonly: true, ...(key && { encryptionKey: key }) })
  try {
    return (file.prepare('SELECT text FROM t').get([]) as { text: string }).text
  } finally {
    file.close()
  }
}

describe('snapshot of an encrypted database', () => {
  it.each([
    { to: 'another key', key: OTHER_KEY },
    { to: 'no key', key: undefined },
  ])('rekeyed writes a copy with $to, to a path with special characters', async ({ key }) => {
    const copy = at('50% off #1? é&key=x.db')
    rekeyed(at('made'), copy, KEY, key)
    expect(content(copy, key)).toBe(SECRET)
    await letGo()
    rekeyed(copy, at('back'), key, KEY)
    expect(content(at('back'), KEY)).toBe(SECRET)
    for (const wrong of [undefined, OTHER_KEY])
      expect(() => content(at('back'), wrong)).toThrow('not a database')
  })

  it('rekeyed does not reveal its keys when the copy cannot be written', () => {
    expect(() => rekeyed(at('made'), at('no/such/folder'), KEY, OTHER_KEY)).toThrow(
      /can't be written \(SQLITE_CANTOPEN\)\.$/,
    )
    try {
      rekeyed(at('made'), at('no/such/folder'), KEY, OTHER_KEY)
    } catch (error) {
      for (const key of [KEY, OTHER_KEY])
        expect(`${(error as Error).stack} ${(error as Error).cause}`).not.toContain(key)
    }
  })
})
