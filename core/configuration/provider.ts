/** The variables of sign-in by an OpenID provider: MIEN_OIDC_... */
import * as z from 'zod'
import { ROLE_NAMES, type Role, RoleSchema } from '../../contract/model/user.ts'
import { isLoopbackHost } from '../network/addresses.ts'

/** A provider at which the people of an organisation sign in. */
export interface ProviderSettings {
  /** Its address, which its metadata names too. */
  issuer: string
  clientId: string
  clientSecret: string
  /** Its name on the sign-in page. */
  name: string
  /** The claim with the groups of a user. */
  groupsClaim: string
  /** Roles and the groups that have them. */
  roles: readonly { role: Role; group: string }[]
  /** Name of the owner whose data its users see. Undefined: the only owner. */
  owner: string | undefined
}

/** Unencrypted on this machine only. */
function isIssuer(text: string) {
  if (!URL.canParse(text)) return false
  const { protocol, hostname, search, hash, username } = new URL(text)
  const isSafe = protocol === 'https:' || (protocol === 'http:' && isLoopbackHost(hostname))
  return isSafe && search + hash + username === ''
}

const ROLE_OF_GROUP = new RegExp(`^\\s*(${ROLE_NAMES.join('|')})\\s*=\\s*(\\S.*?)\\s*$`)

const Roles = z
  .string()
  .transform(list => list.split(';').map(item => ROLE_OF_GROUP.exec(item)))
  .refine(
    items => items.every(item => item !== null),
    `must be like "administer=group one;look=group two", with the roles ${ROLE_NAMES.join(', ')}`,
  )
  .transform(items => items.map(item => ({ role: RoleSchema.parse(item?.[1]), group: item?.[2] ?? '' })))

/** An empty variable counts as unset. */
export const PROVIDER_VARIABLES = {
  MIEN_OIDC_ISSUER: z
    .string()
    .refine(isIssuer, 'must be an https address, without a query; http is for this machine only')
    .optional(),
  MIEN_OIDC_CLIENT_ID: z.string().optional(),
  MIEN_OIDC_CLIENT_SECRET: z.string().optional(),
  MIEN_OIDC_NAME: z
    .string()
    .regex(/^[^\p{C}]{1,40}$/u, 'must be a name of at most 40 characters')
    .optional(),
  MIEN_OIDC_GROUPS: z.string().default('groups'),
  MIEN_OIDC_ROLES: Roles.optional(),
  MIEN_OIDC_OWNER: z.string().optional(),
}

const Variables = z.object(PROVIDER_VARIABLES)

/** The provider; undefined without one. A text says which variables are missing. */
export function providerIn(data: z.output<typeof Variables>): ProviderSettings | string | undefined {
  const { MIEN_OIDC_ISSUER, MIEN_OIDC_CLIENT_ID, MIEN_OIDC_CLIENT_SECRET, MIEN_OIDC_ROLES } = data
  const needed = { MIEN_OIDC_ISSUER, MIEN_OIDC_CLIENT_ID, MIEN_OIDC_CLIENT_SECRET, MIEN_OIDC_ROLES }
  const missing = Object.entries(needed).flatMap(([name, value]) => (value === undefined ? name : []))
  if (missing.length === Object.keys(needed).length) return undefined
  if (!MIEN_OIDC_ISSUER || !MIEN_OIDC_CLIENT_ID || !MIEN_OIDC_CLIENT_SECRET || !MIEN_OIDC_ROLES)
    return `Sign-in by an OpenID provider needs ${missing.join(' and ')} too.`
  return {
    issuer: MIEN_OIDC_ISSUER,
    clientId: MIEN_OIDC_CLIENT_ID,
    clientSecret: MIEN_OIDC_CLIENT_SECRET,
    name: data.MIEN_OIDC_NAME ?? new URL(MIEN_OIDC_ISSUER).hostname.slice(0, 40),
    groupsClaim: data.MIEN_OIDC_GROUPS,
    roles: MIEN_OIDC_ROLES,
    owner: data.MIEN_OIDC_OWNER,
  }
}
