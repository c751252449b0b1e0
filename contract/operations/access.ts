/** Access: tokens of the owner, and users of the console with their invitations, roles and sessions. */
import * as z from 'zod'
import { TOKEN_LIMITS } from '../limits/tokens.ts'
import {
  CreatedTokenSchema,
  CurrentTokenSchema,
  RotatedTokenSchema,
  SCOPES,
  ScopeSchema,
  TokenHash,
  TokenId,
  TokenSchema,
} from '../model/token.ts'
import {
  InvitedUserSchema,
  isUserName,
  PASSKEY_ID,
  ROLE_NAMES,
  RoleSchema,
  UserId,
  UserName,
  UserSchema,
} from '../model/user.ts'
import {
  boolean,
  field,
  number,
  oneOf,
  optional,
  text,
  timestamp,
  withDefault,
} from '../parameters/fields.ts'
import { passkeyInPath, tokenInPath } from '../parameters/ids.ts'
import { openapiOverrides } from '../parameters/json-schema.ts'
import { change, ownedCall } from '../rpc/message.ts'
import { TIMESTAMP } from './examples.ts'
import { operationOf, resultsOf } from './operation.ts'

const operation = operationOf('Tokens')

const TEXT_ONCE = 'The service does not store the text of a token: only this response has it.'

/** Requests per second. */
const tokenRate = number
  .refine(
    rate => rate >= TOKEN_LIMITS.leastRate && rate <= TOKEN_LIMITS.rate,
    `a number from ${TOKEN_LIMITS.leastRate} to ${TOKEN_LIMITS.rate}`,
  )
  .register(openapiOverrides, {
    type: 'number',
    minimum: TOKEN_LIMITS.leastRate,
    maximum: TOKEN_LIMITS.rate,
    description: 'Requests per second. Default: the rate of the service.',
  })

const graceHours = number
  .refine(
    hours => hours >= 0 && hours <= TOKEN_LIMITS.graceHours,
    `a number of hours from 0 to ${TOKEN_LIMITS.graceHours}`,
  )
  .register(openapiOverrides, {
    type: 'number',
    minimum: 0,
    maximum: TOKEN_LIMITS.graceHours,
    description: 'Hours for which the old token stays valid.',
  })

const example = { id: '5f0c1d2e3a4b', name: 'front door', scope: 'admin', created: TIMESTAMP, valid: true }

const created = { ...example, id: '4e1b6a0f9c2d', scope: 'camera', expires: TIMESTAMP, rate: 5 }

/** The text of no token. */
const TEXT = 'mien_...'

const userOperation = operationOf('Users')

const user = {
  id: '7d2c1b0a9f8e',
  name: 'Ben',
  role: 'look',
  created: TIMESTAMP,
  has_passkey: false,
  passkeys: [],
}

const passkey = { id: '3oqGRZzr2lOGX4fGmJ6gVg', name: 'Firefox on Linux', created: TIMESTAMP }

const invited = {
  ...user,
  invited_until: TIMESTAMP,
  sessions: [],
  link: 'https://mien.example/#/sign-in/mien_...',
}

const DAY_MS = 86_400_000

const INVITATION =
  'The link works once. The colleague opens it, makes a passkey, and signs in with the passkey from then on. ' +
  `It ends after ${TOKEN_LIMITS.invitationMs / DAY_MS} days without \`expires\`.`

const expires = optional(timestamp).meta({
  description: `End of the link, within the next ${TOKEN_LIMITS.longestInvitationMs / DAY_MS} days.`,
})

const userName = field(
  value => (typeof value === 'string' && isUserName(value) ? value : undefined),
  'a name of 1 to 80 characters, without line breaks and without spaces at its ends',
).register(openapiOverrides, { type: 'string', minLength: 1, maxLength: 80, examples: ['Ben'] })

const byId = { permission: 'administer', parameters: { id: tokenInPath }, refusals: ['NOT_FOUND'] } as const

const SESSIONS_END =
  'All sessions of the user end, except the session of the request: each may be on a lost device.'

