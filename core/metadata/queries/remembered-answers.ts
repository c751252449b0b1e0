/**
 * All queries on the responses that are kept for repeated requests (Idempotency-Key): ids of faces, and no other data
 * of a face.
 */
import { and, eq, gte, lt } from 'drizzle-orm'
import type { Database } from '../database.ts'
import { rememberedAnswers } from '../schema.ts'

export type RememberedAnswer = typeof rememberedAnswers.$inferSelect

/** The response kept under an owner's key, unless it is from before `since` (microseconds since 1970). */
export async function rememberedAnswer(
  database: Database,
  { owner, key, since }: { owner: string; key: string; since: number },
): Promise<RememberedAnswer | undefined> {
  const [row] = await database
    .select()
    .from(rememberedAnswers)
    .where(
      and(
        eq(rememberedAnswers.owner, owner),
        eq(rememberedAnswers.key, key),
        gte(rememberedAnswers.created, since),
      ),
    )
  return row
}

/** Statement that deletes all responses from before `since`. */
export const forgetAnswers = (database: Database, since: number) =>
  database.delete(rememberedAnswers).where(lt(rememberedAnswers.created, since))

/** Statement that keeps a response. It violates a unique constraint when the key has one. */
export const keepAnswer = (database: Database, answer: RememberedAnswer) =>
  database.insert(rememberedAnswers).values(answer)
