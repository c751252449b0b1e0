/** Checksums over the rows of each table, which detect changed bytes in `metadata.db`.
 *
 * SQLite's own integrity check does not cover values. Triggers of each connection update the sums in the transaction
 * that changes a row. A server has its own checks.
 */

import { existsSync } from 'node:fs'
import type { Client } from '@libsql/client'
import { sql } from 'drizzle-orm'
import type { LibSQLDatabase } from 'drizzle-orm/libsql'
import Libsql from 'libsql'
import { closeReader, faultsOf } from '../files/sqlite.ts'

/** Hashes and their sums have 48 bits: SQLite's 64-bit integers do not overflow. */
const MODULUS = 2 ** 48
const HALF = 2 ** 24

/** The table of sums. It has no sum itself: a changed byte in it no longer matches the counted rows. */
const SUMS = 'sums'

/** Name of the row of `sums` for the schema. */
const SCHEMA = 'sqlite_schema'

/** The table of applied migrations. They add its rows before the triggers exist. */
const MIGRATIONS = '__drizzle_migrations'

/** A table and its columns, as SQL expressions that keep every bit of a value. `?` stands for the row. */
interface SummedTable {
  name: string
  columns: string
}

/**
 * Query for all tables, in any order: `name` and `columns` as blobs, because libsql ends the process when a text is not
 * UTF-8.
 */
const TABLES_QUERY = `
  SELECT CAST(tables.name AS BLOB) AS name,
    CAST(group_concat(iif(columns.type = 'real', 'quote(?.' || columns.name || ')', '?.' || columns.name)) AS BLOB) AS columns
  FROM sqlite_schema AS tables, pragma_table_info(tables.name) AS columns
  WHERE tables.type = 'table' AND tables.name NOT LIKE 'sqlite_%' AND tables.name <> '${SUMS}'
  GROUP BY tables.name`

const summedTable = ({ name, columns }: Record<string, unknown>): SummedTable => ({
  name: Buffer.from(name as ArrayBuffer).toString('latin1'),
  columns: Buffer.from(columns as ArrayBuffer).toString('latin1'),
})

const SCHEMA_TABLE: SummedTable = { name: SCHEMA, columns: '?.type,?.name,?.tbl_name,?.sql' }

/** The `columns` of the schema's sum. The schema changes with each migration. */
const afterMigrations = (count: number) => `after ${count} migrations`

/** SQL expression for the first 48 bits of the SHA-3 of a row. SQLite parses hexadecimal numbers only as JSON5. */
const hashOf = ({ columns }: Pick<SummedTable, 'columns'>, row: string) =>
  `('0x' || hex(substr(sha3(json_array(${columns.replaceAll('?', () => row)})), 1, 6))) ->> '$'`

/** Query for `count` and `sum` of a table's rows. It adds the hashes in two halves of 24 bits, which cannot overflow. */
const countedQuery = (table: SummedTable) => `
  SELECT count(*) AS count,
    (coalesce(sum(hash >> 24), 0) % ${HALF} * ${HALF} + coalesce(sum(hash & ${HALF - 1}), 0)) % ${MODULUS} AS sum
  FROM (SELECT ${hashOf(table, `"${table.name}"`)} AS hash FROM "${table.name}")`

type Database = LibSQLDatabase & { $client: Client }

/** Computes missing sums, and the sums of tables with changed columns. Creates the triggers that update all sums. For files only. */
export async function installSums(database: Database): Promise<void> {
  const tables = (await all(database, TABLES_QUERY)).map(summedTable)
  const [{ migrations }] = (await all(database, `SELECT count(*) AS migrations FROM ${MIGRATIONS}`)) as [
    { migrations: number },
  ]
  const kept = new Map(
    (await all(database, `SELECT name, columns FROM ${SUMS}`)).map(row => [row.name, row.columns]),
  )
  const wanted = [
    { table: SCHEMA_TABLE, columns: afterMigrations(migrations) },
    ...tables.map(table => ({ table, columns: table.columns })),
  ]
  const isMigrated = kept.get(SCHEMA) !== afterMigrations(migrations)
  const [first, ...rest] = wanted
    .filter(
      ({ table, columns }) => kept.get(table.name) !== columns || (isMigrated && table.name === MIGRATIONS),
    )
    .map(({ table, columns }) =>
      database.run(sql`
        INSERT OR REPLACE INTO ${sql.raw(SUMS)} (name, columns, count, sum)
        SELECT ${table.name}, ${columns}, count, sum FROM (${sql.raw(countedQuery(table))})`),
    )
  if (first) await database.batch([first, ...rest])
  await database.$client.executeMultiple(tables.flatMap(triggersOf).join(''))
}

