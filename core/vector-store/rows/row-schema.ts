/** Tables of a shard's file, and the setup of connections to it. */
import { closeSync, existsSync, openSync, readSync } from 'node:fs'
import Libsql from 'libsql'
import { laterVersion } from '../../../contract/later-version.ts'
import { LayoutRefused } from '../vector-store.ts'

/**
 * Bytes of the header of an SQLite file, and the offset of `application_id` in it:
 * https://sqlite.org/fileformat2.html#database_header.
 */
const HEADER_BYTES = 100
const APPLICATION_ID = 68

/**
 * Version of TABLES, of the records in them and of their meaning. A file of version 1 has the `application_id` 0, a file
 * of a later version VERSION_MARK plus its version. No damage of one byte makes version 1 look like a later one.
 */
const VERSION = 1
const VERSION_MARK = 0x4d690000

/** Bytes of a page: 30 vectors of 128 float32 values, or 7 of 512. */
const PAGE_BYTES = 16_384

/** Time in milliseconds that opening waits for another process that reads the file. */
const OPENING_MS = 5_000

/** Page cache of a connection: all pages above the leaves for millions of rows. */
const CACHE_KIB = 4_096

/** Not exclusive: `mien store` reads beside the service. The folder's lock keeps other writers out. */
const PRAGMAS = `
  PRAGMA page_size = ${PAGE_BYTES};
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = FULL;
  PRAGMA secure_delete = ON;
  PRAGMA cache_size = -${CACHE_KIB};
`

/**
 * Rows are never moved or deleted: `slots` grows at its end, a removed row is overwritten in place, and its slot is
 * reused. SQLite's secure_delete is not sufficient: balancing a tree leaves copies of rows in the unused part of pages.
 * `places` maps ids to slots, and can be rebuilt from the rows.
 *
 * `count` is the number of a gallery's rows, and `sum` the sum of their checksums; `crc` is the checksum of the other
 * columns. An index has all rows of its gallery with a lower serial, except rows that were added too late; its `crc` is
 * the checksum of its file.
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

/** The file cannot be read as a rows file. `code` is an SQLite error code. */
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
 * Throws LayoutRefused when a later version of the service wrote this file. Reads the header on the disk only: the file
 * stays unchanged, and a journal beside it is ignored. Does nothing when there is no file.
 */
export function requireKnownRows(path: string): void {
  if (!existsSync(path)) return
  const header = headerOf(path)
  if (header.length === HEADER_BYTES) requireKnownVersion(path, header.readInt32BE(APPLICATION_ID))
}

function requireKnownVersion(path: string, applicationId: number): void {
  const version = applicationId - VERSION_MARK
  if (version > VERSION && version <= 0xffff) throw new LayoutRefused(laterVersion(path))
}

/**
 * Opens a connection, and creates a missing file with the mark of its form (row-record.ts). Throws RowsDamaged for another kind of
 * file or another mark, and LayoutRefused when a later version of the service wrote the file.
 */
