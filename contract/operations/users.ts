/** Users of the console: invitations, roles and sessions. */
import * as z from 'zod'
import { TOKEN_LIMITS } from '../limits/tokens.ts'
import { TokenHash, TokenId } from '../model/token.ts'
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
import { boolean, field, oneOf, optional, timestamp, withDefault } from '../parameters/fields.ts'
import { passkeyInPath, tokenInPath } from '../parameters/ids.ts'
import { openapiOverrides } from '../parameters/json-schema.ts'
import { change, ownedCall } from '../rpc/message.ts'
import { TIMESTAMP } from './examples.ts'
import { operationOf, resultsOf } from './operation.ts'

const operation = operationOf('Users')

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

export const userOperations = {
  listUsers: operation({
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

  inviteUser: operation({
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
    // Stores the hash of a link. BAD_PARAM for a known name without `again`, and for an end that is not ahead, or too far.
    core: change('user.invite', {
      words: 'invited somebody',
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

  deleteUser: operation({
    client: 'users.delete',
    ...byId,
    method: 'delete',
    path: '/users/:id',
    summary: 'Delete a user with all passkeys and sessions',
    details: 'The audit log keeps the name. A user cannot delete themselves.',
    core: change('user.delete', {
      words: 'took access away from somebody',
      request: { id: UserId },
      response: {},
      audit: ({ id }) => ({ user: id }),
      disk: 'frees',
      replay: 'user',
    }),
  }),

  deletePasskey: operation({
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

  endSession: operation({
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
