/** GET /token: the token of the caller. */
import * as z from 'zod'
import { CurrentTokenSchema } from '../../core/contract/model/token.ts'
import { operation } from './operation.ts'
import { jsonResponse } from './route.ts'

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
