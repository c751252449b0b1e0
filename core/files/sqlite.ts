/** SQLite databases as files: consistent copies, freezing and integrity checks, also while other processes write. */

import { existsSync } from 'node:fs'
import Libsql from 'libsql'
import { retry } from '../../contract/environment.ts'
import { databaseDescriptor } from './inspect.ts'

/**
 * Copies a database to a path that does not exist, also while another process writes to it. With a libSQL key, database and
 * copy are encrypted. The copy is not synced. Blocks the thread. Throws when the database is damaged or missing.
 */
export function snapshot(database: string, copy: string, key?: string): void {
  withDatabase(database, key, source => source.prepare('VACUUM INTO ?').run([copy]))
}

/** Like `snapshot`, but the copy has another key, or none. */
export function snapshotWithKey(
  database: string,
  copy: string,
  key: string | undefined,
  copyKey: string | undefined,
): void {
  const parameters = copyKey === undefined ? 'key=' : `cipher=aes256cbc&key=${copyKey}`
  const uri = `file:${encodeURIComponent(copy)}?${parameters}`
  withDatabase(database, key, source => {
    try {
      source.prepare('VACUUM INTO ?').run([uri])
    } catch (error) {
      // The message of SQLite contains the URI and therefore the key.
      const code = error instanceof Libsql.SqliteError ? error.code : 'unknown'
      throw Object.assign(new Error(`${copy} can't be written (${code}).`), { code })
    }
  })
}

/**
 * Ends the transaction of a connection that has written nothing, and closes it. Statements live until garbage collection, and
 * would keep the transaction and its lock beyond `close`.
 */
export function closeReader(file: Libsql.Database): void {
  try {
    if (file.inTransaction) file.exec('ROLLBACK')
  } finally {
    file.close()
  }
}

/** Runs the integrity check of SQLite. Returns its findings; empty for an intact database. Blocks the thread. */
export function faultsOf(database: string, key?: string): string[] {
  try {
    const rows = withDatabase(database, key, source => source.prepare('PRAGMA integrity_check(20)').all([]))
    return (rows as { integrity_check: string }[])
      .map(row => row.integrity_check)
      .filter(text => text !== 'ok')
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)]
  }
}

function withDatabase<Result>(
  path: string,
  key: string | undefined,
  read: (database: Libsql.Database) => Result,
): Result {
  // The library creates a missing database even in read-only mode.
  if (!existsSync(path)) throw new Error(`There is no ${path}.`)
  const database = openFile(path, key, true)
  try {
    // A temporary file would be unencrypted and outside of the data folder.
    if (key !== undefined) database.exec('PRAGMA temp_store = MEMORY')
    return read(database)
  } finally {
    database.close()
  }
}

const openFile = (path: string, key: string | undefined, readonly = false) =>
  new Libsql(path, { readonly, ...(key !== undefined && { encryptionKey: key }) })

/** Longest wait of a statement for another process, in milliseconds. */
const FROZEN_BUSY_MS = 1_000

/** Attempts, and the pause between them in milliseconds: a process may be reading an older state of the journal. */
const JOURNAL_ATTEMPTS = 100
const JOURNAL_PAUSE_MS = 50

/** Attempts while writers are blocked, and the pause between them in milliseconds. */
const BLOCKED_ATTEMPTS = 40
const BLOCKED_PAUSE_MS = 5

interface Checkpoint {
  busy: number
  /** Pages in the journal, and how many of these are in the file. */
  log: number
  checkpointed: number
}

/**
 * Runs `work` while the file is a whole, consistent database by itself. `work` gets a descriptor of the file, and does not close it.
 * Writers continue in the journal, which grows until `work` ends.
 * `key` is the libSQL key of an encrypted database. Throws when the database is missing, or is never at rest for some minutes.
 *
 * A reader that starts when the whole journal is in the file reads only the file. SQLite then lets no process move the
 * journal into the file: https://sqlite.org/walformat.html, "WAL_READ_LOCK(0)".
 */
export async function withFrozenFile<Result>(
  path: string,
  key: string | undefined,
  work: (file: number) => Promise<Result>,
): Promise<Result> {
  // The library creates a missing database.
  if (!existsSync(path)) throw new Error(`There is no ${path}.`)
  const [reader, blocker] = [connect(path, key), connect(path, key)]
  try {
    reader.exec('PRAGMA journal_mode = WAL')
    const isFrozen = await retry(() => freeze(reader, blocker), {
      isDone: Boolean,
      attempts: JOURNAL_ATTEMPTS,
      delayMs: JOURNAL_PAUSE_MS,
    })
    if (!isFrozen) throw new Error(`${path} is read by other processes all the time. Try again later.`)
    return await work(databaseDescriptor(path))
  } finally {
    closeReader(reader)
    blocker.close()
  }
}

function connect(path: string, key: string | undefined): Libsql.Database {
  const file = openFile(path, key)
  file.exec(`PRAGMA busy_timeout = ${FROZEN_BUSY_MS}`)
  return file
}

/** Starts a read of the file alone. Returns false when the journal holds pages that are not in the file yet. */
async function freeze(reader: Libsql.Database, blocker: Libsql.Database) {
  // The first checkpoint writes most pages, without blocking writers. The second one writes the rest.
  checkpoint(reader)
  if (!begins(blocker)) return false
  try {
    if (!(await isInFile(reader))) return false
    reader.exec('BEGIN')
    reader.prepare('SELECT count(*) FROM sqlite_schema').get([])
    return true
  } finally {
    blocker.exec('ROLLBACK')
  }
}

/** Writes the rest of the journal to the file. Waits for a checkpoint of another process, which syncs the disk. */
async function isInFile(reader: Libsql.Database) {
  const { busy, log, checkpointed } = await retry(() => checkpoint(reader), {
    isDone: ({ busy }) => busy === 0,
    attempts: BLOCKED_ATTEMPTS,
    delayMs: BLOCKED_PAUSE_MS,
  })
  return busy === 0 && log === checkpointed
}

/** Starts a write, which keeps other writers out. Returns false when they leave no gap. */
function begins(blocker: Libsql.Database) {
  try {
    blocker.exec('BEGIN IMMEDIATE')
    return true
  } catch (error) {
    if (error instanceof Libsql.SqliteError && error.code.startsWith('SQLITE_BUSY')) return false
    throw error
  }
}

const checkpoint = (file: Libsql.Database) =>
  file.prepare('PRAGMA wal_checkpoint(PASSIVE)').get([]) as Checkpoint
