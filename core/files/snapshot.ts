/** Copies of databases that are being written to: as they were at one instant, and checked. */
import { existsSync } from 'node:fs'
import Libsql from 'libsql'

/** How long another process may take to finish a write, milliseconds. */
const BUSY_MS = 5_000

/**
 * Writes a copy of a database, also while another process works in it, to a path where nothing is. It is not yet synced.
 * With a key, which is libSQL's, database and copy are encrypted. Blocks until it is done. Throws when the database is
 * damaged or gone.
 */
export function snapshot(database: string, copy: string, key?: string): void {
  reading(database, key, source => source.prepare('VACUUM INTO ?').run([copy]))
}

/** The same, and the copy has another key, or none. */
export function rekeyed(
  database: string,
  copy: string,
  key: string | undefined,
  copyKey: string | undefined,
): void {
  const parameters = copyKey === undefined ? 'key=' : `cipher=aes256cbc&key=${copyKey}`
  const uri = `file:${encodeURIComponent(copy)}?${parameters}`
  reading(database, key, source => {
    try {
      source.prepare('VACUUM INTO ?').run([uri])
    } catch (error) {
      // What SQLite says of a file that it can't write names it, with the key.
      const code = error instanceof Libsql.SqliteError ? error.code : 'unknown'
      throw Object.assign(new Error(`${copy} can't be written (${code}).`), { code })
    }
  })
}

/** Whether a database can be read with this key, or without one. */
export function opensWith(database: string, key: string | undefined): boolean {
  try {
    reading(database, key, source => source.prepare('SELECT count(*) FROM sqlite_schema').get([]))
    return true
  } catch (error) {
    if (error instanceof Libsql.SqliteError && error.code === 'SQLITE_NOTADB') return false
    throw error
  }
}

/**
 * Folds the journal of a database into its file, and keeps everybody from writing while `work` runs. Throws what SQLite
 * throws when another process does not let go of it.
 */
export async function whileNobodyWrites(
  database: string,
  key: string | undefined,
  work: () => Promise<void>,
): Promise<void> {
  const file = new Libsql(database, { readonly: false, ...(key !== undefined && { encryptionKey: key }) })
  try {
    file.exec(`PRAGMA busy_timeout = ${BUSY_MS}; PRAGMA journal_mode = DELETE; BEGIN IMMEDIATE;`)
    await work()
    file.exec('ROLLBACK')
  } finally {
    file.close()
  }
}

/** What SQLite's own check finds wrong with a database: nothing when it is whole. Blocks. */
export function faultsOf(database: string, key?: string): string[] {
  try {
    const rows = reading(database, key, source => source.prepare('PRAGMA integrity_check(20)').all([]))
    return (rows as { integrity_check: string }[])
      .map(row => row.integrity_check)
      .filter(text => text !== 'ok')
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)]
  }
}

function reading<Result>(
  path: string,
  key: string | undefined,
  read: (database: Libsql.Database) => Result,
): Result {
  // The library makes a database where none is, even when it is told not to.
  if (!existsSync(path)) throw new Error(`There is no ${path}.`)
  const database = new Libsql(path, { readonly: true, ...(key !== undefined && { encryptionKey: key }) })
  try {
    // A temporary file would lie outside of the folder, and in the clear.
    if (key !== undefined) database.exec('PRAGMA temp_store = MEMORY')
    return read(database)
  } finally {
    database.close()
  }
}
