/** Tells writing statements from reading ones. */
import type { InStatement, ResultSet } from '@libsql/client'

/** Whether a statement, or each statement of a batch, only reads. */
export const isReading = (statements: unknown): boolean =>
  Array.isArray(statements)
    ? statements.every(isReading)
    : /^\s*(select|pragma)\b/i.test(sqlOf(statements as InStatement))

const sqlOf = (statement: InStatement): string => (typeof statement === 'string' ? statement : statement.sql)

/** Whether the results of a statement, or of a batch, say that rows were changed. */
export const hasWritten = (statements: unknown, results: unknown): boolean =>
  !isReading(statements) && [results as ResultSet].flat().some(result => result.rowsAffected > 0)
