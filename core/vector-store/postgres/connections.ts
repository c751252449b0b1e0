/** Connections to one database: a bounded pool, transactions with deadlines, and what may be tried again. */
import pg from 'pg'
import { LIMITS } from '../../contract/limits.ts'
import { StoreUnavailable } from '../vector-store.ts'
import type { PostgresAddress } from './address.ts'
import { asking, clientConfig, type Sql } from './client.ts'
import { ConcurrentChange, ConnectionLost, postgresError } from './troubles.ts'

export interface Connections {
  /** Reads what is there at one moment. Tried again when a connection turns out to be lost. */
  read<Outcome>(work: (sql: Sql) => Promise<Outcome>): Promise<Outcome>
  /**
   * A transaction, on disk when this resolves. What others overtake is tried again; what was sent over a connection that
   * is lost, never.
   */
  write<Outcome>(work: (sql: Sql) => Promise<Outcome>): Promise<Outcome>
  /** A connection of its own: each statement is by itself, has no deadline, and is given up when the signal comes. */
  alone<Outcome>(signal: AbortSignal, work: (sql: Sql) => Promise<Outcome>): Promise<Outcome>
  close(): Promise<void>
}

/** How often a transaction is tried that others overtake. */
const ATTEMPTS = 5

/** How long after its beginning a reading may be begun anew. */
const AGAIN_MS = 1_000

/** How long a transaction waits for its next statement: beyond that, whoever began it is gone. */
const IDLE_MS = 30_000

/** How long a connection is kept that nobody needs. */
const REST_MS = 60_000

/** Nothing is asked yet. Names are looked for in these schemas. */
export function openConnections(address: PostgresAddress, schemas: readonly string[]): Connections {
  const pool = new pg.Pool({
    ...clientConfig(address),
    max: address.connections,
    pipeline: true,
    query_timeout: LIMITS.shardAnswerMs,
    connectionTimeoutMillis: LIMITS.shardAnswerMs,
    idleTimeoutMillis: REST_MS,
    allowExitOnIdle: true,
  })
  // Whoever uses a connection that breaks is told by their question; one that rests is no longer in the pool.
  pool.on('error', () => {})
  pool.on('connect', client => client.on('error', () => {}))
  const path = `search_path = ${schemas.map(schema => `"${schema}"`).join(', ')}`
  // For this transaction alone, so that a proxy may share connections among transactions.
  const bounds =
    `set local statement_timeout = ${LIMITS.shardAnswerMs}; ` +
    `set local idle_in_transaction_session_timeout = ${IDLE_MS}; set local bytea_output = hex; set local jit = off; set local ${path}`
  const reading = `begin isolation level repeatable read read only; ${bounds}`
  const writing = `begin isolation level read committed read write; ${bounds}; set local synchronous_commit = on`

  async function withClient<Outcome>(work: (client: pg.PoolClient) => Promise<Outcome>): Promise<Outcome> {
    const client = await pool.connect().catch(error => {
      throw postgresError(error)
    })
    try {
      const outcome = await work(client)
      client.release()
      return outcome
    } catch (error) {
      const lost =
        error instanceof ConnectionLost ||
        (await client.query('rollback').then(
          () => false,
          () => true,
        ))
      client.release(lost)
      throw error
    }
  }

  return {
    async read(work) {
      const began = performance.now()
      for (let attempt = 0; ; attempt++) {
        try {
          return await withClient(async client => {
            // Sent together with what follows, which fails with it.
            client.query(reading).catch(() => {})
            const outcome = await work(asking(client))
            client.query('commit').catch(() => {})
            return outcome
          })
        } catch (error) {
          const again = error instanceof ConnectionLost || error instanceof ConcurrentChange
          // Every connection of the pool may have died while it rested.
          const inTime = attempt < address.connections && performance.now() - began < AGAIN_MS
          if (!again || !inTime) throw away(error)
        }
      }
    },
    async write(work) {
      for (let attempt = 1; ; attempt++) {
        let begun = false
        try {
          return await withClient(async client => {
            await sent(client, writing)
            begun = true
            const outcome = await work(asking(client))
            // A transaction that failed before is ended by this, too, and by another word.
            if ((await sent(client, 'commit')) !== 'COMMIT') throw new StoreUnavailable('away')
            return outcome
          })
        } catch (error) {
          const again = error instanceof ConcurrentChange || (error instanceof ConnectionLost && !begun)
          if (!again || attempt === ATTEMPTS) throw away(error)
        }
      }
    },
    async alone(signal, work) {
      const client = new pg.Client({
        ...clientConfig(address),
        connectionTimeoutMillis: LIMITS.shardAnswerMs,
      })
      client.on('error', () => {})
      const giveUp = () => client.connection.stream.destroy()
      signal.addEventListener('abort', giveUp)
      try {
        await client.connect().catch(error => {
          throw postgresError(error)
        })
        // The server notices within a second that we are gone, however long a statement takes.
        await sent(
          client,
          `set ${path}; set statement_timeout = 0; set client_connection_check_interval = 1000`,
        )
        return await work(asking(client))
      } catch (error) {
        throw away(error)
      } finally {
        signal.removeEventListener('abort', giveUp)
        await client.end().catch(() => {})
      }
    },
    close: () => pool.end(),
  }
}

/** Statements without values; resolves with what the last one says that it did. */
async function sent(client: pg.ClientBase, text: string): Promise<string> {
  const answer = await client.query(text).catch(error => {
    throw postgresError(error)
  })
  const last: { command: string } = Array.isArray(answer) ? answer.at(-1) : answer
  return last.command
}

/** As the store's callers know it. */
const away = (error: unknown): unknown =>
  error instanceof ConcurrentChange ? new StoreUnavailable('away', { cause: error }) : error
