/** Follows the change of a request through the metadata: until when it may be written, and whether it was. */
import { AsyncLocalStorage } from 'node:async_hooks'
import type { InStatement, ResultSet } from '@libsql/client'
import { environment } from '../../../contract/environment.ts'

/** A request that changes data. */
export interface Change {
  /** By `environment.monotonic()`: no transaction of the change begins later. */
  latestStart: number
  /** `written`: a transaction changed rows. `unknown`: the answer to one was lost. */
  state: 'open' | 'written' | 'unknown'
  /** The request is answered. Work that still runs does not belong to the change. */
  isEnded: boolean
}

/** The change was not begun in time. Nothing was written. */
export class TooLate extends Error {
  override readonly name = 'TooLate'
}

/** Whether this error, or one of its causes, is TooLate. */
export const isTooLate = (error: unknown): boolean =>
  error instanceof TooLate || (error instanceof Error && isTooLate(error.cause))

const changes = new AsyncLocalStorage<Change | undefined>()

const present = (): Change | undefined => {
  const change = changes.getStore()
  return change?.isEnded ? undefined : change
}

/** Runs a request. Its transactions, also in functions that it calls, count to the change. */
export async function followChange<Result>(change: Change, work: () => Promise<Result>): Promise<Result> {
  try {
    return await changes.run(change, work)
  } finally {
    change.isEnded = true
  }
}

/** Runs statements that do not count to the change of the request: reconciliation undoes them when it is not written. */
export const outsideChange = <Result>(work: () => PromiseLike<Result>): Promise<Result> =>
  changes.run(undefined, async () => work())

/** Whether this runs for a request that changes data. */
export const isInChange = (): boolean => present() !== undefined

/** Throws TooLate when it is too late for the first transaction of the request's change. A begun change continues. */
export function assertInTime(): void {
  const change = present()
  if (change?.state === 'open' && environment.monotonic() > change.latestStart) throw new TooLate()
}

/** Begins a change outside of the metadata that reconciliation cannot undo. Throws TooLate. */
export function beginWriting(): void {
  assertInTime()
  noteWritten()
}

/** Notes that a transaction of the request changed rows. */
export const noteWritten = (): void => note('written')

/** Notes that the answer to a transaction of the request was lost. */
export const noteUnknown = (): void => note('unknown')

function note(state: Change['state']) {
  const change = present()
  if (change && change.state !== 'written') change.state = state
}

/** Whether a statement, or each statement of a batch, only reads. */
export const isReading = (statements: unknown): boolean =>
  Array.isArray(statements)
    ? statements.every(isReading)
    : /^\s*(select|pragma)\b/i.test(sqlOf(statements as InStatement))

const sqlOf = (statement: InStatement) => (typeof statement === 'string' ? statement : statement.sql)

/** Notes whether the results of a statement, or of a batch, say that rows were changed. Of rows that a write returns, libSQL counts none. */
export function noteResults(statements: unknown, results: unknown): void {
  const written = [statements].flat().map(statement => !isReading(statement))
  const hasWritten = [(results ?? []) as ResultSet]
    .flat()
    .some(({ rowsAffected, rows }, i) => written[i] && (rowsAffected > 0 || rows.length > 0))
  if (hasWritten) noteWritten()
}
