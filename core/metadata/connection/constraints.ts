/** The reading of the database's refusals: which kind of constraint a statement broke, and which statement that was. */
import { LibsqlError } from '@libsql/client'

/** Which kind of constraint a failed statement broke, and which statement of its batch that was (0 outside one). */
export interface BrokenConstraint {
  kind: 'unique' | 'reference' | 'null'
  statement: number
}

/** A file says it by an extended code. A server has the primary code alone, and SQLite's sentence. */
const KINDS: readonly [BrokenConstraint['kind'], RegExp][] = [
  ['unique', /^SQLITE_CONSTRAINT_(PRIMARYKEY|UNIQUE)$|\bUNIQUE constraint failed\b/],
  ['reference', /^SQLITE_CONSTRAINT_FOREIGNKEY$|\bFOREIGN KEY constraint failed\b/],
  ['null', /^SQLITE_CONSTRAINT_NOTNULL$|\bNOT NULL constraint failed\b/],
]

/** What this error says about a broken constraint, or undefined when it is about something else. */
export function brokenConstraint(error: unknown): BrokenConstraint | undefined {
  if (!(error instanceof LibsqlError)) {
    return error instanceof Error && error.cause !== undefined ? brokenConstraint(error.cause) : undefined
  }
  if (!error.code.startsWith('SQLITE_CONSTRAINT')) return undefined
  const said = error.extendedCode ?? error.message
  const kind = KINDS.find(([, pattern]) => pattern.test(said))?.[0]
  return kind && { kind, statement: 'statementIndex' in error ? Number(error.statementIndex) : 0 }
}
