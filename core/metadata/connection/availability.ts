/** The database's absence: told from its answers, bounded in time, and said once when it begins and when it ends. */
import { type Client, LibsqlError } from '@libsql/client'
import { isDiskFull } from '../../files/disk-full.ts'

/** No answer, or none that can be used: whether what was asked for has been done is not known. */
export class DatabaseUnavailable extends Error {
  override readonly name = 'DatabaseUnavailable'

  constructor(options?: ErrorOptions) {
    super('The database gives no answer.', options)
  }
}

/** Told when the database is away, and when it is back. The cause is for a log that knows what of it may be said. */
export type OnDatabaseAvailability = (event: 'database away' | 'database back', cause?: unknown) => void

/** Whether this error, or what caused it, is the database's absence. */
export const isDatabaseUnavailable = (error: unknown): boolean =>
  error instanceof DatabaseUnavailable || (error instanceof Error && isDatabaseUnavailable(error.cause))

/** What the client says of statements that the database has answered to: SQLite's codes, and a server's for SQL and its values. */
const ANSWERS = /^(SQL_|SQLITE_|ARGS_)/

/** Those of them that are about the moment. */
const PASSING = /^SQLITE_(BUSY|LOCKED|IOERR|INTERRUPT|NOMEM|CANTOPEN|PROTOCOL)/

const isAnswer = (error: unknown): boolean =>
  error instanceof LibsqlError && ANSWERS.test(error.code) && !PASSING.test(error.code)

/** The status that a server refused with before it looked at a statement; undefined where it was not that. */
export function refusedWith(error: unknown): number | undefined {
  if (!(error instanceof Error)) return undefined
  const status = 'status' in error ? Number(error.status) : undefined
  return status === 401 || status === 403 ? status : refusedWith(error.cause)
}

/** The same client, that rejects with DatabaseUnavailable where there is no answer. A full disk is one: nothing was done. */
export function watched(client: Client, news: OnDatabaseAvailability): Client {
  let away = false
  const watching =
    <Values extends unknown[], Result>(ask: (...values: Values) => Promise<Result>) =>
    async (...values: Values): Promise<Result> => {
      try {
        const result = await ask(...values)
        if (away) news('database back')
        away = false
        return result
      } catch (error) {
        if (isAnswer(error) || isDiskFull(error)) throw error
        if (!away) news('database away', error)
        away = true
        throw new DatabaseUnavailable({ cause: error })
      }
    }
  return Object.assign(client, {
    execute: watching(client.execute.bind(client) as Client['execute']),
    batch: watching(client.batch.bind(client)),
    migrate: watching(client.migrate.bind(client)),
  })
}
