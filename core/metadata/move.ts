/** Moves the metadata of a stopped service between its folder and a server: copies and verifies each row, then switches. */
import { existsSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { InValue } from '@libsql/client'
import { is, sql } from 'drizzle-orm'
import { getTableConfig, SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { DataKey } from '../encryption/encrypt.ts'
import { syncFolder } from '../files/durable.ts'
import * as accessTables from './access/schema.ts'
import * as alertTables from './alerts/schema.ts'
import * as cameraTables from './cameras/schema.ts'
import {
  type DatabaseAddress,
  DatabaseRefused,
  forgetAddress,
  rememberAddress,
  rememberedUrl,
} from './connection/address.ts'
import { isUnused, livingCores } from './connection/cores.ts'
import { closeDatabase, type Database, METADATA_FILE, openDatabase } from './database.ts'
import * as personTables from './persons/schema.ts'
import * as tables from './schema.ts'

interface MetadataMove {
  dataKey: DataKey | undefined
  /** Where the metadata is; the data folder when absent. */
  from: DatabaseAddress | undefined
  /** Where it goes; the data folder when absent. */
  to: DatabaseAddress | undefined
  /** Called after each page of rows, while they are copied and again while they are verified. */
  onProgress?: (step: 'copy' | 'verify', done: number) => void
}

/** Folder in the data folder of a move that is not finished: a new file, or the address of the database. */
export const DRAFT = 'metadata-move'

/**
 * Moves all rows; resolves with their number, and with undefined when they are there already. An interrupted move
 * changes nothing that is served: repeat it. A database elsewhere keeps its rows. The caller holds the data folder's
 * lock. Throws DatabaseRefused, also when another core uses the database.
 */
export async function moveMetadata(data: string, move: MetadataMove): Promise<number | undefined> {
  const { to, from, dataKey } = move
  const own = existsSync(join(data, METADATA_FILE))
  if (to ? (await rememberedUrl(data)) === to.url : own) {
    await leave(data, to)
    return undefined
  }
  const source = await openDatabase(data, { dataKey, database: own ? undefined : from })
  const rows = await copyTo(source, data, move).finally(() => closeDatabase(source))
  if (to) await rememberAddress(data, to)
  else await rename(join(data, DRAFT, METADATA_FILE), join(data, METADATA_FILE))
  await syncFolder(data)
  await leave(data, to)
  return rows
}

async function copyTo(source: Database, data: string, move: MetadataMove) {
  const { to, dataKey } = move
  if ((await livingCores(source)).length > 0)
    throw new DatabaseRefused('A core uses the metadata. Stop all cores, then wait for half a minute.')
  const draft = join(data, DRAFT)
  const resumes = existsSync(draft)
  const target = await openDatabase(draft, { dataKey, database: to })
  try {
    if (!resumes && !(await isUnused(target))) {
      await rm(draft, { recursive: true })
      throw new DatabaseRefused(`${to?.url} has metadata already. Name an empty database.`)
    }
    const rows = await copyRows(source, target, move)
    if (!to) await target.run(sql`PRAGMA journal_mode = DELETE`)
    return rows
  } finally {
    target.$client.close()
  }
}

/** Removes the source of a finished move: the metadata of the folder, or the address of the server. Then removes the draft of the move. */
async function leave(data: string, to: DatabaseAddress | undefined) {
  const draft = join(data, DRAFT)
  if (!existsSync(draft)) return
  if (!to) await forgetAddress(data)
  else for (const end of ['-wal', '-shm', '']) await rm(join(data, METADATA_FILE) + end, { force: true })
  await rm(draft, { recursive: true })
  await syncFolder(data)
}

/** Rows of one statement. */
const ROWS_PER_STATEMENT = 500

/** A table: its name, its columns, and the columns of its primary key. */
interface Table {
  name: string
  columns: string[]
  key: string[]
}

/** Leases are of running cores, and each file keeps its own sums. */
const NOT_MOVED: readonly unknown[] = [tables.cores, tables.sums]

/** All tables that move. Each one comes after the tables that it references. */
function movedTables(): Table[] {
  const waiting = new Set(
    [tables, accessTables, alertTables, cameraTables, personTables]
      .flatMap(schema => Object.values(schema))
      .filter(table => is(table, SQLiteTable) && !NOT_MOVED.includes(table)) as SQLiteTable[],
  )
  const ordered: Table[] = []
  while (waiting.size > 0) {
    for (const table of waiting) {
      const { name, columns, primaryKeys, foreignKeys } = getTableConfig(table)
      if (foreignKeys.some(key => waiting.has(key.reference().foreignTable))) continue
      waiting.delete(table)
      const key = primaryKeys[0]?.columns ?? columns.filter(({ primary }) => primary)
      ordered.push({ name, columns: columns.map(quotedName), key: key.map(quotedName) })
    }
  }
  return ordered
}

const quotedName = ({ name }: { name: string }) => `"${name}"`

async function copyRows(source: Database, target: Database, { onProgress = () => {} }: MetadataMove) {
  let copied = 0
  for (const table of movedTables()) {
    for await (const { rows, missing } of differences(source, target, table)) {
      await insert(target, table, missing)
      copied += rows
      onProgress('copy', copied)
    }
  }
  await copySequences(source, target)
  let verified = 0
  for (const table of movedTables()) {
    for await (const { rows, missing } of differences(source, target, table)) {
      if (missing.length > 0) throw changedTable(table)
      verified += rows
      onProgress('verify', verified)
    }
  }
  return verified
}

type Row = InValue[]

/** The rows of a table that the target lacks, page by page. Throws DatabaseRefused for a row that differs or is only there. */
async function* differences(
  source: Database,
  target: Database,
  table: Table,
): AsyncGenerator<{ rows: number; missing: Row[] }> {
  const keyOf = (row: Row) => textOf(table.key.map(column => row[table.columns.indexOf(column)]!))
  for (let after: Row | undefined, isLast = false; !isLast; ) {
    const rows = await rowsBetween(source, table, { after })
    isLast = rows.length < ROWS_PER_STATEMENT
    const last = rows.at(-1)
    const until = isLast ? undefined : table.key.map(column => last![table.columns.indexOf(column)]!)
    const copied = await rowsBetween(target, table, { after, until })
    const present = new Map(rows.map(row => [keyOf(row), textOf(row)]))
    if (copied.some(row => present.get(keyOf(row)) !== textOf(row))) throw changedTable(table)
    const there = new Set(copied.map(keyOf))
    yield { rows: rows.length, missing: rows.filter(row => !there.has(keyOf(row))) }
    after = until
  }
}

const changedTable = ({ name }: Table) =>
  new DatabaseRefused(
    `The copy of the table ${name} has other rows: the service ran since the move began. Empty the new database, remove ` +
      `${DRAFT} in the data folder, then repeat the move.`,
  )

/** Rows by rising key. Without `until`, at most one more than a page: the rest of a target is of interest only if it is there. */
async function rowsBetween(
  database: Database,
  { name, columns, key }: Table,
  { after, until }: { after?: Row; until?: Row },
): Promise<Row[]> {
  const tuple = `(${key})`
  const values = `(${key.map(() => '?')})`
  const bounds = [after && `${tuple} > ${values}`, until && `${tuple} <= ${values}`].filter(Boolean)
  const where = bounds.length > 0 ? `WHERE ${bounds.join(' AND ')}` : ''
  const { rows } = await database.$client.execute({
    sql: `SELECT ${columns} FROM "${name}" ${where} ORDER BY ${key} LIMIT ${ROWS_PER_STATEMENT}`,
    args: [...(after ?? []), ...(until ?? [])],
  })
  return rows.map(row => columns.map((_, i) => row[i] as InValue))
}

async function insert(target: Database, { name, columns }: Table, rows: readonly Row[]) {
  if (rows.length === 0) return
  const values = rows.map(() => `(${columns.map(() => '?')})`).join()
  await target.$client.execute({
    sql: `INSERT INTO "${name}" (${columns}) VALUES ${values}`,
    args: rows.flat(),
  })
}

/** Ids that were used once are not given again, also when their rows are deleted. */
async function copySequences(source: Database, target: Database) {
  const { rows } = await source.$client.execute('SELECT name, seq FROM sqlite_sequence')
  await target.$client.batch(
    rows.flatMap(({ name, seq }) => [
      { sql: 'DELETE FROM sqlite_sequence WHERE name = ?', args: [name as string] },
      { sql: 'INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)', args: [name as string, seq as number] },
    ]),
    'write',
  )
}

/** Equal texts mean equal values. */
const textOf = (values: Row) =>
  JSON.stringify(values, (_, value) =>
    value instanceof ArrayBuffer ? { bytes: Buffer.from(value).toString('base64') } : value,
  )
