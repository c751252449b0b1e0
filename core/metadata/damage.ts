/**
 * Finds damage of `metadata.db` on disk, also while the service runs. Blocks the thread, and returns no content of
 * rows.
 */
import { existsSync } from 'node:fs'
import Libsql from 'libsql'
import { closeReader, faultsOf } from '../files/snapshot.ts'
import {
  afterMigrations,
  countedQuery,
  type Excess,
  excessQuery,
  isExcess,
  MERGED_TABLE,
  SCHEMA_TABLE,
  type SummedTable,
  summedTable,
  TABLES_QUERY,
} from './row-sums.ts'

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
  if (!hasSums(file)) return []
  const schema = tableFault(file, SCHEMA_TABLE)
  // No table can be summed with a damaged schema.
  if (schema) return [schema]
  const tables = (file.prepare(TABLES_QUERY).all([]) as Record<string, unknown>[]).map(summedTable)
  const faults = tables.flatMap(table => tableFault(file, table) ?? [])
  const strays = file.prepare('SELECT count(*) AS count FROM pragma_foreign_key_check').get([]) as Counted
  return strays.count > 0 ? [...faults, `${strays.count} rows belong to nothing.`] : faults
}

/** Expected `columns` of a table's sum. The schema has no columns of its own: its sum names the number of migrations. */
function columnsOf(file: Libsql.Database, { name, columns }: SummedTable): string {
  if (name !== SCHEMA_TABLE.name) return columns
  const { count } = file.prepare('SELECT count(*) AS count FROM __drizzle_migrations').get([]) as Counted
  return afterMigrations(count)
}

type Counted = Record<'count' | 'sum', number>

/** False for a file of an earlier version: its first start with this version adds the sums. */
function hasSums(file: Libsql.Database): boolean {
  const query = `SELECT count(*) AS count FROM sqlite_schema WHERE name = 'sums'`
  if ((file.prepare(query).get([]) as Counted).count === 0) return false
  return (file.prepare('SELECT count(*) AS count FROM sums').get([]) as Counted).count > 0
}

/** Whether the difference is of a version that merged persons. The next start corrects the sum. */
const isOfMerges = (file: Libsql.Database, table: SummedTable, kept: Counted, counted: Counted): boolean =>
  table.name === MERGED_TABLE &&
  isExcess(file.prepare(excessQuery(table)).all([]) as Excess[], kept.sum, counted.sum)

function tableFault(file: Libsql.Database, table: SummedTable): string | undefined {
  try {
    const query = 'SELECT count, sum, CAST(columns AS BLOB) AS columns FROM sums WHERE name = ?'
    const kept = file.prepare(query).get([table.name]) as (Counted & { columns: ArrayBuffer }) | undefined
    const columns = kept && Buffer.from(kept.columns).toString('latin1')
    if (columns !== columnsOf(file, table)) return `what is kept of the table "${table.name}" is damaged.`
    const counted = file.prepare(countedQuery(table)).get([]) as Counted
    if (kept?.count === counted.count && (kept.sum === counted.sum || isOfMerges(file, table, kept, counted)))
      return undefined
    return `the rows of the table "${table.name}" are not as they were written.`
  } catch (error) {
    return `the table "${table.name}" can't be read: ${error instanceof Error ? error.message : error}`
  }
}
