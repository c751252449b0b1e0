/** What repeated requests (Idempotency-Key) are answered with: all queries on it. Ids of faces, and nothing of them. */
import { and, eq, gte, lt } from 'drizzle-orm'
import type { Database } from '../database.ts'
import { rememberedAnswers } from '../schema.ts'

export type RememberedAnswer = typeof rememberedAnswers.$inferSelect

/** The answer kept under an owner's key, unless it is from before `since` (microseconds). */
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

/** The statement that forgets every answer from before `since`. */
export const forgetAnswers = (database: Database, since: number) =>
  database.delete(rememberedAnswers).where(lt(rememberedAnswers.created, since))

/** The statement that keeps an answer; it breaks a unique constraint when the key has one. */
export const keepAnswer = (database: Database, answer: RememberedAnswer) =>
  database.insert(rememberedAnswers).values(answer)
