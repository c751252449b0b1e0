/** Tables of the shard and their migrations, and the requirements of a database. */
import { LayoutRefused } from '../vector-store.ts'
import { hostNames, type PostgresAddress } from './address.ts'
import type { Connections } from './connections.ts'

/**
 * `place` is the partition of a row in `vectors`: 0 is `small`, which galleries share; another value is the number of
 * the gallery that owns the partition and its index.
 */
const MIGRATIONS: readonly string[] = [
  `create table galleries (
    number integer generated always as identity primary key,
    name text collate "C" not null unique,
    dimension integer not null,
    vectors bigint not null default 0,
    place integer not null default 0,
    spread boolean not null default false,
    index_name text,
    index_type text,
    failed timestamptz
  ) with (fillfactor = 50);
  create table vectors (
    gallery integer not null,
    id bigint not null,
    place integer not null,
    vector vector not null,
    primary key (gallery, id, place)
  ) partition by list (place);
  create table small partition of vectors for values in (0) with (toast_tuple_target = 8160)`,
]

/**
 * First key of the service's advisory locks, "mien" in ASCII. The second is 0 for migrations, otherwise a gallery's
 * number.
 */
export const LOCKS = 0x6d69656e

/** Creates the schema, or migrates it to this version. Throws LayoutRefused when a later version made it. */
export async function migrate({ write }: Connections, schema: string): Promise<void> {
  await write(async sql => {
    await sql(`select pg_advisory_xact_lock(${LOCKS}, 0)`)
    const [found] = await sql(`select 1 from pg_namespace where nspname = $1`, [schema])
    if (!found) await sql(`create schema "${schema}"`)
    await sql(
      'create table if not exists migrations (number integer primary key, made timestamptz default now())',
    )
    const [{ done } = { done: 0 }] = await sql<{ done: number }>(
      'select count(*)::int as done from migrations',
    )
    if (done > MIGRATIONS.length) {
      throw new LayoutRefused(
        `The schema "${schema}" of the database was made by a later version of this service.`,
      )
    }
    for (let number = done; number < MIGRATIONS.length; number++) {
      for (const statement of MIGRATIONS[number]!.split(';')) await sql(statement)
      await sql('insert into migrations (number) values ($1)', [number])
    }
  })
}

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
