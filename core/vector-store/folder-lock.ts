/** The lock of the store's folder: one process works in it, and its death, however sudden, gives it free. */
import { join } from 'node:path'
import Libsql from 'libsql'

/** Thrown when another process, or this one, works in the folder already. */
export class VectorFileLocked extends Error {
  override readonly name = 'VectorFileLocked'

  constructor(options?: ErrorOptions) {
    super('Another process uses this data folder.', options)
  }
}

export interface FolderLock {
  /** Gives the folder free; nothing in it may be touched afterwards. */
  release(): void
}

/**
 * Takes the folder, which exists. Throws VectorFileLocked when it is taken. The lock is one of the operating system on
 * the file `lock.db`, which stays empty: there is nothing in it to be damaged, and nothing to clean up after a crash.
 */
export function lockFolder(folder: string): FolderLock {
  const file = new Libsql(join(folder, 'lock.db'))
  try {
    // A transaction that never writes and never ends.
    file.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE;')
  } catch (error) {
    file.close()
    throw isBusy(error) ? new VectorFileLocked({ cause: error }) : error
  }
  return {
    release() {
      file.exec('ROLLBACK')
      file.close()
    },
  }
}

/** Whether SQLite says that another connection has what was asked for. */
export const isBusy = (error: unknown): boolean =>
  error instanceof Libsql.SqliteError && error.code.startsWith('SQLITE_BUSY')