export function connect(path: string, mark: number): Libsql.Database {
  const file = new Libsql(path)
  try {
    file.exec(`PRAGMA busy_timeout = ${OPENING_MS}`)
    requireKnownVersion(path, applicationIdIn(file))
    file.exec(PRAGMAS)
    if (!hasTables(file, mark) || markIn(file) !== mark) throw new RowsDamaged(path)
    file.exec('PRAGMA busy_timeout = 0')
    return file
  } catch (error) {
    file.close()
    throw isDamage(error) ? new RowsDamaged(path, { cause: error }) : error
  }
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

/** Read-only connection to an existing file in its present state. */
export function connectReadOnly(path: string): Libsql.Database {
  const file = new Libsql(path, { readonly: true })
  file.exec('BEGIN')
  return file
}

/**
 * Whether the file has the expected tables; creates them in an empty file. Compares the definitions, because damage can
 * change them.
 */
function hasTables(file: Libsql.Database, mark: number): boolean {
  const found = tablesOf(file)
  const { page_count: pages } = file.prepare('PRAGMA page_count').get([]) as { page_count: number }
  if (found.length === 0 && pages <= 1) {
    file.exec(`BEGIN IMMEDIATE; PRAGMA user_version = ${mark}; ${Object.values(TABLES).join(';')}; COMMIT;`)
    return true
  }
  // Fails at once when the file is not writable.
  file.exec('BEGIN IMMEDIATE; COMMIT;')
  return (
    found.length === Object.keys(TABLES).length &&
    found.every(({ name, sql }) => TABLES[name as keyof typeof TABLES] === sql)
  )
}

/** Mark of the form of the file (row-record.ts). */
const markIn = (file: Libsql.Database): number =>
  (file.prepare('PRAGMA user_version').get([]) as { user_version: number }).user_version

const applicationIdIn = (file: Libsql.Database): number =>
  (file.prepare('PRAGMA application_id').get([]) as { application_id: number }).application_id

/** Reads text as bytes: libsql ends the process when a text is not UTF-8. */
function tablesOf(file: Libsql.Database): { name: string; sql: string }[] {
  const query = `SELECT CAST(name AS BLOB) AS name, CAST(sql AS BLOB) AS sql
    FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'`
  const found = file.prepare(query).all([]) as Record<'name' | 'sql', ArrayBuffer | null>[]
  const text = (bytes: ArrayBuffer | null) => Buffer.from(bytes ?? new ArrayBuffer(0)).toString('latin1')
  return found.map(({ name, sql }) => ({ name: text(name), sql: text(sql) }))
}

/** Whether an error reports damage to the file. */
export const isDamage = (error: unknown): boolean =>
  error instanceof RowsDamaged ||
  (error instanceof Libsql.SqliteError && /^SQLITE_(CORRUPT|NOTADB|SCHEMA|FORMAT)/.test(error.code))

/** Rows per read by id: few for the first comparison of a search, many for larger reads. */
export const ROWS_PER_SHORT_READ = 16
export const ROWS_PER_READ = 64

const ROW = 'CAST(slot AS INTEGER) AS slot, CAST(record AS BLOB) AS record'

const integers = (...columns: string[]): string =>
  columns.map(column => `CAST(${column} AS INTEGER) AS ${column}`).join(', ')

const rowsById = (count: number): string =>
  `SELECT ${ROW} FROM places CROSS JOIN slots USING (slot)
   WHERE gallery = ? AND id IN (${Array(count).fill('?').join(', ')})`

export type RowStatements = ReturnType<typeof rowStatements>

export const rowStatements = (file: Libsql.Database) => ({
  galleries: file.prepare(
    `SELECT ${integers('number', 'dimension', 'count', 'sum', 'crc')}, CAST(name AS BLOB) AS name
     FROM galleries ORDER BY galleries.number`,
  ),
  indexes: file.prepare(`SELECT ${integers('gallery', 'serial', 'crc')} FROM indexes`),
  greatestNumber: file.prepare(
    `SELECT CAST(max(number) AS INTEGER) AS number
     FROM (SELECT seq AS number FROM sqlite_sequence UNION SELECT number FROM galleries)`,
  ),
  /** Read to its end each time: an interrupted iteration would hold the file. */
  range: file.prepare(`SELECT ${ROW} FROM slots WHERE slots.slot BETWEEN ? AND ?`),
  lastSlot: file.prepare('SELECT max(slot) AS slot FROM slots'),
  bytes: file.prepare('SELECT page_count * page_size AS bytes FROM pragma_page_count, pragma_page_size'),
  page: file.prepare(
    `SELECT ${ROW} FROM places JOIN slots USING (slot) WHERE gallery = ? AND id >= ? ORDER BY id LIMIT ?`,
  ),
  few: file.prepare(rowsById(ROWS_PER_SHORT_READ)),
  many: file.prepare(rowsById(ROWS_PER_READ)),
  /** Sum of placeCheck (row-slots.ts) over all rows of each gallery. */
  placeChecks: file.prepare(
    `SELECT ${integers('gallery')}, CAST(sum((id % 8191 + 1) * (slot % 8191 + 1)) AS INTEGER) AS sum
     FROM places GROUP BY places.gallery`,
  ),
  append: file.prepare('INSERT INTO slots (slot, record) VALUES (?, ?)'),
  overwrite: file.prepare('UPDATE slots SET record = ? WHERE slot = ?'),
  wipe: file.prepare('UPDATE slots SET record = zeroblob(length(record)) WHERE slot = ?'),
  place: file.prepare('INSERT INTO places (gallery, id, slot) VALUES (?, ?, ?)'),
  removePlace: file.prepare('DELETE FROM places WHERE gallery = ? AND id = ?'),
  setGallery: file.prepare('INSERT OR REPLACE INTO galleries VALUES (?, ?, ?, ?, ?, ?)'),
  removeGallery: file.prepare('DELETE FROM galleries WHERE number = ?'),
  setIndex: file.prepare('INSERT OR REPLACE INTO indexes VALUES (?, ?, ?)'),
  removeIndex: file.prepare('DELETE FROM indexes WHERE gallery = ?'),
  checkpoint: file.prepare('PRAGMA wal_checkpoint(TRUNCATE)'),
})
