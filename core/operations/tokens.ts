/** The tokens of an owner. */
import { ServiceError } from '../contract/errors.ts'
import { permissionsOf } from '../contract/model/scope.ts'
import type { Token } from '../contract/model/token.ts'
import type { RpcRequest, RpcResponse } from '../contract/rpc/operations.ts'
import { timestampText } from '../contract/timestamps.ts'
import { type StoredToken, tokenOf } from '../metadata/queries/tokens.ts'
import type { Services } from './services.ts'

/** The token of the caller. Throws NOT_FOUND when it was deleted meanwhile. */
export async function currentToken(
  { database, now }: Pick<Services, 'database' | 'now'>,
  { owner, token: id }: RpcRequest<'token.get'>,
): Promise<RpcResponse<'token.get'>> {
  const found = await tokenOf(database, owner, id)
  if (!found) throw new ServiceError('NOT_FOUND')
  const token = tokenAnswer(found.token, now())
  return { token: { ...token, owner: found.owner, permissions: permissionsOf(token.scope) } }
}

/** Token of a response. `now` is in Unix milliseconds. */
function tokenAnswer(token: StoredToken, now: number): Token {
  const { id, name, scope, rate, created, used, expires, revoked } = token
  return {
    id,
    name,
    scope,
    ...(rate !== null && { rate }),
    created: timestampText(created),
    ...time('last_used', used),
    ...time('expires', expires),
    ...time('revoked', revoked),
    valid:
      (expires ?? Number.POSITIVE_INFINITY) > now * 1000 &&
      (revoked ?? Number.POSITIVE_INFINITY) > now * 1000,
  }
}

const time = <Name extends string>(name: Name, micros: number | null): { [N in Name]?: string } =>
  micros === null ? {} : ({ [name]: timestampText(micros) } as { [N in Name]: string })
