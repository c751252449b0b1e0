/** All queries on the keys that sign exported evidence. */
import { desc, sql } from 'drizzle-orm'
import type { Database } from '../database.ts'
import { evidenceKeys } from '../schema.ts'

export type StoredEvidenceKey = typeof evidenceKeys.$inferSelect

/** A new pair of keys, as PEM. */
export type EvidenceKeyPair = { publicKey: string; privateKey: string }

const keysOf = (database: Database): Promise<StoredEvidenceKey[]> =>
  database.select().from(evidenceKeys).orderBy(desc(evidenceKeys.id))

/** The keys of the installation, newest first. The first caller stores the pair that it made. `now` is in microseconds. */
export async function evidenceKeysOf(
  database: Database,
  make: () => EvidenceKeyPair,
  now: number,
): Promise<StoredEvidenceKey[]> {
  const known = await keysOf(database)
  if (known.length > 0) return known
  await database
    .insert(evidenceKeys)
    .values({ id: 1, ...make(), created: now })
    .onConflictDoNothing()
  return keysOf(database)
}

/** Stores a pair that signs from now on, and deletes the private keys of earlier ones. */
export async function insertEvidenceKey(
  database: Database,
  pair: EvidenceKeyPair,
  now: number,
): Promise<StoredEvidenceKey> {
  const [, [stored]] = await database.batch([
    database.update(evidenceKeys).set({ privateKey: sql`NULL` }),
    database
      .insert(evidenceKeys)
      .values({ ...pair, created: now })
      .returning(),
  ])
  return stored!
}
