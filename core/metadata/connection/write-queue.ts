/** Writes to a server that has one writer: few at a time of each core, and again where another one had the database. */
import { setTimeout as sleep } from 'node:timers/promises'
import { type Client, type InStatement, LibsqlError } from '@libsql/client'
import { concurrencyLimit } from '../../contract/concurrency-limit.ts'
import { LIMITS } from '../../contract/limits.ts'

/** Of one core: while the server works on one, the next is on its way. */
const WRITES = 2

/** The longest pause before the next attempt. */
const PAUSE_MS = 50

/**
 * The same client, whose batches are transactions that write. Many at once would all wait at the server, which lets in whom it
 * pleases, and refuses who has waited too long; here they come in their order. Who waits longer than an answer may take rejects.
 */
export function queuedWrites(client: Client): Client {
  const [execute, batch] = [client.execute.bind(client), client.batch.bind(client)]
  const line = concurrencyLimit(WRITES, LIMITS.databaseAnswerMs, waited)
  return Object.assign(client, {
    execute: (statement: InStatement) =>
      isReading(statement) ? execute(statement) : line(() => unlessBusy(() => execute(statement))),
    batch: (statements: Parameters<Client['batch']>[0]) =>
      line(() => unlessBusy(() => batch(statements, 'write'))),
  })
}

const waited = (): Error => new LibsqlError('waited for too long', 'WAITED')

const isReading = (statement: InStatement): boolean =>
  /^\s*(select|pragma)\b/i.test(typeof statement === 'string' ? statement : statement.sql)

/** A transaction that is told that another has the database was not begun, or is undone: it may be tried again. */
async function unlessBusy<Result>(write: () => Promise<Result>): Promise<Result> {
  for (const end = performance.now() + LIMITS.databaseAnswerMs; ; ) {
    try {
      return await write()
    } catch (error) {
      const isBusy = error instanceof LibsqlError && error.code === 'SQLITE_BUSY'
      if (!isBusy || performance.now() > end) throw error
      await sleep(Math.random() * PAUSE_MS)
    }
  }
}
