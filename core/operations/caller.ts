/** Callers: whose token a request came with. */
import { ServiceError } from '../contract/errors.ts'
import { LIMITS } from '../contract/limits.ts'
import type { Answer, Question } from '../contract/rpc/operations.ts'
import { tokenOfHash } from '../metadata/queries/tokens.ts'
import type { Services } from './services.ts'

/**
 * The token that has this hash, whose it is, what its scope is, and what the options let callers ask for. Throws
 * AUTH_FAILED when there is none, and RATE_LIMITED. Of a token with a rate each question counts as a request: its verdict
 * is for that one alone, so that all edges together keep to the rate.
 */
export async function caller(
  { database, options, tokenUsage, requestsPerSecond, now }: CallerServices,
  { tokenHash }: Question<'caller'>,
): Promise<Answer<'caller'>> {
  const time = now()
  const known = await tokenOfHash(database, tokenHash, time * 1000)
  if (!known) throw new ServiceError('AUTH_FAILED')
  const { rate, ends, ...found } = known
  const perSecond = rate ?? requestsPerSecond
  tokenUsage.note(found.token, time)
  if (perSecond !== undefined) tokenUsage.count(found.token, perSecond, time)
  return { ...found, gae: options.gae, trustMs: perSecond === undefined ? trustMs(ends, time) : 0 }
}

export type CallerServices = Pick<
  Services,
  'database' | 'options' | 'tokenUsage' | 'requestsPerSecond' | 'now'
>

/** A verdict never outlives its token. */
const trustMs = (ends: number | null, now: number): number =>
  ends === null ? LIMITS.tokenTrustedMs : Math.min(LIMITS.tokenTrustedMs, Math.floor(ends / 1000) - now)
