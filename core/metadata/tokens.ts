/** API tokens: all queries on them. The token itself never comes here, only its hash. */
import { and, asc, eq, isNull } from 'drizzle-orm'
import type { Database } from './database.ts'
import { owners, tokens } from './schema.ts'

export type NewToken = Pick<typeof tokens.$inferInsert, 'id' | 'hash' | 'owner' | 'name' | 'created'>

export async function insertToken(database: Database, token: NewToken): Promise<void> {
  await database.insert(tokens).values(token)
}

/** The id and the owner of the token that has this hash, unless it is unknown or revoked. */
export async function tokenOfHash(
  database: Database,
  hash: string,
): Promise<{ token: string; owner: string } | undefined> {
  const [row] = await database
    .select({ token: tokens.id, owner: tokens.owner })
    .from(tokens)
    .where(and(eq(tokens.hash, hash), isNull(tokens.revoked)))
  return row
}

/** Every token, oldest first, with its owner's name. */
export const allTokens = (database: Database) =>
  database
    .select({
      id: tokens.id,
      owner: owners.name,
      name: tokens.name,
      created: tokens.created,
      revoked: tokens.revoked,
    })
    .from(tokens)
    .innerJoin(owners, eq(owners.id, tokens.owner))
    .orderBy(asc(tokens.created), asc(tokens.id))

/** Ends a token at this time (microseconds). False when there is no such token or it had ended before. */
export async function endToken(database: Database, id: string, revoked: number): Promise<boolean> {
  const rows = await database
    .update(tokens)
    .set({ revoked })
    .where(and(eq(tokens.id, id), isNull(tokens.revoked)))
    .returning({ id: tokens.id })
  return rows.length > 0
}