export const accessOperations = {
  getCurrentToken: operation({
    client: 'tokens.current',
    method: 'get',
    path: '/token',
    permission: 'read_token',
    summary: 'Get the token of the request',
    details: '`permissions` is what its scope allows. The text of the token is not in the response.',
    answer: CurrentTokenSchema,
    example: {
      ...example,
      owner: 'ann',
      permissions: ['read_token', 'read', 'read_cameras', 'post', 'change', 'manage', 'administer'],
    },
    // NOT_FOUND when the token has just ended.
    core: ownedCall('token.get', { request: { token: TokenId }, response: { token: CurrentTokenSchema } }),
    toRequest: ({ caller: { token } }) => ({ token }),
  }),

  listTokens: operation({
    client: 'tokens.list',
    method: 'get',
    path: '/tokens',
    permission: 'administer',
    summary: 'List the tokens of the owner',
    details:
      'Valid tokens come first, then those that have ended, newest first. ' +
      `The list has at most ${TOKEN_LIMITS.listed} tokens.`,
    answer: resultsOf(TokenSchema),
    example: { results: [example] },
    core: ownedCall('tokens.list', { request: {}, response: { tokens: z.array(TokenSchema) } }),
  }),

  createToken: operation({
    client: 'tokens.create',
    method: 'post',
    path: '/tokens',
    permission: 'administer',
    summary: 'Create a token of the owner',
    details: `${TEXT_ONCE} An owner has at most ${TOKEN_LIMITS.perOwner} valid tokens.`,
    parameters: {
      scope: oneOf(SCOPES).meta({ description: 'What the token allows.' }),
      name: withDefault(text(TOKEN_LIMITS.nameLength), ''),
      expires: optional(timestamp),
      rate: optional(tokenRate),
    },
    status: 201,
    answer: CreatedTokenSchema,
    example: { ...created, token: TEXT },
    // Stores the hash of a new token. BAD_PARAM for an expiry that is not ahead, and above TOKEN_LIMITS.perOwner.
    core: change('token.create', {
      words: 'made a token',
      request: {
        hash: TokenHash,
        name: z.string().max(TOKEN_LIMITS.nameLength),
        scope: ScopeSchema,
        /** Microseconds since 1970. */
        expires: z.number().optional(),
        rate: z.number().positive().max(TOKEN_LIMITS.rate).optional(),
      },
      response: { token: TokenSchema },
      audit: (_, { token }) => ({ token: token.id }),
    }),
  }),

  rotateToken: operation({
    client: 'tokens.rotate',
    method: 'post',
    path: '/tokens/:id/rotate',
    permission: 'administer',
    summary: 'Replace a token',
    details: `The new token has the name, scope, rate and lifetime of the old one. The old one stays valid for \`grace_hours\`. ${TEXT_ONCE}`,
    parameters: { id: tokenInPath, grace_hours: withDefault(graceHours, 24) },
    status: 201,
    answer: RotatedTokenSchema,
    example: {
      ...created,
      token: TEXT,
      replaced: { ...created, id: example.id, revoked: TIMESTAMP },
    },
    refusals: ['NOT_FOUND'],
    // Stores the hash of a replacement. NOT_FOUND for a token that is not valid, or is replaced already.
    core: change('token.rotate', {
      words: 'replaced a token',
      request: {
        id: TokenId,
        hash: TokenHash,
        graceMs: z
          .number()
          .min(0)
          .max(TOKEN_LIMITS.graceHours * 3_600_000),
      },
      response: { token: TokenSchema, replaced: TokenSchema },
      audit: ({ id }, { token }) => ({ token: id, next: token.id }),
      replay: 'token',
    }),
  }),

  revokeToken: operation({
    client: 'tokens.revoke',
    method: 'delete',
    path: '/tokens/:id',
    permission: 'administer',
    summary: 'Revoke a token',
    details:
      `An edge beside its core refuses the token at once, any other within ${TOKEN_LIMITS.trustedMs / 1000} seconds. ` +
      'The token of the request cannot revoke itself.',
    parameters: { id: tokenInPath },
    refusals: ['NOT_FOUND'],
    // NOT_FOUND for a token that is not valid; BAD_PARAM for the caller's own.
    core: change('token.revoke', {
      words: 'revoked a token',
      request: { id: TokenId },
      response: {},
      audit: ({ id }) => ({ token: id }),
      disk: 'frees',
      replay: 'token',
    }),
  }),

  listUsers: userOperation({
    client: 'users.list',
    method: 'get',
    path: '/users',
    permission: 'administer',
    summary: 'List the users of the owner',
    details:
      'People with access through the console, by name, with their passkeys, newest first. Sessions that have ended are left out.',
    answer: resultsOf(UserSchema),
    example: {
      results: [
        {
          ...user,
          has_passkey: true,
          passkeys: [{ ...passkey, last_used: TIMESTAMP }],
          sessions: [{ id: '4e1b6a0f9c2d', created: TIMESTAMP, expires: TIMESTAMP }],
        },
      ],
    },
    core: ownedCall('users.list', { request: {}, response: { users: z.array(UserSchema) } }),
  }),

  inviteUser: userOperation({
    client: 'users.invite',
    method: 'post',
    path: '/users',
    permission: 'administer',
    summary: 'Invite a user',
    details: `${INVITATION} Roles are scopes of tokens: \`look\` is \`read\`, \`administer\` is \`admin\`.`,
    parameters: {
      name: userName,
      role: oneOf(ROLE_NAMES).meta({ description: 'What the user may do. A known user keeps the role.' }),
      again: withDefault(boolean, false).describe(
        'A user with this name gets another link. Passkeys stay without `lost`.',
      ),
      lost: withDefault(boolean, false).describe(
        `With \`again\`: the device of the user is lost. All passkeys are removed. ${SESSIONS_END}`,
      ),
      expires,
    },
    status: 201,
    answer: InvitedUserSchema,
    example: invited,
    // Stores the hash of a link. BAD_PARAM for a known name without `again`, and for an end in the past or too far ahead.
    core: change('user.invite', {
      words: 'invited a person',
      request: {
        link: TokenHash,
        name: UserName,
        role: RoleSchema,
        again: z.boolean(),
        lost: z.boolean(),
        /** Microseconds since 1970. */
        expires: z.number().optional(),
      },
      response: { user: UserSchema },
      audit: ({ role, lost }, { user }) => ({ user: user.id, role, ...(lost && { lost }) }),
      replay: 'passkeys',
    }),
  }),

  deleteUser: userOperation({
    client: 'users.delete',
    ...byId,
    method: 'delete',
    path: '/users/:id',
    summary: 'Delete a user with all passkeys and sessions',
    details: 'The audit log keeps the name. A user cannot delete themselves.',
    core: change('user.delete', {
      words: 'took access away from a person',
      request: { id: UserId },
      response: {},
      audit: ({ id }) => ({ user: id }),
      disk: 'frees',
      replay: 'user',
    }),
  }),

  deletePasskey: userOperation({
    client: 'users.deletePasskey',
    ...byId,
    method: 'delete',
    path: '/passkeys/:id',
    parameters: { id: passkeyInPath },
    summary: 'Remove a passkey of a user',
    details: SESSIONS_END,
    core: change('passkey.delete', {
      words: 'removed a passkey',
      request: { id: z.string().regex(PASSKEY_ID) },
      response: { user: UserId },
      audit: ({ id }, { user }) => ({ user, passkey: id }),
      disk: 'frees',
      replay: 'passkeys',
    }),
  }),

  endSession: userOperation({
    client: 'users.endSession',
    ...byId,
    method: 'delete',
    path: '/sessions/:id',
    summary: 'End a session of a user',
    details: `An edge beside its core refuses it at once, any other within ${TOKEN_LIMITS.trustedMs / 1000} seconds.`,
    core: change('session.end', {
      words: 'ended a session',
      request: { id: TokenId },
      response: {},
      audit: ({ id }) => ({ token: id }),
      disk: 'frees',
      replay: 'token',
    }),
  }),
}
