/** RPC operations of operators: tokens, the audit log and the state of the service. See operations.ts. */
import * as z from 'zod'
import { LIMITS } from '../limits.ts'
import { AuditEntrySchema, AuditVerificationSchema } from '../model/audit-log.ts'
import { ScopeSchema } from '../model/scope.ts'
import { ServiceStateSchema } from '../model/service.ts'
import { CurrentTokenSchema, TokenHash, TokenId, TokenSchema } from '../model/token.ts'
import { change, changing, owned } from './fields.ts'

export const OPERATOR_OPERATIONS = {
  /** The token of the caller. NOT_FOUND when it has ended meanwhile. */
  'token.get': {
    question: z.strictObject({ ...owned, token: TokenId }),
    answer: z.strictObject({ token: CurrentTokenSchema }),
  },
  /** Tokens of the owner: valid ones first, at most LIMITS.listedTokens. */
  'tokens.list': {
    question: z.strictObject(owned),
    answer: z.strictObject({ tokens: z.array(TokenSchema) }),
  },
  /** Stores the hash of a new token. BAD_PARAM for an expiry that is not ahead, and above LIMITS.ownerTokens. */
  'token.create': change({
    question: z.strictObject({
      ...changing,
      hash: TokenHash,
      name: z.string().max(LIMITS.tokenNameLength),
      scope: ScopeSchema,
      /** Microseconds since 1970. */
      expires: z.number().optional(),
      rate: z.number().positive().max(LIMITS.tokenRate).optional(),
    }),
    answer: z.strictObject({ token: TokenSchema }),
    audit: (_, { token }) => ({ token: token.id }),
  }),
  /** Stores the hash of a replacement. NOT_FOUND for a token that is not valid, or is replaced already. */
  'token.rotate': change({
    question: z.strictObject({
      ...changing,
      id: TokenId,
      hash: TokenHash,
      graceMs: z
        .number()
        .min(0)
        .max(LIMITS.tokenGraceHours * 3_600_000),
    }),
    answer: z.strictObject({ token: TokenSchema, replaced: TokenSchema }),
    audit: ({ id }, { token }) => ({ token: id, next: token.id }),
  }),
  /** Ends a token now. NOT_FOUND for a token that is not valid; BAD_PARAM for the caller's own. */
  'token.revoke': change({
    question: z.strictObject({ ...changing, id: TokenId }),
    answer: z.strictObject({}),
    audit: ({ id }) => ({ token: id }),
    disk: 'frees',
  }),

  /** Entries of the owner below `maxSeq`, newest first. */
  'audit.page': {
    question: z.strictObject({
      ...owned,
      maxSeq: z.int().min(0).optional(),
      limit: z.int().min(1).max(LIMITS.pageSize),
    }),
    answer: z.strictObject({ entries: z.array(AuditEntrySchema), older: z.boolean() }),
  },
  /** Verifies the next LIMITS.auditVerified entries of the whole log. */
  'audit.verify': {
    question: z.strictObject({}),
    answer: z.strictObject({ verification: AuditVerificationSchema }),
  },

  'service.get': { question: z.strictObject({}), answer: z.strictObject({ service: ServiceStateSchema }) },
} as const
