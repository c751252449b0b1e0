/** A data folder of a later version, or of 0.1: core and commands refuse it, name the file, and change nothing. */
import { hash } from 'node:crypto'
import { cp, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Libsql from 'libsql'
import { openSecrets } from '#core/configuration/secrets.ts'
import { embedderLabel } from '#core/embedding/label.ts'
import { openStores } from '#core/stores.ts'
import { localLayout } from '#core/vector-store/sharding/layout.ts'
import { STANDARD_PACK } from '#models/packs.ts'
import { runMien } from '#test/support/typed.ts'
import { startCore } from '../../unit/core/core-process.ts'
import { temporaryFolder } from '../../unit/core/folder.ts'

const LATER = 'was written by a later version of Mien. Install that version again, or restore a backup'

/** `VERSION_MARK` of core/vector-store/rows/row-schema.ts, and the next version. */
const ROWS_2 = 0x4d690002

const RECORDS = ['installation.json', 'secrets.json', 'pack.json', 'vectors/layout.json']

/** A data folder of this version, with three shards. */
let served: string
beforeAll(async () => {
  served = await mkdtemp(join(tmpdir(), 'mien-served-'))
  await openSecrets(served)
  const settings = { embedder: embedderLabel(STANDARD_PACK), shards: localLayout(3) }
  await (await openStores(served, settings)).close()
  execute(join(served, 'metadata.db'), 'PRAGMA wal_checkpoint(TRUNCATE)')
})
afterAll(() => rm(served, { recursive: true, force: true }))

async function copied() {
  const data = await temporaryFolder()
  // The journal is empty. It disappears when a garbage collection closes the last connection.
  await cp(served, data, { recursive: true, filter: path => !/-(shm|wal)$/.test(path) })
  return data
}

/** Digests and modes of all files, except for SQLite's shared memory and empty journals, which have no data. */
async function contentOf(data: string): Promise<Record<string, string>> {
  const files: Record<string, string> = {}
  for (const entry of await readdir(data, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    if (!entry.isFile() || path.endsWith('-shm')) continue
    const { mode, size } = await stat(path)
    if (path.endsWith('-wal') && size === 0) continue
    const digest = hash('sha256', await readFile(path))
    files[path] = `${digest} ${(mode & 0o777).toString(8)}`
  }
  return files
}

/** Starts core, which refuses. Its message. */
async function refusalOf(data: string): Promise<string> {
  const core = startCore(data)
  const { message } = await core.port.then(
    () => new Error('core is ready'),
    (error: Error) => error,
  )
  expect(await core.exit).toEqual([1, null])
  return message
}

/** Raises the version of a record; writes one when there is none. */
async function raiseVersion(path: string) {
  const record = JSON.parse(await readFile(path, 'utf8').catch(() => '{}'))
  await writeFile(path, JSON.stringify({ ...record, version: 99 }))
}

function execute(path: string, statements: string) {
  const file = new Libsql(path)
  file.exec(statements)
  file.close()
}

/** Leaves the migrations of version 0.1. */
const FIRST_MIGRATIONS = `
  DELETE FROM __drizzle_migrations WHERE created_at > 1795174718668; PRAGMA wal_checkpoint(TRUNCATE);`

const LATER_MIGRATION = `
  INSERT INTO __drizzle_migrations (hash, created_at) VALUES ('later', 9000000000000);
  PRAGMA wal_checkpoint(TRUNCATE);`

describe('core', { tags: 'long' }, () => {
  it.each(RECORDS)('refuses %s of a later version, and changes nothing', async name => {
    const data = await copied()
    await raiseVersion(join(data, name))
    const before = await contentOf(data)
    expect(await refusalOf(data)).toContain(`${join(data, name)} ${LATER}`)
    expect(await contentOf(data)).toEqual(before)
  })

  it('refuses metadata with a migration of a later version, and changes nothing', async () => {
    const data = await copied()
    execute(join(data, 'metadata.db'), LATER_MIGRATION)
    const before = await contentOf(data)
    expect(await refusalOf(data)).toContain(`${join(data, 'metadata.db')} ${LATER}`)
    expect(await contentOf(data)).toEqual(before)
  })

  it('refuses metadata of version 0.1, and changes nothing', async () => {
    const data = await copied()
    execute(join(data, 'metadata.db'), FIRST_MIGRATIONS)
    const before = await contentOf(data)
    expect(await refusalOf(data)).toContain('is of version 0.1 of Mien: start version 0.2 with it first.')
    expect(await contentOf(data)).toEqual(before)
  })

  it('refuses rows of a later version in one of several shards, and changes nothing', async () => {
    const data = await copied()
    const rows = join(data, 'vectors', 'shard-2', 'rows.db')
    execute(rows, `PRAGMA application_id = ${ROWS_2}; ALTER TABLE slots ADD COLUMN more`)
    const before = await contentOf(data)
    expect(await refusalOf(data)).toContain(`${rows} ${LATER}`)
    expect(await contentOf(data)).toEqual(before)
  })

  it('refuses rows whose version is only in the journal of a crash, and sets nothing aside', async () => {
    const data = await copied()
    const folder = join(data, 'vectors', 'shard-0')
    const crashed = new Libsql(join(folder, 'rows.db'))
    crashed.exec(`PRAGMA journal_mode = WAL; PRAGMA application_id = ${ROWS_2}`)
    crashed.exec('ALTER TABLE slots ADD COLUMN more')
    const copy = await temporaryFolder()
    await cp(data, copy, { recursive: true })
    crashed.close()
    const names = await readdir(join(copy, 'vectors', 'shard-0'))
    expect(names).toContain('rows.db-wal')
    expect(await refusalOf(copy)).toContain(`${join(copy, 'vectors', 'shard-0', 'rows.db')} ${LATER}`)
    expect(await readdir(join(copy, 'vectors', 'shard-0'))).not.toContain('rows.db.damaged')
  })
})

it.each([
  ['store', 'repair', '--yes'],
  ['token', 'create', '--owner', 'ann'],
])('mien %s %s refuses a data folder of a later version, and changes nothing', async (...args) => {
  const data = await copied()
  await raiseVersion(join(data, 'vectors', 'layout.json'))
  execute(join(data, 'metadata.db'), LATER_MIGRATION)
  const before = await contentOf(data)
  const { status, stderr } = runMien([...args, '--data', data])
  expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringContaining(LATER) })
  expect(await contentOf(data)).toEqual(before)
})
