/** Converts errors of a database to errors of the store. */
import { StoreUnavailable } from '../vector-store.ts'

/** The transaction had no effect, and may be retried as a whole. */
export class ConcurrentChange extends Error {
  override readonly name = 'ConcurrentChange'
}

/** The connection is lost, or could not be opened. */
export class ConnectionLost extends StoreUnavailable {
  constructor(cause: unknown) {
    super('away', { cause })
  }
}

/** SQLSTATE of a full disk. */
const FULL = '53100'

/** SQLSTATEs of concurrent changes: serialization failure, deadlock, a new duplicate key, a dropped partition. */
const OVERTAKEN = new Set(['40001', '40P01', '23505', '42P01'])

/** SQLSTATEs of connection exceptions, of a server that shuts down or starts up, and of one that became read-only. */
const LOST = /^(08...|57P0.|25006)$/

/** Converts the error of a statement. Its message stays in `cause`: logs contain only its code. */
export function postgresError(error: unknown): Error {
  // Only errors of a server have a severity; codes of socket errors can look like its codes.
  const said = error instanceof Error && 'severity' in error && 'code' in error
  const code = said ? String(error.code) : ''
  if (OVERTAKEN.has(code)) return new ConcurrentChange(code, { cause: error })
  if (!said || LOST.test(code)) return new ConnectionLost(error)
  return new StoreUnavailable(code === FULL ? 'full' : 'away', { cause: error })
}
