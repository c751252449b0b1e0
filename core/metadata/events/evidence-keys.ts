/** All queries on the keys that sign exported evidence. */
import { desc, lt, sql } from 'drizzle-orm'
import type { Database } from '../database.ts'
import { evidenceKeys } from '../schema.ts'

export type StoredEvidenceKey = typeof evidenceKeys.$inferSelect

/** A new pair of keys, as PEM. */
type EvidenceKeyPair = { publicKey: string; privateKey: string }

const keysOf = (database: Database): Promise<StoredEvidenceKey[]> =>
  database.select().from(evidenceKeys).orderBy(desc(evidenceKeys.id))

/** The keys of the installation, newest first. The first caller without a key that signs stores the pair that it made. `now` is in microseconds. */
export async function evidenceKeysOf(
  database: Database,
  make: () => EvidenceKeyPair,
  now: number,
): Promise<StoredEvidenceKey[]> {
  const known = await keysOf(database)
  if (known[0]?.privateKey) return known
  await database
    .insert(evidenceKeys)
    .values({ id: (known[0]?.id ?? 0) + 1, ...make(), created: now })
    .onConflictDoNothing()
  return keysOf(database)
}

/** Deletes the private keys below an id. */
export const endEvidenceKeys = (database: Database, below: number) =>
  database.update(evidenceKeys).set({ privateKey: sql`NULL` }).where(lt(evidenceKeys.id, below))

/** Stores a pair that signs from now on, and deletes the private keys of earlier ones. */
export async function insertEvidenceKey(
  database: Database,
  pair: EvidenceKeyPair,
  now: number,
): Promise<StoredEvidenceKey> {
  const [, [stored]] = await database.batch([
    endEvidenceKeys(database, Number.MAX_SAFE_INTEGER),
    database
      .insert(evidenceKeys)
      .values({ ...pair, created: now })
      .returning(),
  ])
  return stored!
}
