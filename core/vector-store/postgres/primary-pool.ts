/** Pool of connections to the server in use: finds it among the hosts of an address, and leaves it when it fails. */
import pg from 'pg'
import { retry } from '../../../contract/environment.ts'
import { STORE_LIMITS } from '../../../contract/limits/store.ts'
import { StoreUnavailable } from '../vector-store.ts'
import type { PostgresAddress } from './address.ts'
import { ConnectionLost, clientConfig, postgresError } from './client.ts'

interface PrimaryPool {
  /** A connection from the pool. Looks for the server first if none is in use. Rejects with StoreUnavailable. */
  connect(): Promise<pg.PoolClient>
  /**
   * Returns a connection. A lost one takes the idle connections of its server with it: they lead to the same server,
   * which may be frozen, cut off, or a standby by now.
   */
  release(client: pg.PoolClient, isLost: boolean): void
  /** Driver configuration of the server in use. Rejects like `connect`. */
  config(): Promise<pg.ClientConfig>
  close(): Promise<void>
}

/** Time in milliseconds that an idle connection stays open. */
const KEEP_IDLE_MS = 60_000

/** One host, with its connections. */
interface Server {
  config: pg.ClientConfig
  pool: pg.Pool
  idle: Set<pg.PoolClient>
}

/** Opens no connection yet. Throws LayoutRefused when a certificate cannot be read. */
export function openPrimaryPool(address: PostgresAddress): PrimaryPool {
  const configs = address.hosts.map(host => clientConfig(address, host))
  let current: Server | undefined
  let finding: Promise<Server> | undefined
  let isClosed = false
  const servers = new WeakMap<pg.PoolClient, Server>()

  /** Asks all hosts at once: a request waits for the fastest answer, and not for hosts that are cut off. */
  async function find(): Promise<Server> {
    const asked = configs.map(config => openServer(address, config))
    try {
      current = await Promise.any(asked.map(provenServer))
      return current
    } catch (error) {
      throw errorOf(error as AggregateError)
    } finally {
      for (const server of asked) if (server !== current || isClosed) hangUp(server)
    }
  }

  function leave(server: Server) {
    if (current === server) current = undefined
    hangUp(server)
  }

  async function connectTo(server: Server): Promise<pg.PoolClient> {
    const client = await server.pool.connect()
    servers.set(client, server)
    return client
  }

  async function serverInUse(): Promise<Server> {
    if (isClosed) throw new StoreUnavailable('away')
    if (current) return current
    finding ??= find().finally(() => {
      finding = undefined
    })
    return finding
  }

  return {
    async connect() {
      const server = current
      if (server) {
        try {
          return await connectTo(server)
        } catch (error) {
          // All connections are in use by a server that responds, or each of them reports the loss itself.
          if (server.pool.totalCount >= address.connections) throw new ConnectionLost(error)
          leave(server)
        }
      }
      const found = await serverInUse()
      return connectTo(found).catch(error => {
        throw postgresError(error)
      })
    },
    release(client, isLost) {
      const server = servers.get(client)!
      if (isLost) client.connection.stream.destroy()
      client.release(isLost)
      if (isLost) leave(server)
    },
    config: async () => (await serverInUse()).config,
    async close() {
      isClosed = true
      const server = current
      current = undefined
      if (server && !server.pool.ending) await server.pool.end()
    },
  }
}

function openServer(address: PostgresAddress, config: pg.ClientConfig): Server {
  const pool = new pg.Pool({
    ...config,
    max: address.connections,
    pipeline: true,
    query_timeout: STORE_LIMITS.shardAnswerMs,
    connectionTimeoutMillis: STORE_LIMITS.shardAnswerMs,
    idleTimeoutMillis: KEEP_IDLE_MS,
    allowExitOnIdle: true,
    ...(address.readWrite && { verify: requireWrites }),
  })
  const idle = new Set<pg.PoolClient>()
  // The query of a broken connection reports the error; an idle connection leaves the pool by itself.
  pool.on('error', () => {})
  pool.on('connect', client => client.on('error', () => {}))
  pool.on('acquire', client => idle.delete(client))
  pool.on('release', (_, client) => idle.add(client))
  pool.on('remove', client => idle.delete(client))
  return { config, pool, idle }
}

/**
 * Resolves when the server has accepted a connection, which it keeps. Asks a standby again until the time of one answer
 * of a shard is over: it may become the primary while another host is silent.
 */
async function provenServer(server: Server): Promise<Server> {
  const client = await retry(() => server.pool.connect(), {
    isTemporary: error => error instanceof ReadOnly,
    forMs: STORE_LIMITS.shardAnswerMs,
    delayMs: STORE_LIMITS.shardRecheckMs,
  })
  client.release()
  return server
}

/** Closes idle connections without waiting for the server, and used connections when they are returned. */
function hangUp({ pool, idle }: Server) {
  if (pool.ending) return
  for (const client of idle) client.connection.stream.destroy()
  pool.end().catch(() => {})
}

/** A standby, and a primary that was made read-only, refuse transactions that write. */
function requireWrites(client: pg.PoolClient, done: (error?: Error) => void) {
  client
    .query<{ transaction_read_only: string }>('show transaction_read_only')
    .then(({ rows: [row] }) => done(row?.transaction_read_only === 'off' ? undefined : new ReadOnly()), done)
}

class ReadOnly extends Error {
  override readonly name = 'ReadOnly'
}

/**
 * Among the errors of all hosts: an error that only an operator can resolve (a refused login), or else the first error. None is a
 * ConnectionLost: another attempt would ask the same hosts at once again.
 */
function errorOf({ errors }: AggregateError): StoreUnavailable {
  const refusal = errors.find(error => !(postgresError(error) instanceof ConnectionLost))
  return new StoreUnavailable('away', { cause: refusal ?? errors[0] })
}
