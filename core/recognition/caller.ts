/** Callers: whose token a request came with. */
import { ServiceError } from '../contract/errors.ts'
import type { Answer, Question } from '../contract/wire.ts'
import { ownerOfToken } from '../metadata/tokens.ts'
import type { Parts } from './parts.ts'

/** The owner whose token has this hash, and what the options let callers ask for. Throws AUTH_FAILED when nobody's has. */
export async function caller(
  { database, options }: Pick<Parts, 'database' | 'options'>,
  { tokenHash }: Question<'caller'>,
): Promise<Answer<'caller'>> {
  const owner = await ownerOfToken(database, tokenHash)
  if (owner === undefined) throw new ServiceError('AUTH_FAILED')
  return { owner, gae: options.gae }
}
