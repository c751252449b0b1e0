/**
 * Names of persons for comparisons. SQLite ignores the case of ASCII only, so `name_folded` holds what foldName makes of the meta.
 * A trigger clears it when the meta changes. Each start and each search fill missing values, after renames and after cores of
 * earlier versions.
 */
import { and, eq, isNull, type SQL, sql } from 'drizzle-orm'
import type { LibSQLDatabase } from 'drizzle-orm/libsql'
import { environment } from '../../contract/environment.ts'
import { foldName, wordsOf } from '../../contract/model/person.ts'
import { owners, persons } from './schema.ts'

type Database = Pick<LibSQLDatabase<Record<string, unknown>>, 'select' | 'run'>

/** Names that are filled in one statement, which holds up all other requests. A name has up to 4,096 characters. */
const NAMES_PER_STATEMENT = 200

/** Fills missing folded names of the persons of an owner, or of all owners. */
export async function fillFoldedNames(database: Database, owner?: string): Promise<void> {
  for (let left = true; left; ) {
    const rows = await database
      .select({ row: sql<number>`persons.rowid`, meta: persons.meta })
      .from(owners)
      .innerJoin(persons, and(eq(persons.owner, owners.id), isNull(persons.nameFolded)))
      .where(owner === undefined ? undefined : eq(owners.id, owner))
      .limit(NAMES_PER_STATEMENT)
    if (rows.length === 0) return
    const filled = JSON.stringify(rows.map(({ row, meta }) => ({ row, meta, name: foldName(meta) })))
    // Along the rowid: SQLite would compare every person with every name along an index. A meta has one folded name.
    const { rowsAffected } = await database.run(sql`
      UPDATE persons SET name_folded = filled.value ->> 'name' FROM json_each(${filled}) AS filled
      WHERE persons.rowid = filled.value ->> 'row' AND persons.meta = filled.value ->> 'meta'`)
    left = rowsAffected > 0
    await environment.turn()
  }
}

/** Condition on persons whose folded names are filled: the name contains the words of a text, in any order. */
export const nameContains = (text: string): SQL => sql`NOT EXISTS (
  SELECT 1 FROM json_each(${JSON.stringify(wordsOf(text))}) word WHERE instr(${persons.nameFolded}, word.value) = 0
)`
