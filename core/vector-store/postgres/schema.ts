/** Schema of the service in a database: its tables, migrations and version. */
import { LayoutRefused } from '../vector-store.ts'
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
