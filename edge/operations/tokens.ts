/** GET /token, GET and POST /tokens, POST /tokens/<id>/rotate, DELETE /tokens/<id>: tokens of the owner. */
import * as z from 'zod'
import { ServiceError } from '../../contract/errors.ts'
import { LIMITS } from '../../contract/limits.ts'
import {
  CreatedTokenSchema,
  CurrentTokenSchema,
  newToken,
  RotatedTokenSchema,
  TokenId,
  TokenSchema,
  tokenHash,
} from '../../contract/model/token.ts'
import { changedBy } from '../admission/tokens.ts'
import { openapiOverrides } from '../openapi/overrides.ts'
import { omitUndefined } from '../parameters/omit-undefined.ts'
import { optional, text, timestamp, withDefault } from '../parameters/parameter-fields.ts'
import { graceHours, scope, tokenRate } from '../parameters/token-fields.ts'
import { operation } from './operation.ts'
import { jsonResponse, noContent } from './route.ts'

const ONCE = 'The service does not store the text of a token: only this response has it.'

export const getCurrentToken = operation(
  {
    name: 'getCurrentToken',
    needs: 'read_token',
    method: 'get',
    path: '/token',
    topic: 'Tokens',
    summary: 'Get the token of the request',
    details: '`permissions` is what its scope allows. The text of the token is not in the response.',
    parameters: z.object({}),
    status: 200,
    answer: CurrentTokenSchema,
  },
  async ({ core }, { caller: { owner, token } }) =>
    jsonResponse((await core.call('token.get', { owner, token })).answer.token),
)

export const listTokens = operation(
  {
    name: 'listTokens',
    needs: 'administer',
    method: 'get',
    path: '/tokens',
    topic: 'Tokens',
    summary: 'List the tokens of the owner',
    details:
      'Valid tokens come first, then those that have ended, newest first. ' +
      `The list has at most ${LIMITS.listedTokens} tokens.`,
    parameters: z.object({}),
    status: 200,
    answer: z.strictObject({ results: z.array(TokenSchema) }),
  },
  async ({ core }, { caller: { owner } }) =>
    jsonResponse({ results: (await core.call('tokens.list', { owner })).answer.tokens }),
)

export const createToken = operation(
  {
    name: 'createToken',
    needs: 'administer',
    method: 'post',
    path: '/tokens',
    topic: 'Tokens',
    summary: 'Create a token of the owner',
    details: `${ONCE} An owner has at most ${LIMITS.ownerTokens} valid tokens.`,
    parameters: z.object({
      scope,
      name: withDefault(text(LIMITS.tokenNameLength), ''),
      expires: optional(timestamp),
      rate: optional(tokenRate),
    }),
    status: 201,
    answer: CreatedTokenSchema,
  },
  async ({ core }, { caller, params: { scope, name, expires, rate } }) => {
    const fresh = await freshToken()
    const question = {
      ...changedBy(caller),
      ...{ hash: fresh.hash, name, scope },
      ...omitUndefined('expires', expires),
      ...omitUndefined('rate', rate),
    }
    const { token } = (await core.call('token.create', question)).answer
    return secretResponse({ ...token, token: fresh.token })
  },
)

const id = z.string('an id').register(openapiOverrides, { type: 'string', pattern: '^[0-9a-f]{12}$' })

export const rotateToken = operation(
  {
    name: 'rotateToken',
    needs: 'administer',
    method: 'post',
    path: '/tokens/:id/rotate',
    topic: 'Tokens',
    summary: 'Replace a token',
    details: `The new token has the name, scope, rate and lifetime of the old one. The old one stays valid for \`grace_hours\`. ${ONCE}`,
    parameters: z.object({ id, grace_hours: withDefault(graceHours, 24) }),
    status: 201,
    answer: RotatedTokenSchema,
    refusals: ['NOT_FOUND'],
  },
  async ({ core }, { caller, params }) => {
    const fresh = await freshToken()
    const question = { id: idOf(params.id), hash: fresh.hash, graceMs: params.grace_hours * 3_600_000 }
    const { token, replaced } = (await core.call('token.rotate', { ...changedBy(caller), ...question }))
      .answer
    return secretResponse({ ...token, token: fresh.token, replaced })
  },
)

export const revokeToken = operation(
  {
    name: 'revokeToken',
    needs: 'administer',
    method: 'delete',
    path: '/tokens/:id',
    topic: 'Tokens',
    summary: 'Revoke a token',
    details:
      `An edge beside its core refuses the token at once, any other within ${LIMITS.tokenTrustedMs / 1000} seconds. ` +
      'The token of the request cannot revoke itself.',
    parameters: z.object({ id }),
    status: 204,
    refusals: ['NOT_FOUND'],
  },
  async ({ core }, { caller, params }) => {
    await core.call('token.revoke', { ...changedBy(caller), id: idOf(params.id) })
    return noContent()
  },
)

/** A new token. Core gets its hash only. */
async function freshToken(): Promise<{ token: string; hash: string }> {
  const token = await newToken()
  const hash = await tokenHash(token)
  if (hash === undefined) throw new Error('a new token does not pass its own check')
  return { token, hash }
}

/** A response that no cache may keep. */
const secretResponse = (body: object): Response => jsonResponse(body, 201, { 'cache-control': 'no-store' })

/** Throws NOT_FOUND. */
function idOf(text: string): string {
  const parsed = TokenId.safeParse(text)
  if (!parsed.success) throw new ServiceError('NOT_FOUND')
  return parsed.data
}
