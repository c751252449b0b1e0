/**
 * Prepared statements on a shard's file. Each column is cast to its type: damage can turn any value into text, and
 * libsql ends the process when a text is not UTF-8.
 */
import type Libsql from 'libsql'

/** Rows per read by id: few for the first comparison of a search, many for larger reads. */
export const FEW_AT_ONCE = 16
export const MANY_AT_ONCE = 64

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
  few: file.prepare(rowsById(FEW_AT_ONCE)),
  many: file.prepare(rowsById(MANY_AT_ONCE)),
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
