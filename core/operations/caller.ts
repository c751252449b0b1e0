/** Looks up the token of a request and counts the request. */
import { ServiceError } from '../../contract/errors.ts'
import { TOKEN_LIMITS } from '../../contract/limits/tokens.ts'
import type { RpcRequest, RpcResponse } from '../../contract/rpc/operations.ts'
import { tokenOfHash } from '../metadata/queries/tokens.ts'
import type { Services } from './services.ts'

/**
 * Returns owner, id and scope of the token with this hash, and the option `gae`. Throws AUTH_FAILED for an unknown token, and
 * RATE_LIMITED. For a token with a rate, `trustMs` is 0: edges look it up for each request, and core counts these lookups. The
 * rate applies to all edges together.
 */
export async function caller(
  { database, options, tokenUsage, requestsPerSecond, now }: CallerServices,
  { tokenHash }: RpcRequest<'caller'>,
): Promise<RpcResponse<'caller'>> {
  const time = now()
  const known = await tokenOfHash(database, tokenHash, time * 1000)
  if (!known) throw new ServiceError('AUTH_FAILED')
  const { rate, ends, ...found } = known
  const perSecond = rate ?? requestsPerSecond
  tokenUsage.note(found.token, time)
  if (perSecond !== undefined) tokenUsage.count(found.token, perSecond, time)
  return { ...found, gae: options.gae, trustMs: perSecond === undefined ? trustMs(ends, time) : 0 }
}

/** Services that the lookup needs. */
export type CallerServices = Pick<
  Services,
  'database' | 'options' | 'tokenUsage' | 'requestsPerSecond' | 'now'
>

/** How long edges may cache the lookup, in milliseconds. It ends when the token expires. */
const trustMs = (ends: number | null, now: number): number =>
  ends === null ? TOKEN_LIMITS.trustedMs : Math.min(TOKEN_LIMITS.trustedMs, Math.floor(ends / 1000) - now)
