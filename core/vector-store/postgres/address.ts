/** Address of a shard in PostgreSQL: parses it, removes its password, and identifies its storage. */
import * as z from 'zod'

/** Type of the values of an index: 16 bits (`halfvec`) or 32 bits (`vector`). */
export type IndexType = 'halfvec' | 'vector'

export interface PostgresAddress {
  /** A host name, an IP address, or the folder of a Unix socket. */
  host: string
  port: number
  database: string
  user: string
  /** Absent when the environment (PGPASSWORD), ~/.pgpass or the server's trust gives access. */
  password: string | undefined
  /** Contains all tables of the service. */
  schema: string
  type: IndexType
  /** Candidates that a search keeps while it traverses an index (ef_search): more find more, and take longer. */
  candidates: number
  /** Maximum size of the connection pool. */
  connections: number
  tls: 'off' | 'unverified' | { rootFile: string | undefined }
  /** The operator accepts that this server may lose acknowledged writes. */
  mayLose: boolean
}

const integer = (least: number, most: number) => z.coerce.number().int().min(least).max(most)

const QuerySchema = z.strictObject({
  type: z.enum(['halfvec', 'vector']).default('halfvec'),
  schema: z
    .string()
    .regex(/^[a-z_][a-z0-9_]{0,30}$/)
    .default('mien'),
  host: z.string().startsWith('/').optional(),
  ef_search: integer(10, 1_000).default(200),
  connections: integer(2, 100).default(8),
  sslmode: z.enum(['disable', 'require', 'verify-full']).optional(),
  sslrootcert: z.string().optional(),
  fsync: z.literal('off').optional(),
})

const PORT = 5432

/** Hosts that need no TLS: the folder of a Unix socket, and this machine. */
const LOCAL_HOST = /^(\/.*|localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|::1)$/i

/** Whether the address has the scheme of PostgreSQL. */
export const isPostgres = (address: string): boolean => /^postgres(ql)?:/.test(address)

/** Parses an address; undefined when it is not valid. Default for TLS: off on this machine, verified elsewhere. */
export function postgresAddress(text: string): PostgresAddress | undefined {
  const url = isPostgres(text) && URL.canParse(text) ? new URL(text) : undefined
  const parameters = QuerySchema.safeParse(Object.fromEntries(url?.searchParams ?? []))
  if (!url || !parameters.success || url.hash !== '') return undefined
  const { data } = parameters
  const database = decoded(url.pathname.slice(1))
  const [user, password] = [decoded(url.username), decoded(url.password)]
  const host = data.host ?? url.hostname.replace(/^\[|\]$/g, '')
  if (!database || database.includes('/') || !user || password === undefined || host === '') return undefined
  return {
    host,
    port: Number(url.port || PORT),
    database,
    user,
    password: password === '' ? undefined : password,
    schema: data.schema,
    type: data.type,
    candidates: data.ef_search,
    connections: data.connections,
    tls: tlsOf(data.sslmode ?? (LOCAL_HOST.test(host) ? 'disable' : 'verify-full'), data.sslrootcert),
    mayLose: data.fsync === 'off',
  }
}

function tlsOf(
  mode: 'disable' | 'require' | 'verify-full',
  rootFile: string | undefined,
): PostgresAddress['tls'] {
  if (mode === 'disable') return 'off'
  return mode === 'require' ? 'unverified' : { rootFile }
}

/** The valid address `text` without its password: it may be stored and shown. */
export function withoutPassword(text: string): string {
  const url = new URL(text)
  url.password = ''
  return url.href
}

/** Identity of the storage of the valid address `text`: equal for two addresses that differ only in how they connect. */
export function placeOf(text: string): string {
  const { host, port, database, schema } = postgresAddress(text)!
  return `postgres://${host}:${port}/${database}/${schema}`
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
