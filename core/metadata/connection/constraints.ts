/** Reads from database errors which constraint a statement violated, and which statement of its batch it was. */
import { LibsqlError } from '@libsql/client'

/** The violated constraint, and the index of the statement in its batch (0 outside a batch). */
export interface BrokenConstraint {
  kind: 'unique' | 'reference' | 'null'
  statement: number
}

/** A file reports an extended code. A server reports only the primary code, and SQLite's message. */
const KINDS: readonly [BrokenConstraint['kind'], RegExp][] = [
  ['unique', /^SQLITE_CONSTRAINT_(PRIMARYKEY|UNIQUE)$|\bUNIQUE constraint failed\b/],
  ['reference', /^SQLITE_CONSTRAINT_FOREIGNKEY$|\bFOREIGN KEY constraint failed\b/],
  ['null', /^SQLITE_CONSTRAINT_NOTNULL$|\bNOT NULL constraint failed\b/],
]

/** The constraint violation in this error or its causes; undefined when there is none. */
export function brokenConstraint(error: unknown): BrokenConstraint | undefined {
  if (!(error instanceof LibsqlError)) {
    return error instanceof Error && error.cause !== undefined ? brokenConstraint(error.cause) : undefined
  }
  if (!error.code.startsWith('SQLITE_CONSTRAINT')) return undefined
  const text = error.extendedCode ?? error.message
  const kind = KINDS.find(([, pattern]) => pattern.test(text))?.[0]
  return kind && { kind, statement: 'statementIndex' in error ? Number(error.statementIndex) : 0 }
}