const all = (database: Database, query: string): Promise<Record<string, unknown>[]> =>
  database.all(sql.raw(query))

/** Temporary triggers: a connection without the hash function, for example of another program, can still write. */
function triggersOf(table: SummedTable): string[] {
  const trigger = (event: string, count: string, change: string) => `
    CREATE TEMP TRIGGER "sum ${table.name} ${event}" AFTER ${event} ON main."${table.name}" BEGIN
      UPDATE ${SUMS} SET count = count ${count}, sum = (sum ${change}) % ${MODULUS} WHERE name = '${table.name}';
    END;`
  // The stored row: a value of NEW may still be marked as JSON, and json_array would not quote it.
  const added = `+ (SELECT ${hashOf(table, `"${table.name}"`)} FROM "${table.name}" WHERE rowid = NEW.rowid)`
  const removed = `+ ${MODULUS} - (${hashOf(table, 'OLD')})`
  return [
    trigger('INSERT', '+ 1', added),
    trigger('DELETE', '- 1', removed),
    trigger('UPDATE', '', `${added} ${removed}`),
  ]
}

/** Faults of the file; empty when it is intact. `key` is libSQL's key of an encrypted file. */
export function metadataFaults(path: string, key?: string): string[] {
  if (!existsSync(path)) return []
  const faults = faultsOf(path, key)
  if (faults.length > 0) return faults
  const file = new Libsql(path, { readonly: true, ...(key !== undefined && { encryptionKey: key }) })
  try {
    // The transaction reads one snapshot of the file, whatever other processes write.
    file.exec('PRAGMA temp_store = MEMORY; BEGIN')
    return sumFaults(file)
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)]
  } finally {
    closeReader(file)
  }
}

function sumFaults(file: Libsql.Database): string[] {
  const schema = tableFault(file, SCHEMA_TABLE)
  // No table can be summed with a damaged schema.
  if (schema) return [schema]
  const tables = (file.prepare(TABLES_QUERY).all([]) as Record<string, unknown>[]).map(summedTable)
  const faults = tables.flatMap(table => tableFault(file, table) ?? [])
  const orphans = file.prepare('SELECT count(*) AS count FROM pragma_foreign_key_check').get([]) as Counted
  return orphans.count > 0 ? [...faults, `${orphans.count} rows belong to nothing.`] : faults
}

/** Expected `columns` of a table's sum. The schema has no columns: its sum names the number of migrations. */
function columnsOf(file: Libsql.Database, { name, columns }: SummedTable) {
  if (name !== SCHEMA_TABLE.name) return columns
  const { count } = file.prepare(`SELECT count(*) AS count FROM ${MIGRATIONS}`).get([]) as Counted
  return afterMigrations(count)
}

type Counted = Record<'count' | 'sum', number>

function tableFault(file: Libsql.Database, table: SummedTable): string | undefined {
  try {
    const query = 'SELECT count, sum, CAST(columns AS BLOB) AS columns FROM sums WHERE name = ?'
    const kept = file.prepare(query).get([table.name]) as (Counted & { columns: ArrayBuffer }) | undefined
    const columns = kept && Buffer.from(kept.columns).toString('latin1')
    if (columns !== columnsOf(file, table)) return `what is kept of the table "${table.name}" is damaged.`
    const counted = file.prepare(countedQuery(table)).get([]) as Counted
    if (kept?.count === counted.count && kept.sum === counted.sum) return undefined
    return `the rows of the table "${table.name}" are not as they were written.`
  } catch (error) {
    return `the table "${table.name}" can't be read: ${error instanceof Error ? error.message : error}`
  }
}
