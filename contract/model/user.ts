/** Users: people who sign in to the console. Their roles are scopes of tokens: a session is a token in a cookie. */
import * as z from 'zod'
import { type Scope, TokenId } from './token.ts'

/** What each role allows, as the scope of its sessions. */
export const ROLES = {
  look: 'read',
  enrol: 'enrol',
  manage: 'manage',
  administer: 'admin',
} as const satisfies Record<string, Scope>

export type Role = keyof typeof ROLES

export const ROLE_NAMES = Object.keys(ROLES) as [Role, ...Role[]]

export const RoleSchema = z.enum(ROLE_NAMES)

/** Public id of a user. */
export const UserId = TokenId

/** Characters of the name of a user, or of a passkey. */
export const NAME_LENGTH = 80

/** Whether a text can be the name of a user: one line, without spaces at its ends. The audit log has it. */
export const isUserName = (text: string): boolean =>
  text.length > 0 && text.length <= NAME_LENGTH && text === text.trim() && !/\p{C}|\p{Zl}|\p{Zp}/u.test(text)

/** The name of a user, different from the names of the owner's other users. */
export const UserName = z.string().refine(isUserName, `a name of 1 to ${NAME_LENGTH} characters`)

const SessionSchema = z.strictObject({
  id: TokenId,
  created: z.string(),
  expires: z.string(),
  last_used: z.string().optional(),
})

/** Id of a passkey: base64url, as its authenticator chose it. */
export const PASSKEY_ID = /^[\w-]{1,1400}$/

const PasskeySchema = z.strictObject({
  id: z.string(),
  name: z.string().describe('Browser and system that made the passkey. "" when they are unknown.'),
  created: z.string(),
  last_used: z.string().optional().describe('When the passkey signed in last. Absent: never.'),
})

/** A user with passkeys, and the sessions that have not ended. Times are UTC. */
export const UserSchema = z
  .strictObject({
    id: UserId,
    name: z.string(),
    role: RoleSchema,
    created: z.string(),
    /** The user can sign in without a link. */
    has_passkey: z.boolean(),
    passkeys: z.array(PasskeySchema),
    by_provider: z
      .literal(true)
      .optional()
      .describe('The user signs in at the OpenID provider, without a link.'),
    /** When the unused invitation ends. Absent: there is none. */
    invited_until: z.string().optional(),
    sessions: z.array(SessionSchema),
  })
  .meta({ id: 'User' })
export type User = z.infer<typeof UserSchema>

/** A user with a new invitation. */
export const InvitedUserSchema = UserSchema.extend({
  link: z.string().describe('The invitation. It works once. Only this response has it.'),
}).meta({ id: 'InvitedUser' })
