/** RPC operations of operators: tokens, the owner, the audit log and the state of the service. See operations.ts. */
import * as z from 'zod'
import { CurrentTokenSchema, TokenId } from '../model/token.ts'
import { owned } from './fields.ts'

export const OPERATOR_OPERATIONS = {
  /** The token of the caller. NOT_FOUND when it has ended meanwhile. */
  'token.get': {
    question: z.strictObject({ ...owned, token: TokenId }),
    answer: z.strictObject({ token: CurrentTokenSchema }),
  },
} as const
