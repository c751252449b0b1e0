/** Queues writes to a database server with a single writer, and retries them while another core holds the write lock. */
import { type Client, type InStatement, LibsqlError } from '@libsql/client/sqlite3'
import { concurrencyLimit } from '../../../contract/concurrency-limit.ts'
import { environment, retry } from '../../../contract/environment.ts'
import { STORE_LIMITS } from '../../../contract/limits/store.ts'
import { assertInTime, isReading } from './change.ts'

/** Concurrent writes of one core: the next is in transit while the server executes the first. */
const WRITES = 2

/** Longest pause before a retry. */
const LONGEST_PAUSE_MS = 50

/**
 * Makes the client queue its writes in order, and run batches as write transactions. Modifies `client`. Without the queue, the
 * server would admit waiting writers in any order and refuse long waits. A write that waits longer than
 * STORE_LIMITS.databaseAnswerMs rejects.
 */
export function queuedWrites(client: Client): Client {
  const [execute, batch] = [client.execute.bind(client), client.batch.bind(client)]
  const queue = concurrencyLimit(WRITES, STORE_LIMITS.databaseAnswerMs, queueTimeout)
  return Object.assign(client, {
    execute: (statement: InStatement) =>
      isReading(statement) ? execute(statement) : queue(() => retryWhileBusy(() => execute(statement))),
    batch: (statements: Parameters<Client['batch']>[0]) =>
      queue(() => retryWhileBusy(() => batch(statements, 'write'))),
  })
}

const queueTimeout = (): Error => new LibsqlError('waited for too long', 'WAITED')

/**
 * Retries a transaction while another one holds the write lock. A transaction that is refused as busy did not begin or
 * was rolled back.
 */
const retryWhileBusy = <Result>(write: () => Promise<Result>) =>
  retry(
    () => {
      assertInTime()
      return write()
    },
    {
      isTemporary: error => error instanceof LibsqlError && error.code === 'SQLITE_BUSY',
      forMs: STORE_LIMITS.databaseAnswerMs,
      delayMs: () => environment.random() * LONGEST_PAUSE_MS,
    },
  )
