/** Transactions with deadlines and retries, on the connections of one database. */
import pg from 'pg'
import { retry } from '../../../contract/environment.ts'
import { STORE_LIMITS } from '../../../contract/limits/store.ts'
import { StoreUnavailable } from '../vector-store.ts'
import type { PostgresAddress } from './address.ts'
import { ConcurrentChange, ConnectionLost, postgresError, type Sql, sqlOf } from './client.ts'
import { openPrimaryPool } from './primary-pool.ts'

export interface Connections {
  /** Reads from one snapshot. Retried when a connection turns out to be lost, not when no server accepts one. */
  read<Outcome>(work: (sql: Sql) => Promise<Outcome>): Promise<Outcome>
  /**
   * Runs a transaction; durable when this resolves. Retried after a concurrent change. Not retried when the connection
   * is lost after its begin: the commit may have succeeded.
   */
  write<Outcome>(work: (sql: Sql) => Promise<Outcome>): Promise<Outcome>
  /** Opens a connection for one task. Each statement is its own transaction and has no deadline; the signal aborts it. */
  alone<Outcome>(signal: AbortSignal, work: (sql: Sql) => Promise<Outcome>): Promise<Outcome>
  close(): Promise<void>
}

/** Attempts of a transaction under concurrent changes. */
const ATTEMPTS = 5

/** Attempts of a read, and time in milliseconds, from the first one, in which they begin. */
const READ_ATTEMPTS = 4
const RETRY_READS_MS = 1_000

/** Time in milliseconds that a transaction waits for its next statement. A longer pause means that its client is dead. */
const IDLE_MS = 30_000

/** Sends no query yet. `schemas` is the search path. */
export function openConnections(address: PostgresAddress, schemas: readonly string[]): Connections {
  const pool = openPrimaryPool(address)
  const path = `search_path = ${schemas.map(schema => `"${schema}"`).join(', ')}`
  // Valid for one transaction: a proxy may share connections among transactions.
  const bounds =
    `set local statement_timeout = ${STORE_LIMITS.shardAnswerMs}; ` +
    `set local idle_in_transaction_session_timeout = ${IDLE_MS}; set local bytea_output = hex; set local jit = off; set local ${path}`
  const reading = `begin isolation level repeatable read read only; ${bounds}`
  const writing = `begin isolation level read committed read write; ${bounds}; set local synchronous_commit = on`

  async function withClient<Outcome>(work: (client: pg.PoolClient) => Promise<Outcome>): Promise<Outcome> {
    const client = await pool.connect()
    try {
      const outcome = await work(client)
      pool.release(client, false)
      return outcome
    } catch (error) {
      const lost =
        error instanceof ConnectionLost ||
        (await client.query('rollback').then(
          () => false,
          () => true,
        ))
      pool.release(client, lost)
      throw error
    }
  }

  return {
    read: work =>
      retry(
        () =>
          withClient(async client => {
            // Sent together with the next statement, which fails with it.
            client.query(reading).catch(() => {})
            const outcome = await work(sqlOf(client))
            client.query('commit').catch(() => {})
            return outcome
          }),
        {
          isTemporary: error => error instanceof ConnectionLost || error instanceof ConcurrentChange,
          attempts: READ_ATTEMPTS,
          forMs: RETRY_READS_MS,
        },
      ).catch(throwStoreError),
    write(work) {
      let begun: boolean
      return retry(
        () => {
          begun = false
          return withClient(async client => {
            await execute(client, writing)
            begun = true
            const outcome = await work(sqlOf(client))
            await commit(client)
            return outcome
          })
        },
        {
          isTemporary: error =>
            error instanceof ConcurrentChange || (error instanceof ConnectionLost && !begun),
          attempts: ATTEMPTS,
        },
      ).catch(throwStoreError)
    },
    async alone(signal, work) {
      const client = new pg.Client({
        ...(await pool.config()),
        connectionTimeoutMillis: STORE_LIMITS.shardAnswerMs,
      })
      client.on('error', () => {})
      const disconnect = () => client.connection.stream.destroy()
      signal.addEventListener('abort', disconnect)
      try {
        await client.connect().catch(error => {
          throw postgresError(error)
        })
        // The server detects a dead client within a second, also during a long statement.
        await execute(
          client,
          `set ${path}; set statement_timeout = 0; set client_connection_check_interval = 1000`,
        )
        return await work(sqlOf(client))
      } catch (error) {
        return throwStoreError(error)
      } finally {
        signal.removeEventListener('abort', disconnect)
        await client.end().catch(() => {})
      }
    },
    close: () => pool.close(),
  }
}

/**
 * Commits a transaction. Throws StoreUnavailable when it is not certainly durable, on the standbys too: a warning means
 * that an administrator has ended the wait for a synchronous standby.
 */
async function commit(client: pg.ClientBase) {
  let isWarned = false
  const warn = () => {
    isWarned = true
  }
  client.on('notice', warn)
  try {
    // `commit` also ends a failed transaction, but with another command tag.
    const tag = await execute(client, 'commit')
    if (tag !== 'COMMIT' || isWarned) throw new StoreUnavailable('away')
  } finally {
    client.off('notice', warn)
  }
}

/** Executes statements without values; resolves with the command tag of the last one. */
async function execute(client: pg.ClientBase, text: string) {
  const answer = await client.query(text).catch(error => {
    throw postgresError(error)
  })
  const last: { command: string } = Array.isArray(answer) ? answer.at(-1) : answer
  return last.command
}

/** Replaces internal errors by errors of the store interface. */
function throwStoreError(cause: unknown): never {
  throw cause instanceof ConcurrentChange ? new StoreUnavailable('away', { cause }) : cause
}
