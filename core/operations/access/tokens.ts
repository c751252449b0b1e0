/** Tokens: the lookup for a request, and an owner's tokens through the API. Core gets hashes of new tokens, never their texts. */
import { badParam, ServiceError } from '../../../contract/errors.ts'
import { TOKEN_LIMITS } from '../../../contract/limits/tokens.ts'
import { permissionsOf, type Token } from '../../../contract/model/token.ts'
import { omitNull } from '../../../contract/omit-undefined.ts'
import type { RpcRequest, RpcResponse } from '../../../contract/operations/messages.ts'
import { timestampText } from '../../../contract/timestamps.ts'
import { addToken, replaceToken } from '../../metadata/access/issue-tokens.ts'
import {
  endWithNotifications,
  type StoredToken,
  tokenOf,
  tokenOfHash,
  tokensOf,
  validTokens,
} from '../../metadata/access/tokens.ts'
import type { Handlers, Services } from '../services.ts'

/**
 * Returns owner, id and scope of the token with this hash, and which options are on. Throws AUTH_FAILED for an unknown token, and
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
  const { rate, ends, user, ...found } = known
  const perSecond = rate ?? requestsPerSecond
  tokenUsage.note(found.token, time)
  if (perSecond !== undefined) tokenUsage.count(found.token, perSecond, time)
  return {
    ...found,
    gae: options.gae,
    ...(options.person_identify && { persons: true }),
    ...(options.record_searches && { records: true }),
    ...(user && { user }),
    trustMs: perSecond === undefined ? trustMs(ends, time) : 0,
  }
}

/** Services that the lookup needs. */
export type CallerServices = Pick<
  Services,
  'database' | 'options' | 'tokenUsage' | 'requestsPerSecond' | 'now'
>

/** How long edges may cache the lookup, in milliseconds. It ends when the token expires. */
const trustMs = (ends: number | null, now: number) =>
  ends === null ? TOKEN_LIMITS.trustedMs : Math.min(TOKEN_LIMITS.trustedMs, Math.floor(ends / 1000) - now)

async function requireFewTokens(database: Services['database'], owner: string, now: number) {
  if ((await validTokens(database, owner, now * 1000)) < TOKEN_LIMITS.perOwner) return
  throw new ServiceError('BAD_PARAM', {
    reason: `The owner has ${TOKEN_LIMITS.perOwner} valid tokens. Revoke some of them first.`,
  })
}

const textOf = (micros: number | null) => (micros === null ? null : timestampText(micros))

/** Token of a response. `now` is in Unix milliseconds. */
function tokenAnswer(token: StoredToken, now: number): Token {
  const { id, name, scope, rate, created, used, expires, revoked } = token
  return {
    id,
    name,
    scope,
    created: timestampText(created),
    ...omitNull({ rate, last_used: textOf(used), expires: textOf(expires), revoked: textOf(revoked) }),
    valid: [expires, revoked].every(end => end === null || end > now * 1000),
  }
}

export const tokenHandlers = {
  caller,
  /** The token of the caller. Throws NOT_FOUND when it has just been deleted. */
  async 'token.get'({ database, now, options }, { owner, token: id }) {
    const found = await tokenOf(database, owner, id)
    if (!found) throw new ServiceError('NOT_FOUND')
    const token = tokenAnswer(found.token, now())
    return {
      token: {
        ...token,
        owner: found.owner,
        permissions: permissionsOf(token.scope),
        ...omitNull({ user: found.token.user }),
        ...(options.person_identify && { persons: true }),
      },
    }
  },

  /** Valid tokens first, then ended tokens, each newest first. */
  async 'tokens.list'({ database, now }, { owner }) {
    const stored = await tokensOf(database, owner, TOKEN_LIMITS.listed)
    const tokens = stored.map(token => tokenAnswer(token, now()))
    return { tokens: [...tokens.filter(({ valid }) => valid), ...tokens.filter(({ valid }) => !valid)] }
  },

  /** Throws BAD_PARAM for an expiry that is not ahead, and when the owner has TOKEN_LIMITS.perOwner valid tokens. */
  async 'token.create'({ database, now }, request) {
    const { owner, expires } = request
    const time = now()
    const latest = (time + TOKEN_LIMITS.lifeMs) * 1000
    if (expires !== undefined && !(expires > time * 1000 && expires <= latest))
      throw badParam(
        'expires',
        timestampText(expires),
        'expires: expected a time to come, within the next 100 years.',
      )
    await requireFewTokens(database, owner, time)
    const token = await addToken(database, request, time * 1000)
    return { token: tokenAnswer(token, time) }
  },

  /** Throws NOT_FOUND for a token that is not valid, is replaced already, or belongs to another owner. */
  async 'token.rotate'({ database, now }, { owner, id, hash, graceMs }) {
    const time = now()
    await requireFewTokens(database, owner, time)
    const replaced = await replaceToken(database, { owner, id, hash, graceMs }, time * 1000)
    if (!replaced)
      throw new ServiceError('NOT_FOUND', {
        reason: `There is no valid token ${id}, or another one takes its place already.`,
      })
    return { token: tokenAnswer(replaced.next, time), replaced: tokenAnswer(replaced.old, time) }
  },

  /** Throws NOT_FOUND for a token that is not valid or belongs to another owner, and BAD_PARAM for the caller's own. */
  async 'token.revoke'({ database, now }, { owner, by, id }) {
    if (id === by)
      throw badParam('id', id, 'This is the token of the request. Revoke it with another token of the owner.')
    if (!(await endWithNotifications(database, { id, owner }, now() * 1000)))
      throw new ServiceError('NOT_FOUND', { reason: `There is no valid token ${id}.` })
    return {}
  },
} satisfies Partial<Handlers>
