/** Finds damage of `metadata.db` as it lies on the disk, also beside the service: nothing of a row leaves SQLite. Blocks. */
import { existsSync } from 'node:fs'
import Libsql from 'libsql'
import { faultsOf } from '../files/snapshot.ts'
import {
  afterMigrations,
  countedQuery,
  SCHEMA_TABLE,
  type SummedTable,
  summedTable,
  TABLES_QUERY,
} from './row-sums.ts'

/** What is wrong with the file; nothing when it is whole. The key is libSQL's, of an encrypted one. */
export function metadataFaults(path: string, key?: string): string[] {
  if (!existsSync(path)) return []
  const faults = faultsOf(path, key)
  if (faults.length > 0) return faults
  const file = new Libsql(path, { readonly: true, ...(key !== undefined && { encryptionKey: key }) })
  try {
    // One look at the file: what changes meanwhile is in all of it or in nothing.
    file.exec('PRAGMA temp_store = MEMORY; BEGIN')
    return sumFaults(file)
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)]
  } finally {
    file.close()
  }
}

function sumFaults(file: Libsql.Database): string[] {
  if (!hasSums(file)) return []
  const schema = mainFault(file, SCHEMA_TABLE)
  // Without its schema nothing else can be counted.
  if (schema) return [schema]
  const tables = (file.prepare(TABLES_QUERY).all([]) as Record<string, unknown>[]).map(summedTable)
  const faults = tables.flatMap(table => mainFault(file, table) ?? [])
  const strays = file.prepare('SELECT count(*) AS count FROM pragma_foreign_key_check').get([]) as Counted
  return strays.count > 0 ? [...faults, `${strays.count} rows belong to nothing.`] : faults
}

/** The schema is counted after each migration, and has no columns of its own. */
function columnsOf(file: Libsql.Database, { name, columns }: SummedTable): string {
  if (name !== SCHEMA_TABLE.name) return columns
  const { count } = file.prepare('SELECT count(*) AS count FROM __drizzle_migrations').get([]) as Counted
  return afterMigrations(count)
}

type Counted = Record<'count' | 'sum', number>

/** A file of an earlier version has none until its next start. */
function hasSums(file: Libsql.Database): boolean {
  const query = `SELECT count(*) AS count FROM sqlite_schema WHERE name = 'sums'`
  if ((file.prepare(query).get([]) as Counted).count === 0) return false
  return (file.prepare('SELECT count(*) AS count FROM sums').get([]) as Counted).count > 0
}

function mainFault(file: Libsql.Database, table: SummedTable): string | undefined {
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
