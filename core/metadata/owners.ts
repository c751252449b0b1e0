/** Owners: all queries on them. */
import { eq } from 'drizzle-orm'
import type { Database } from './database.ts'
import { owners } from './schema.ts'

export type NewOwner = typeof owners.$inferInsert

/** The owner of this name; `candidate` becomes it when there is none yet. */
export async function ownerNamed(database: Database, candidate: NewOwner): Promise<NewOwner> {
  await database.insert(owners).values(candidate).onConflictDoNothing({ target: owners.name })
  const [owner] = await database.select().from(owners).where(eq(owners.name, candidate.name))
  return owner ?? candidate
}
