/** API tokens: scopes and permissions, format, and the hash that the service stores instead of a token. */
import * as z from 'zod'
import { sha256 } from '../digest.ts'
import { Sha256 } from '../scalars.ts'

export const SCOPES = ['read', 'enrol', 'camera', 'manage', 'admin'] as const

export const ScopeSchema = z.enum(SCOPES)

/** `admin` allows everything. `camera` is for devices that can be stolen. `manage` allows all data, and nothing about access. */
export type Scope = (typeof SCOPES)[number]

/** Permissions that operations require, and the scopes that grant each permission. */
export const PERMISSIONS = {
  /** Read the token itself. */
  read_token: SCOPES,
  /** Detect faces on photos, search, and read stored data. */
  read: ['read', 'enrol', 'manage', 'admin'],
  /** Read cameras. */
  read_cameras: ['read', 'enrol', 'camera', 'manage', 'admin'],
  /** Post faces, and watch cameras. */
  post: ['enrol', 'camera', 'manage', 'admin'],
  /** Add, change or delete a single item. */
  change: ['enrol', 'manage', 'admin'],
  /** Delete many items at once, merge and split persons, or configure cameras and alerts. */
  manage: ['manage', 'admin'],
  /** Decide who has access, and operate the service. */
  administer: ['admin'],
} as const satisfies Record<string, readonly Scope[]>

export type Permission = keyof typeof PERMISSIONS

const PermissionSchema = z.enum(Object.keys(PERMISSIONS) as [Permission, ...Permission[]])

/** Whether a scope sees user, password and other secrets in the URLs of cameras. */
export const seesCameraCredentials = (scope: Scope): boolean => scope === 'admin' || scope === 'camera'

/** The permissions that a scope grants. */
export const permissionsOf = (scope: Scope): Permission[] =>
  PermissionSchema.options.filter(permission => allows(scope, permission))

/** Whether a scope grants a permission. */
export const allows = (scope: Scope, need: Permission): boolean =>
  (PERMISSIONS[need] as readonly Scope[]).includes(scope)

/** Hash of a token (tokenHash). */
export const TokenHash = Sha256

/** Public id of a token, for operators and the audit log. It gives no access. */
export const TokenId = z.string().regex(/^[0-9a-f]{12}$/)

/** A token without its text. Times are UTC. */
export const TokenSchema = z
  .strictObject({
    id: TokenId,
    /** Purpose of the token. */
    name: z.string(),
    scope: ScopeSchema,
    /** Requests per second. Absent: the default of the service. */
    rate: z.number().optional(),
    created: z.string(),
    /** Last use, to about a minute. Absent: never used. */
    last_used: z.string().optional(),
    /** Absent: the token never expires. */
    expires: z.string().optional(),
    /** End of the token by a revocation or a rotation. It may lie in the future after a rotation. */
    revoked: z.string().optional(),
    /** Whether the service accepts the token. */
    valid: z.boolean(),
  })
  .meta({ id: 'Token' })
export type Token = z.infer<typeof TokenSchema>

/** The token of a request. */
export const CurrentTokenSchema = TokenSchema.extend({
  /** Name of the owner. */
  owner: z.string(),
  /** Permissions of the scope. */
  permissions: z.array(PermissionSchema),
  user: z.string().optional().describe('Id of the user, for the session of a browser.'),
  persons: z.literal(true).optional().describe('New faces get persons (`person_identify`).'),
}).meta({ id: 'CurrentToken' })

/** A new token. */
export const CreatedTokenSchema = TokenSchema.extend({
  token: z.string().describe('Text of the token. Only this response has it.'),
}).meta({ id: 'CreatedToken' })

/** A replacement, and the token that it replaces. */
export const RotatedTokenSchema = CreatedTokenSchema.extend({ replaced: TokenSchema }).meta({
  id: 'RotatedToken',
})

/** `mien_` + 40 letters and digits + 6 hexadecimal digits of checksum. */
const SHAPE = /^mien_[0-9A-Za-z]{40}[0-9a-f]{6}$/

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** Creates a token with 238 random bits. */
export async function newToken(): Promise<string> {
  let body = ''
  while (body.length < 40) {
    for (const byte of crypto.getRandomValues(new Uint8Array(64))) {
      // 248 = 4 x 62. Higher bytes would bias the result to the first letters.
      if (byte < 248 && body.length < 40) body += ALPHABET[byte % 62]
    }
  }
  return `mien_${body}${await checksum(body)}`
}

/** A new token, and the hash under which it is stored. */
export async function freshToken(): Promise<{ token: string; hash: string }> {
  const token = await newToken()
  const hash = await tokenHash(token)
  if (hash === undefined) throw new Error('a new token does not pass its own check')
  return { token, hash }
}

const checksum = async (body: string) => (await sha256(`mien token ${body}`)).slice(0, 6)

/** SHA-256 of a token, under which it is stored and looked up. Undefined when the format or the checksum is wrong. */
export async function tokenHash(token: string): Promise<string | undefined> {
  if (!SHAPE.test(token) || (await checksum(token.slice(5, 45))) !== token.slice(45)) return undefined
  return sha256(token)
}
