/** Callers: whose token a request came with. */
import { ServiceError } from '../contract/errors.ts'
import type { Answer, Question } from '../contract/wire.ts'
import { tokenOfHash } from '../metadata/tokens.ts'
import type { Parts } from './parts.ts'

/** The owner whose token has this hash, that token, and what the options let callers ask for. Throws AUTH_FAILED when nobody's has. */
export async function caller(
  { database, options }: Pick<Parts, 'database' | 'options'>,
  { tokenHash }: Question<'caller'>,
): Promise<Answer<'caller'>> {
  const found = await tokenOfHash(database, tokenHash)
  if (!found) throw new ServiceError('AUTH_FAILED')
  return { ...found, gae: options.gae }
}
