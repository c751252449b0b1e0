/** Exclusive lock of the store's folder, released by the operating system when its process ends. */
import { join } from 'node:path'
import Libsql from 'libsql'

/** Name of the file with the lock. */
export const LOCK_FILE = 'lock.db'

/** Thrown when another store, in this or another process, holds the lock of the folder. */
export class VectorFileLocked extends Error {
  override readonly name = 'VectorFileLocked'

  constructor(options?: ErrorOptions) {
    super('Another process uses this data folder.', options)
  }
}

interface FolderLock {
  /** Releases the lock. The caller must not touch the folder afterwards. */
  release(): void
}

/**
 * Locks an existing folder. Throws VectorFileLocked when the folder is locked. The lock is an operating system lock on
 * the file LOCK_FILE, taken through SQLite. The file stays empty: it cannot be damaged and needs no cleanup after a
 * crash.
 */
export function lockFolder(folder: string): FolderLock {
  const file = new Libsql(join(folder, LOCK_FILE))
  try {
    // This transaction never writes and never ends.
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

/** Whether SQLite reports that another connection holds the lock. */
const isBusy = (error: unknown) => error instanceof Libsql.SqliteError && error.code.startsWith('SQLITE_BUSY')
