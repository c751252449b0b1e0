/** Detects that the database is unavailable: reports each outage once, and retries refused connections. */

import { type Client, LibsqlError } from '@libsql/client/sqlite3'
import { environment, retry } from '../../../contract/environment.ts'
import { isDiskFull } from '../../files/disk-space.ts'
import { isReading, noteResults, noteUnknown, TooLate } from './change.ts'

/** The database returned no usable response. Whether it executed the statement is unknown. */
export class DatabaseUnavailable extends Error {
  override readonly name = 'DatabaseUnavailable'

  constructor(options?: ErrorOptions) {
    super('The database gives no answer.', options)
  }
}

/**
 * Called when the database becomes unavailable and when it is available again. `cause` can contain confidential
 * details: filter it before logging.
 */
export type OnDatabaseAvailability = (
  event: 'database unavailable' | 'database available',
  cause?: unknown,
) => void

/** Whether this error, or one of its causes, is DatabaseUnavailable. */
export const isDatabaseUnavailable = (error: unknown): boolean =>
  error instanceof DatabaseUnavailable || (error instanceof Error && isDatabaseUnavailable(error.cause))

/** Error codes that the database itself returned: SQLite's codes, and a server's codes for SQL and its arguments. */
const DATABASE_ERRORS = /^(SQL_|SQLITE_|ARGS_)/

/** Error codes of the database for a transient state. */
const TRANSIENT_ERRORS = /^SQLITE_(BUSY|LOCKED|IOERR|INTERRUPT|NOMEM|CANTOPEN|PROTOCOL)/

const isDatabaseError = (error: unknown) =>
  error instanceof LibsqlError && DATABASE_ERRORS.test(error.code) && !TRANSIENT_ERRORS.test(error.code)

/** Whether the database gave no usable response. A full disk is one, and a change that is too late does not ask. */
const isOutage = (error: unknown) =>
  !isDatabaseError(error) && !isDiskFull(error) && !(error instanceof TooLate)

/** HTTP status 401 or 403 with which a server refused a request before it read a statement; undefined for other errors. */
export function refusedStatus(error: unknown): number | undefined {
  if (!(error instanceof Error)) return undefined
  const status = 'status' in error ? Number(error.status) : undefined
  return status === 401 || status === 403 ? status : refusedStatus(error.cause)
}

/** Whether the database may have executed a change that failed with this error: its answer was lost. */
const mayBeExecuted = (statements: unknown, error: unknown) =>
  !isReading(statements) &&
  !(error instanceof LibsqlError && NOT_EXECUTED.test(error.code)) &&
  !isRefused(error) &&
  refusedStatus(error) === undefined

/** Codes of transactions that did not begin or were rolled back. The last two are of write-queue.ts and database.ts. */
const NOT_EXECUTED = /^(SQLITE_\w+|WAITED|FILE_REPLACED)$/

/**
 * Makes the client reject with DatabaseUnavailable when the database does not respond, and record what the change of the request
 * wrote. Modifies `client`. Errors for a full disk pass through: nothing was written.
 */
export function watchAvailability(client: Client, report: OnDatabaseAvailability): Client {
  let unavailable = false
  const watch =
    <Values extends unknown[], Result>(call: (...values: Values) => Promise<Result>) =>
    async (...values: Values): Promise<Result> => {
      try {
        const result = await call(...values)
        noteResults(values[0], result)
        if (unavailable) report('database available')
        unavailable = false
        return result
      } catch (error) {
        if (!isOutage(error)) throw error
        if (mayBeExecuted(values[0], error)) noteUnknown()
        if (!unavailable) report('database unavailable', error)
        unavailable = true
        throw new DatabaseUnavailable({ cause: error })
      }
    }
  return Object.assign(client, {
    execute: watch(client.execute.bind(client) as Client['execute']),
    batch: watch(client.batch.bind(client)),
    executeMultiple: watch(client.executeMultiple.bind(client)),
  })
}

type Send = (request: Request) => Promise<Response>

/** Pause before a retry. */
const RETRY_PAUSE_MS = 50

/**
 * Wraps `send` to retry while connections are refused, for at most `patienceMs()` milliseconds after the first refusal.
 * Later requests share this deadline. A response resets it.
 */
export function retryRefusedConnections(send: Send, patienceMs: () => number): Send {
  let since: number | undefined
  const isTemporary = (error: unknown) => {
    if (!isRefused(error)) return false
    since ??= environment.monotonic()
    return environment.monotonic() - since < patienceMs()
  }
  return async request => {
    const response = await retry(() => send(request.clone()), { isTemporary, delayMs: RETRY_PAUSE_MS })
    since = undefined
    return response
  }
}

const isRefused = (error: unknown): boolean =>
  error instanceof Error && (('code' in error && error.code === 'ECONNREFUSED') || isRefused(error.cause))
