/** The durable truth of the exact store: one libSQL file of (gallery, id, vector) rows, held by one process. */
import Libsql from 'libsql'
import type { VectorEntry, VectorKey } from './store.ts'

/** Thrown by openVectorFile when another process holds the file. */
export class VectorFileLocked extends Error {
  override readonly name = 'VectorFileLocked'

  constructor(options?: ErrorOptions) {
    super('Another process uses this data folder.', options)
  }
}

/** Bytes of a page: thirty vectors of 128 float32, or seven of 512. */
const PAGE_BYTES = 16_384

/** Exclusive comes before WAL: then the lock is held from the first read on, and no shared memory is needed. */
const PRAGMAS = `
  PRAGMA page_size = ${PAGE_BYTES};
  PRAGMA locking_mode = EXCLUSIVE;
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = FULL;
  PRAGMA secure_delete = ON;
`

/**
 * Folds the journal into the file and gives the lock back. Closing alone does so only once the prepared statements
 * have been garbage-collected.
 */
const RELEASE = `
  PRAGMA journal_mode = DELETE;
  PRAGMA locking_mode = NORMAL;
  SELECT count(*) FROM sqlite_schema;
`

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS vectors (
    gallery TEXT NOT NULL,
    id INTEGER NOT NULL,
    vector BLOB NOT NULL,
    PRIMARY KEY (gallery, id)
  ) WITHOUT ROWID;
`

/** The rows of the file. All calls block, and what they wrote is on the disk when they return. */
export interface VectorFile {
  /** All of them in one transaction. */
  insert(entries: readonly VectorEntry[]): void
  /** All of them in one transaction; no byte of the removed vectors stays in the file or its journal. */
  remove(keys: readonly VectorKey[]): void
  /** The vector under this key, or undefined. */
  vector(key: VectorKey): Float32Array | undefined
  /** Every row, gallery by gallery. */
  rows(): Iterable<VectorEntry>
  close(): void
}

/** Opens the file or makes it. Throws VectorFileLocked while another process has it open. */
export function openVectorFile(path: string): VectorFile {
  const file = new Libsql(path)
  try {
    file.exec(PRAGMAS)
    file.exec(SCHEMA)
    // A first write takes the lock even when there was nothing to create.
    file.exec('BEGIN IMMEDIATE; COMMIT;')
  } catch (error) {
    file.close()
    if (error instanceof Libsql.SqliteError && error.code.startsWith('SQLITE_BUSY')) {
      throw new VectorFileLocked({ cause: error })
    }
    throw error
  }
  return rowsOf(file)
}

function rowsOf(file: Libsql.Database): VectorFile {
  const insert = file.prepare('INSERT INTO vectors (gallery, id, vector) VALUES (?, ?, ?)')
  const remove = file.prepare('DELETE FROM vectors WHERE gallery = ? AND id = ?')
  const select = file.prepare('SELECT vector FROM vectors WHERE gallery = ? AND id = ?')

  return {
    insert: file.transaction((entries: readonly VectorEntry[]) => {
      for (const { gallery, id, vector } of entries) insert.run([gallery, id, bytesOf(vector)])
    }).immediate,

    remove(keys) {
      file
        .transaction(() => {
          for (const { gallery, id } of keys) remove.run([gallery, id])
        })
        .immediate()
      // The pages are wiped by secure_delete; the journal would still hold what they were.
      file.exec('PRAGMA wal_checkpoint(TRUNCATE)')
    },

    vector({ gallery, id }) {
      const row = select.get([gallery, id]) as Pick<StoredRow, 'vector'> | undefined
      return row && vectorOf(row.vector)
    },

    *rows() {
      const rows = file.prepare('SELECT gallery, id, vector FROM vectors').iterate() as Iterable<StoredRow>
      for (const { gallery, id, vector } of rows) yield { gallery, id, vector: vectorOf(vector) }
    },

    close() {
      file.exec(RELEASE)
      file.close()
    },
  }
}

interface StoredRow {
  gallery: string
  id: number
  vector: ArrayBuffer | Uint8Array
}

/** A single row comes as a view of shared memory, which must be copied, and rows in turn as memory of their own. */
const vectorOf = (bytes: ArrayBuffer | Uint8Array): Float32Array =>
  new Float32Array(new Uint8Array(bytes).buffer)

const bytesOf = (vector: Float32Array): Buffer =>
  Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength)
