/** A PostgreSQL with pgvector for tests: the server of MIEN_TEST_POSTGRES, or PGlite behind a socket. */
import type { AddressInfo } from 'node:net'
import { PGlite } from '@electric-sql/pglite'
import { vector } from '@electric-sql/pglite-pgvector'
import { PGLiteSocketServer } from '@electric-sql/pglite-socket'
import pg from 'pg'
import { type PostgresAddress, postgresAddress } from '#core/vector-store/postgres/address.ts'
import { clientConfig } from '#core/vector-store/postgres/client.ts'

export const REAL = process.env.MIEN_TEST_POSTGRES

/** Longest start of databases, on a machine that may be busy. */
export const START_MS = 120_000

interface TestDatabase {
  /** The address of a new, empty schema. */
  fresh(parameters?: string): PostgresAddress
  /** Runs a statement as administrator, in a separate connection. */
  ask<Row = unknown>(text: string): Promise<Row[]>
}

/** One database for all tests of a file. */
export function testDatabase(): TestDatabase {
  let base = REAL ?? ''
  let close = async () => {}
  const made: string[] = []
  const prefix = `t${process.pid}_${Date.now() % 1e6}_`

  const ask = async <Row>(text: string): Promise<Row[]> => {
    const address = postgresAddress(base)!
    const client = new pg.Client(clientConfig(address, address.hosts[0]!))
    await client.connect()
    try {
      return (await client.query(text)).rows
    } finally {
      await client.end()
    }
  }

  beforeAll(async () => {
    if (REAL === undefined) ({ base, close } = await servePglite())
  }, START_MS)
  afterAll(async () => {
    for (const schema of made) await ask(`drop schema if exists ${schema} cascade`)
    await close()
  })
  return {
    fresh(parameters = '') {
      const schema = `${prefix}${made.length}`
      made.push(schema)
      const joint = base.includes('?') ? '&' : '?'
      return postgresAddress(`${base}${joint}schema=${schema}${parameters}`)!
    },
    ask,
  }
}

/** The address as text, as an operator's list of shards has it. */
export function addressText({
  user,
  password,
  hosts: [host],
  schema,
  mayLose,
  database,
}: PostgresAddress): string {
  const secret = password === undefined ? '' : `:${password}`
  const server = `${user}${secret}@${host!.host}:${host!.port}`
  return `postgres://${server}/${database}?schema=${schema}${mayLose ? '&fsync=off' : ''}`
}

export interface Pglite {
  database: PGlite
  /** Address, with one parameter. */
  base: string
  close(): Promise<void>
}

/** PostgreSQL in WebAssembly. It never syncs, and all connections share one session. */
export async function servePglite(): Promise<Pglite> {
  const database = await PGlite.create({ extensions: { vector } })
  const server = new PGLiteSocketServer({ db: database, port: 0, maxConnections: 50 })
  await server.start()
  const { port } = (server as unknown as { server: { address(): AddressInfo } }).server.address()
  return {
    database,
    base: `postgres://postgres@127.0.0.1:${port}/postgres?fsync=off`,
    async close() {
      await server.stop()
      await database.close()
    },
  }
}
