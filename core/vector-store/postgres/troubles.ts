/** What goes wrong in a database, as the store says it. */
import { StoreUnavailable } from '../vector-store.ts'

/** Nothing of a transaction is there, and the whole of it may be tried again. */
export class ConcurrentChange extends Error {
  override readonly name = 'Overtaken'
}

/** The connection is gone, or there never was one. */
export class ConnectionLost extends StoreUnavailable {
  constructor(cause: unknown) {
    super('away', { cause })
  }
}

/** Disk full. */
const FULL = '53100'

/** Serialization failure, deadlock, a key that came meanwhile, a partition that went meanwhile. */
const OVERTAKEN = new Set(['40001', '40P01', '23505', '42P01'])

/** Connection exceptions, and a server that is shut down or not yet up. */
const LOST = /^(08...|57P0.)$/

/** For what a statement is refused with. What it says stays in `cause`: logs have its code alone. */
export function postgresError(error: unknown): Error {
  // Only what a server says has a severity; codes of sockets can look like its own.
  const said = error instanceof Error && 'severity' in error && 'code' in error
  const code = said ? String(error.code) : ''
  if (OVERTAKEN.has(code)) return new ConcurrentChange(code, { cause: error })
  if (!said || LOST.test(code)) return new ConnectionLost(error)
  return new StoreUnavailable(code === FULL ? 'full' : 'away', { cause: error })
}
