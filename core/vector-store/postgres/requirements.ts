/** Requirements of a database that stores vectors. */
import { LayoutRefused } from '../vector-store.ts'
import { hostNames, type PostgresAddress } from './address.ts'
import type { Connections } from './connections.ts'

/** Settings of the server. Versions of pgvector are null when it is absent. */
interface Facts {
  server: number
  fsync: string
  /** Version in this database, and version that the server could install. */
  vector: string | null
  available: string | null
  /** Schema of pgvector. */
  home: string | null
}

/** The first major version of PostgreSQL that detects a dead client during a statement. */
const SERVER = 15

/**
 * The first safe version: vacuum could corrupt indexes (fixed in 0.8.3 and 0.8.4), and builds could overflow
 * (CVE-2026-3172, fixed in 0.8.2).
 */
const VECTOR = '0.8.4'

/**
 * Checks the database, and creates the extension if it is available. Resolves with the schema of pgvector. Throws
 * LayoutRefused, which states the reason and the remedy.
 */
export async function requireFit(connections: Connections, address: PostgresAddress): Promise<string> {
  let facts = await factsOf(connections)
  if (facts.vector === null && facts.available !== null) {
    await connections.write(sql => sql('create extension if not exists vector')).catch(() => {})
    facts = await factsOf(connections)
  }
  const refusal = refusalOf(facts, address.mayLose)
  if (refusal !== undefined) {
    throw new LayoutRefused(
      `The database ${address.database} at ${hostNames(address)} is refused. ${refusal}`,
    )
  }
  return facts.home!
}

const factsOf = ({ read }: Connections): Promise<Facts> =>
  read(async sql => {
    const [facts] = await sql<Facts>(
      `select current_setting('server_version_num')::int as server, current_setting('fsync') as fsync,
        (select extversion from pg_extension where extname = 'vector') as vector,
        (select default_version from pg_available_extensions where name = 'vector') as available,
        (select nspname from pg_extension join pg_namespace n on n.oid = extnamespace where extname = 'vector') as home`,
    )
    return facts!
  })

/** Undefined when all requirements are met. */
function refusalOf({ server, fsync, vector, available }: Facts, mayLose: boolean): string | undefined {
  if (server < SERVER * 10_000)
    return `It is PostgreSQL ${Math.floor(server / 10_000)}; ${SERVER} or later is needed.`
  if (fsync === 'off' && !mayLose) {
    return 'It runs with fsync = off: a loss of power would take what was acknowledged. Switch it on; or add "fsync=off" to the address, for a database that may be lost.'
  }
  const fit = available !== null && !isBefore(available, VECTOR)
  if (vector === null) {
    return fit
      ? 'It lacks pgvector, which this user may not create: "create extension vector" as an administrator.'
      : `It lacks pgvector: install ${VECTOR} or later on the server.`
  }
  if (!isBefore(vector, VECTOR)) return undefined
  const advice = fit ? '' : `Install ${VECTOR} or later on the server, then do there`
  return `It has pgvector ${vector}, whose indexes can be corrupted by vacuum and overflow while they are made (CVE-2026-3172). ${advice || 'Do'} "alter extension vector update" in this database.`
}

function isBefore(version: string, other: string): boolean {
  const [ours, theirs] = [version, other].map(text => text.split('.').map(Number))
  for (const [i, part] of theirs!.entries()) if ((ours![i] ?? 0) !== part) return (ours![i] ?? 0) < part
  return false
}
