/** Consistent copies and integrity checks of SQLite databases, also while other processes write to them. */
import { existsSync } from 'node:fs'
import Libsql from 'libsql'

/** Longest wait for the write of another process, in milliseconds. */
const BUSY_MS = 5_000

/**
 * Copies a database to a path that does not exist, also while another process writes to it. With a libSQL key, database and
 * copy are encrypted. The copy is not synced. Blocks the thread. Throws when the database is damaged or missing.
 */
export function snapshot(database: string, copy: string, key?: string): void {
  withDatabase(database, key, source => source.prepare('VACUUM INTO ?').run([copy]))
}

/** Like `snapshot`, but the copy has another key, or none. */
export function rekeyed(
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

/** Whether a database can be read with this key; undefined: without a key. */
export function opensWith(database: string, key: string | undefined): boolean {
  try {
    withDatabase(database, key, source => source.prepare('SELECT count(*) FROM sqlite_schema').get([]))
    return true
  } catch (error) {
    if (error instanceof Libsql.SqliteError && error.code === 'SQLITE_NOTADB') return false
    throw error
  }
}

/**
 * Merges the journal of a database into its file, and blocks writers while `work` runs. Throws the SQLite error when another
 * process keeps the database locked.
 */
export async function withWritersBlocked(
  database: string,
  key: string | undefined,
  work: () => Promise<void>,
): Promise<void> {
  const file = new Libsql(database, { readonly: false, ...(key !== undefined && { encryptionKey: key }) })
  try {
    file.exec(`PRAGMA busy_timeout = ${BUSY_MS}; PRAGMA journal_mode = DELETE; BEGIN IMMEDIATE;`)
    await work()
  } finally {
    closeReader(file)
  }
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
  const database = new Libsql(path, { readonly: true, ...(key !== undefined && { encryptionKey: key }) })
  try {
    // A temporary file would be unencrypted and outside of the data folder.
    if (key !== undefined) database.exec('PRAGMA temp_store = MEMORY')
    return read(database)
  } finally {
    database.close()
  }
}
