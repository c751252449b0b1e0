/** The tables of a shard's file, and how a connection to it is set up. */
import { closeSync, openSync, readSync } from 'node:fs'
import Libsql from 'libsql'

/** The header of SQLite's files, and where `user_version` lies in it: https://sqlite.org/fileformat2.html#database_header. */
const HEADER_BYTES = 100
const USER_VERSION = 60

/** Bytes of a page: thirty vectors of 128 float32, or seven of 512. */
const PAGE_BYTES = 16_384

/** How long opening waits for another process that is looking at the file, milliseconds. */
const OPENING_MS = 5_000

/** Pages that a connection remembers: all that lie above the leaves of millions of rows. */
const CACHE_KIB = 4_096

/** Not exclusive: `npm run store` reads beside the service. The folder's lock keeps writers apart. */
const PRAGMAS = `
  PRAGMA busy_timeout = ${OPENING_MS};
  PRAGMA page_size = ${PAGE_BYTES};
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = FULL;
  PRAGMA secure_delete = ON;
  PRAGMA cache_size = -${CACHE_KIB};
`

/**
 * A row is never moved and never deleted: `slots` grows at its end, a removed row is overwritten in its place, and the
 * place is used again. SQLite's secure_delete would not do: when it balances a tree, copies of rows stay behind in the
 * unused part of pages. `places` says where a row is; it can be made anew out of the rows.
 *
 * `count` and `sum` are those of a gallery's rows and of their checks; `crc` is the check of the other columns. An index
 * has all rows of its gallery whose serial is below its own, unless they came in too late; `crc` is that of its file.
 */
const TABLES = {
  galleries: `CREATE TABLE galleries (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL UNIQUE,
    dimension INTEGER NOT NULL,
    count INTEGER NOT NULL,
    sum INTEGER NOT NULL,
    crc INTEGER NOT NULL
  )`,
  slots: `CREATE TABLE slots (
    slot INTEGER PRIMARY KEY,
    record BLOB NOT NULL
  )`,
  places: `CREATE TABLE places (
    gallery INTEGER NOT NULL,
    id INTEGER NOT NULL,
    slot INTEGER NOT NULL,
    PRIMARY KEY (gallery, id)
  ) WITHOUT ROWID`,
  indexes: `CREATE TABLE indexes (
    gallery INTEGER PRIMARY KEY,
    serial INTEGER NOT NULL,
    crc INTEGER NOT NULL
  )`,
}

/** The file can't be read as what it was written as. Its `code` is one that SQLite has for this. */
export class RowsDamaged extends Error {
  override readonly name = 'RowsDamaged'
  readonly code = 'SQLITE_CORRUPT'
  readonly path: string

  constructor(path: string, options?: ErrorOptions) {
    super(`${path} is damaged.`, options)
    this.path = path
  }
}

/**
 * A connection to the file, which is made when there is none. It carries the mark of its form (row-form.ts). Throws
 * RowsDamaged when it is something else, or has another mark.
 */
export function connect(path: string, mark: number): Libsql.Database {
  const file = new Libsql(path)
  try {
    file.exec(PRAGMAS)
    if (!hasTables(file, mark) || markIn(file) !== mark) throw new RowsDamaged(path)
    file.exec('PRAGMA busy_timeout = 0')
    return file
  } catch (error) {
    file.close()
    throw isDamage(error) ? new RowsDamaged(path, { cause: error }) : error
  }
}

/**
 * The mark of a file that nobody has open, whose journal is folded into it; undefined where nothing was written to it yet.
 * Throws RowsDamaged. Without a statement, which would live on and hold the file until it is garbage-collected.
 */
export function markAtRest(path: string): number | undefined {
  const file = new Libsql(path)
  try {
    file.exec(`PRAGMA busy_timeout = ${OPENING_MS}; PRAGMA journal_mode = DELETE;`)
  } catch (error) {
    throw isDamage(error) ? new RowsDamaged(path, { cause: error }) : error
  } finally {
    file.close()
  }
  const header = headerOf(path)
  return header.length === HEADER_BYTES ? header.readInt32BE(USER_VERSION) : undefined
}

function headerOf(path: string): Buffer {
  const header = Buffer.alloc(HEADER_BYTES)
  const file = openSync(path, 'r')
  try {
    return header.subarray(0, readSync(file, header, 0, HEADER_BYTES, 0))
  } finally {
    closeSync(file)
  }
}

/** A connection that sees a file that is there as it is now, and can't change it. */
export function connectToLook(path: string): Libsql.Database {
  const file = new Libsql(path, { readonly: true })
  file.exec('BEGIN')
  return file
}

/** Takes nothing for granted of a file that is there: a changed byte may have changed what a table is. */
function hasTables(file: Libsql.Database, mark: number): boolean {
  const found = tablesOf(file)
  const { page_count: pages } = file.prepare('PRAGMA page_count').get([]) as { page_count: number }
  if (found.length === 0 && pages <= 1) {
    file.exec(`BEGIN IMMEDIATE; PRAGMA user_version = ${mark}; ${Object.values(TABLES).join(';')}; COMMIT;`)
    return true
  }
  // Finds out at once whether the file can be written to.
  file.exec('BEGIN IMMEDIATE; COMMIT;')
  return (
    found.length === Object.keys(TABLES).length &&
    found.every(({ name, sql }) => TABLES[name as keyof typeof TABLES] === sql)
  )
}

/** The mark of the form that the file is in (row-form.ts). */
const markIn = (file: Libsql.Database): number =>
  (file.prepare('PRAGMA user_version').get([]) as { user_version: number }).user_version

/** As bytes: libsql ends the process when a text is not UTF-8. */
function tablesOf(file: Libsql.Database): { name: string; sql: string }[] {
  const query = `SELECT CAST(name AS BLOB) AS name, CAST(sql AS BLOB) AS sql
    FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'`
  const found = file.prepare(query).all([]) as Record<'name' | 'sql', ArrayBuffer | null>[]
  const text = (bytes: ArrayBuffer | null) => Buffer.from(bytes ?? new ArrayBuffer(0)).toString('latin1')
  return found.map(({ name, sql }) => ({ name: text(name), sql: text(sql) }))
}

/** Whether SQLite says that bytes are not what they should be. */
export const isDamage = (error: unknown): boolean =>
  error instanceof RowsDamaged ||
  (error instanceof Libsql.SqliteError && /^SQLITE_(CORRUPT|NOTADB|SCHEMA|FORMAT)/.test(error.code))
