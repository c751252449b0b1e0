/** Address of a shard in PostgreSQL: parses it, removes its password, and compares its storage with another one. */
import * as z from 'zod'

/** Type of the values of an index: 16 bits (`halfvec`) or 32 bits (`vector`). */
export type IndexType = 'halfvec' | 'vector'

/** A server: a host name, an IP address, or the folder of a Unix socket; and its port. */
export interface Host {
  host: string
  port: number
}

export interface PostgresAddress {
  /** One server; or a primary and its standbys, in any order. */
  hosts: readonly Host[]
  /** Connections are made only to a server that accepts writes. */
  readWrite: boolean
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
  target_session_attrs: z.literal('read-write').optional(),
})

const PORT = 5432

/** Greatest number of hosts. A search for the primary asks all of them at once. */
const MAX_HOSTS = 8

/** Scheme and user; hosts; the rest. */
const ADDRESS_PARTS = /^([^/]*\/\/(?:[^/?#]*@)?)([^/?#]*)(.*)$/s

/** Hosts that need no TLS: the folder of a Unix socket, and this machine. */
const LOCAL_HOST = /^(\/.*|localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|::1)$/i

/** Whether the address has the scheme of PostgreSQL. */
export const isPostgres = (address: string): boolean => /^postgres(ql)?:/.test(address)

/** Parses an address; undefined when it is not valid. Default for TLS: off on this machine, verified elsewhere. */
export function postgresAddress(text: string): PostgresAddress | undefined {
  const urls = urlsOf(text)
  const [url] = urls
  const parameters = QuerySchema.safeParse(Object.fromEntries(url?.searchParams ?? []))
  if (!url || !parameters.success || url.hash !== '') return undefined
  const { data } = parameters
  const database = decodePart(url.pathname.slice(1))
  const [user, password] = [decodePart(url.username), decodePart(url.password)]
  if (!database || database.includes('/') || !user || password === undefined) return undefined
  const hosts = data.host === undefined ? urls.map(hostOf) : [{ ...hostOf(url), host: data.host }]
  const isSound = new Set(hosts.map(nameOf)).size === urls.length && hosts.every(({ host }) => host !== '')
  if (!isSound || urls.length > MAX_HOSTS) return undefined
  const isLocal = hosts.every(({ host }) => LOCAL_HOST.test(host))
  return {
    hosts,
    readWrite: hosts.length > 1 || data.target_session_attrs === 'read-write',
    database,
    user,
    password: password === '' ? undefined : password,
    schema: data.schema,
    type: data.type,
    candidates: data.ef_search,
    connections: data.connections,
    tls: tlsOf(data.sslmode ?? (isLocal ? 'disable' : 'verify-full'), data.sslrootcert),
    mayLose: data.fsync === 'off',
  }
}

/** One URL per host; none when one of them is not valid. URL has no notation for several hosts. */
function urlsOf(text: string): URL[] {
  const [, start, hosts, rest] = (isPostgres(text) && ADDRESS_PARTS.exec(text)) || []
  const urls = hosts?.split(',').map(host => start + host + rest) ?? []
  return urls.every(url => URL.canParse(url)) ? urls.map(url => new URL(url)) : []
}

const hostOf = ({ hostname, port }: URL): Host => ({
  host: hostname.replace(/^\[|\]$/g, ''),
  port: Number(port || PORT),
})

const nameOf = ({ host, port }: Host) => `${host}:${port}`

function tlsOf(
  mode: 'disable' | 'require' | 'verify-full',
  rootFile: string | undefined,
): PostgresAddress['tls'] {
  if (mode === 'disable') return 'off'
  return mode === 'require' ? 'unverified' : { rootFile }
}

/** The valid address `text` without its password: it may be stored and shown. */
export function withoutPassword(text: string): string {
  const [, start, hosts, rest] = ADDRESS_PARTS.exec(text)!
  return start!.replace(/(\/\/[^:]*):.*@$/s, '$1@') + hosts + rest
}

/** Names of the hosts of an address, for messages. */
export const hostNames = ({ hosts }: PostgresAddress): string => hosts.map(({ host }) => host).join(', ')

/**
 * Whether two valid addresses mean the same storage: they may differ in how they connect, and need one host in common,
 * because hosts of a replicated database come and go.
 */
export function isSameStorage(text: string, other: string): boolean {
  const [one, two] = [postgresAddress(text)!, postgresAddress(other)!]
  const names = new Set(one.hosts.map(nameOf))
  return (
    one.database === two.database &&
    one.schema === two.schema &&
    two.hosts.some(host => names.has(nameOf(host)))
  )
}

function decodePart(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
