/** One connection: its configuration and its queries. Only this file and connections.ts use the driver. */
import { readFileSync } from 'node:fs'
import pg from 'pg'
import { LayoutRefused, StoreUnavailable } from '../vector-store.ts'
import type { Host, PostgresAddress } from './address.ts'

export type Value = string | number | boolean | Buffer | null | readonly string[] | readonly number[]

/** Executes one statement; resolves with its rows, by column name. Rejects with ConcurrentChange and StoreUnavailable. */
export type Sql = <Row>(text: string, values?: readonly Value[]) => Promise<Row[]>

/** Driver configuration for a host of an address. Throws LayoutRefused when a certificate cannot be read. */
export function clientConfig(address: PostgresAddress, { host, port }: Host): pg.ClientConfig {
  const { database, user, password, tls } = address
  return {
    host,
    port,
    database,
    user,
    // Without a password, the driver reads PGPASSWORD and ~/.pgpass.
    ...(password !== undefined && { password }),
    ssl: tls === 'off' ? false : tlsOptions(tls, host),
    application_name: 'mien',
    keepAlive: true,
  }
}

function tlsOptions(tls: Exclude<PostgresAddress['tls'], 'off'>, servername: string) {
  if (tls === 'unverified') return { rejectUnauthorized: false }
  return { servername, ...(tls.rootFile !== undefined && { ca: certificatesIn(tls.rootFile) }) }
}

function certificatesIn(file: string) {
  try {
    return readFileSync(file, 'utf8')
  } catch (cause) {
    throw new LayoutRefused(`${file}, which sslrootcert names, can't be read.`, { cause })
  }
}

/** By type number of PostgreSQL: bigint (ids and counts, below 2^53), and bytea (always vectors here). */
const PARSERS: Record<number, (text: string) => unknown> = { 20: Number, 17: vectorOf }

const types = { getTypeParser: (type: number) => PARSERS[type] ?? pg.types.getTypeParser(type) }

/** Executes statements on this connection. */
export const sqlOf =
  (client: pg.ClientBase): Sql =>
  async (text, values) => {
    const query = { text, values: values && [...values], types } as pg.QueryConfig
    const { rows } = await client.query(query).catch(error => {
      throw postgresError(error)
    })
    return rows
  }

/** pgvector's format: the uint16 number of values, two zero bytes, and each value as a big-endian float32. */
const VECTOR_HEADER_BYTES = 4

/** Encodes a vector. */
export function vectorBytes(vector: Float32Array): Buffer {
  const bytes = Buffer.alloc(VECTOR_HEADER_BYTES + 4 * vector.length)
  bytes.writeUInt16BE(vector.length, 0)
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  for (let i = 0; i < vector.length; i++) view.setFloat32(VECTOR_HEADER_BYTES + 4 * i, vector[i]!)
  return bytes
}

/** Decodes the hexadecimal text that PostgreSQL returns for bytes. */
function vectorOf(text: string): Float32Array {
  const bytes = Buffer.from(text.slice(HEX.length), 'hex')
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const vector = new Float32Array(view.getUint16(0))
  for (let i = 0; i < vector.length; i++) vector[i] = view.getFloat32(VECTOR_HEADER_BYTES + 4 * i)
  return vector
}

const HEX = '\\x'

/** The transaction had no effect, and may be retried as a whole. */
export class ConcurrentChange extends Error {
  override readonly name = 'ConcurrentChange'
}

/** The connection is lost, or could not be opened. */
export class ConnectionLost extends StoreUnavailable {
  constructor(cause: unknown) {
    super('away', { cause })
  }
}

/** SQLSTATE of a full disk. */
const FULL = '53100'

/** SQLSTATEs of concurrent changes: serialization failure, deadlock, a new duplicate key, a dropped partition. */
const CONFLICT_CODES = new Set(['40001', '40P01', '23505', '42P01'])

/** SQLSTATEs of connection exceptions, and of a server that shuts down, starts up or became read-only. */
const LOST = /^(08...|57P0.|25006)$/

/** Converts the error of a statement. Its message stays in `cause`: logs contain only its code. */
export function postgresError(error: unknown): Error {
  // Only errors of a server have a severity; codes of socket errors can look like its codes.
  const said = error instanceof Error && 'severity' in error && 'code' in error
  const code = said ? String(error.code) : ''
  if (CONFLICT_CODES.has(code)) return new ConcurrentChange(code, { cause: error })
  if (!said || LOST.test(code)) return new ConnectionLost(error)
  return new StoreUnavailable(code === FULL ? 'full' : 'away', { cause: error })
}
