/** All queries on the keys that sign exported evidence. */
import { and, desc, eq, lt, sql } from 'drizzle-orm'
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
  const { publicKey, privateKey } = make()
  await database.run(sql`
    INSERT INTO evidence_keys (public_key, private_key, created) SELECT ${publicKey}, ${privateKey}, ${now}
    WHERE NOT EXISTS (SELECT 1 FROM evidence_keys WHERE private_key IS NOT NULL)`)
  return keysOf(database)
}

/** Deletes the private keys below an id. */
const endEvidenceKeys = (database: Database, below: number) =>
  database.update(evidenceKeys).set({ privateKey: sql`NULL` }).where(lt(evidenceKeys.id, below))

/** Deletes the private keys before a key that is lost. No later key gets its id. */
export async function replaceByLostKey(database: Database, id: number): Promise<void> {
  await database.batch([
    endEvidenceKeys(database, id),
    // SQLite remembers the id.
    database.insert(evidenceKeys).values({ id, publicKey: '', created: 0 }).onConflictDoNothing(),
    database.delete(evidenceKeys).where(and(eq(evidenceKeys.id, id), eq(evidenceKeys.publicKey, ''))),
  ])
}

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
