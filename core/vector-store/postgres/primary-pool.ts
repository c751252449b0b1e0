/** Pool of connections to the server in use: finds it among the hosts of an address, and leaves it when it fails. */
import pg from 'pg'
import { LIMITS } from '../../contract/limits.ts'
import type { Host, PostgresAddress } from './address.ts'
import { clientConfig } from './client.ts'
import { ConnectionLost, postgresError } from './errors.ts'

export interface PrimaryPool {
  /**
   * A connection from the pool. Looks for the server in use first if there is none. Rejects with StoreUnavailable; its
   * subclass ConnectionLost means that another attempt may succeed.
   */
  connect(): Promise<pg.PoolClient>
  /**
   * Returns a connection. A lost one takes the idle connections of its server with it: they lead to the same server,
   * which may be frozen, cut off, or a standby by now.
   */
  release(client: pg.PoolClient, isLost: boolean): void
  /** The server in use. Rejects like `connect`. */
  host(): Promise<Host>
  close(): Promise<void>
}

/** Time in milliseconds that an idle connection stays open. */
const KEEP_IDLE_MS = 60_000

/** One host, with its connections. */
interface Server {
  host: Host
  pool: pg.Pool
  idle: Set<pg.PoolClient>
}

/** Opens no connection yet. */
export function openPrimaryPool(address: PostgresAddress): PrimaryPool {
  let current: Server | undefined
  let finding: Promise<Server> | undefined
  let isClosed = false

  async function find(): Promise<Server> {
    const servers = address.hosts.map(host => openServer(address, host))
    try {
      current = await Promise.any(servers.map(provenServer))
      return current
    } catch (error) {
      throw errorOf(error as AggregateError)
    } finally {
      for (const server of servers) if (server !== current || isClosed) hangUp(server)
    }
  }

  function leave(server: Server): void {
    if (current === server) current = undefined
    hangUp(server)
  }

  const servers = new WeakMap<pg.PoolClient, Server>()

  async function connectTo(server: Server): Promise<pg.PoolClient> {
    const client = await server.pool.connect()
    servers.set(client, server)
    return client
  }

  async function serverInUse(): Promise<Server> {
    if (isClosed) throw new ConnectionLost(undefined)
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
    host: async () => (await serverInUse()).host,
    async close() {
      isClosed = true
      const server = current
      current = undefined
      if (server && !server.pool.ending) await server.pool.end()
    },
  }
}

function openServer(address: PostgresAddress, host: Host): Server {
  const pool = new pg.Pool({
    ...clientConfig(address, host),
    max: address.connections,
    pipeline: true,
    query_timeout: LIMITS.shardAnswerMs,
    connectionTimeoutMillis: LIMITS.shardAnswerMs,
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
  return { host, pool, idle }
}

/** Resolves when the server has accepted a connection, which it keeps. */
async function provenServer(server: Server): Promise<Server> {
  const client = await server.pool.connect()
  client.release()
  return server
}

/** Closes the idle connections without waiting for the server, and the others when they are returned. */
function hangUp({ pool, idle }: Server): void {
  if (pool.ending) return
  for (const client of idle) client.connection.stream.destroy()
  pool.end().catch(() => {})
}

/** A standby, and a primary that was made read-only, refuse transactions that write. */
function requireWrites(client: pg.PoolClient, done: (error?: Error) => void): void {
  client
    .query<{ transaction_read_only: string }>('show transaction_read_only')
    .then(({ rows: [row] }) => done(row?.transaction_read_only === 'off' ? undefined : new ReadOnly()), done)
}

class ReadOnly extends Error {
  override readonly name = 'ReadOnly'
}

/** Of the errors of all hosts, one that only an operator can resolve (a refused login), or else the first. */
function errorOf({ errors }: AggregateError): Error {
  const converted = (errors as Error[]).map(error => postgresError(error))
  return converted.find(error => !(error instanceof ConnectionLost)) ?? converted[0]!
}
