/** What goes wrong in a database, as the store says it. */
import { StoreAway } from '../store.ts'

/** Nothing of a transaction is there, and the whole of it may be tried again. */
export class Overtaken extends Error {
  override readonly name = 'Overtaken'
}

/** The connection is gone, or there never was one. */
export class ConnectionLost extends StoreAway {
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

const SQLSTATE = /^[0-9A-Z]{5}$/

/** For what a statement is refused with. What it says stays in `cause`: logs have its code alone. */
export function troubleOf(error: unknown): Error {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (OVERTAKEN.has(code)) return new Overtaken(code, { cause: error })
  if (!SQLSTATE.test(code) || LOST.test(code)) return new ConnectionLost(error)
  return new StoreAway(code === FULL ? 'full' : 'away', { cause: error })
}
