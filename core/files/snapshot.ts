/** Copies of databases that are being written to: as they were at one instant, and checked. */
import { existsSync } from 'node:fs'
import Libsql from 'libsql'

/**
 * Writes a copy of a database, also while another process works in it, to a path where nothing is. It is not yet synced.
 * Blocks until it is done. Throws when the database is damaged or gone.
 */
export function snapshot(database: string, copy: string): void {
  reading(database, source => source.prepare('VACUUM INTO ?').run([copy]))
}

/** What SQLite's own check finds wrong with a database: nothing when it is whole. Blocks. */
export function faultsOf(database: string): string[] {
  try {
    const rows = reading(database, source => source.prepare('PRAGMA integrity_check(20)').all([]))
    return (rows as { integrity_check: string }[])
      .map(row => row.integrity_check)
      .filter(text => text !== 'ok')
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)]
  }
}

function reading<Result>(path: string, read: (database: Libsql.Database) => Result): Result {
  // The library makes a database where none is, even when it is told not to.
  if (!existsSync(path)) throw new Error(`There is no ${path}.`)
  const database = new Libsql(path, { readonly: true })
  try {
    return read(database)
  } finally {
    database.close()
  }
}
