/** The address of a shard in PostgreSQL: as an operator writes it, as it is recorded, and what is connected to. */
import * as z from 'zod'

/** What the vectors of an index are rounded to: 16 bits a number, or 32. */
export type IndexType = 'halfvec' | 'vector'

export interface PostgresAddress {
  /** A name, an address, or the folder of a socket. */
  host: string
  port: number
  database: string
  user: string
  /** Absent where the environment (PGPASSWORD), ~/.pgpass or the server's trust gives it. */
  password: string | undefined
  /** Holds all that is ours. */
  schema: string
  type: IndexType
  /** Vectors that a search of an index keeps in mind: more of them find more, and take longer. */
  candidates: number
  /** Bound on the pool. */
  connections: number
  tls: 'off' | 'unverified' | { rootFile: string | undefined }
  /** The operator knows that this server may lose what it has acknowledged. */
  mayLose: boolean
}

const whole = (least: number, most: number) => z.coerce.number().int().min(least).max(most)

const Parameters = z.strictObject({
  type: z.enum(['halfvec', 'vector']).default('halfvec'),
  schema: z
    .string()
    .regex(/^[a-z_][a-z0-9_]{0,30}$/)
    .default('mien'),
  host: z.string().startsWith('/').optional(),
  ef_search: whole(10, 1_000).default(200),
  connections: whole(2, 100).default(8),
  sslmode: z.enum(['disable', 'require', 'verify-full']).optional(),
  sslrootcert: z.string().optional(),
  fsync: z.literal('off').optional(),
})

const PORT = 5432

/** What needs no encryption on its way: a socket in a folder, and this machine. */
const HERE = /^(\/.*|localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|::1)$/i

export const isPostgres = (address: string): boolean => /^postgres(ql)?:/.test(address)

/** Undefined for what is none. What an address does not say of TLS is: none on this machine, all of it elsewhere. */
export function postgresAddress(text: string): PostgresAddress | undefined {
  const url = isPostgres(text) && URL.canParse(text) ? new URL(text) : undefined
  const parameters = Parameters.safeParse(Object.fromEntries(url?.searchParams ?? []))
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
    tls: tlsOf(data.sslmode ?? (HERE.test(host) ? 'disable' : 'verify-full'), data.sslrootcert),
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

/** The address as it may be written down and shown: without its password. It is an address. */
export function withoutPassword(text: string): string {
  const url = new URL(text)
  url.password = ''
  return url.href
}

/** What vectors are kept by: two addresses of one such place have the same, however they connect. It is an address. */
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
