/** Reads lists whose condition costs much per row. Other requests are served between the statements. */
import { and, getTableColumns, inArray, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { environment } from '../../contract/environment.ts'

/** Rows whose ids one statement lists, and rows on which one statement tests the condition. */
const IDS_PER_STATEMENT = 2_000
const TESTS_PER_STATEMENT = 250

type Columns = Record<string, SQLiteColumn | SQL>

/** A list of an owner in the order of an id. */
interface List {
  owner: string
  id: SQLiteColumn
  columns: Columns
  /** The rows behind an id; all rows when it is undefined. */
  after(id: number | undefined): SQL | undefined
  select(columns: Columns, where: SQL | undefined, limit: number): PromiseLike<unknown[]>
}

/** The first rows of a list that meet a condition, at most `limit`. */
export async function selectInSteps<Row>(
  condition: SQL | undefined,
  limit: number,
  { owner, id, columns, after, select }: List,
): Promise<Row[]> {
  if (!condition) return (await select(columns, after(undefined), limit)) as Row[]
  // With the plus, SQLite finds the rows by their ids, and not by an index on the owner.
  const isOwned = sql`+${getTableColumns(id.table).owner} = ${owner}`
  const found: unknown[] = []
  for (let ids: number[] = []; ; ) {
    const listed = await select({ id }, after(ids.at(-1)), IDS_PER_STATEMENT)
    ids = (listed as { id: number }[]).map(row => row.id)
    for (let at = 0; at < ids.length && found.length < limit; at += TESTS_PER_STATEMENT) {
      await environment.turn()
      const tested = inArray(id, ids.slice(at, at + TESTS_PER_STATEMENT))
      found.push(...(await select(columns, and(tested, isOwned, condition), limit - found.length)))
    }
    if (ids.length < IDS_PER_STATEMENT || found.length >= limit) return found as Row[]
  }
}
