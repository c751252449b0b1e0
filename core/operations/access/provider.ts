/** Sign-in by an OpenID provider: the authorization code flow with PKCE, and the provider's claims about a user. */
import { hash } from 'node:crypto'
import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  type ClientAuth,
  ClientSecretBasic,
  ClientSecretPost,
  type Configuration,
  type CustomFetch,
  calculatePKCECodeChallenge,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
} from 'openid-client'
import { environment } from '../../../contract/environment.ts'
import { ServiceError } from '../../../contract/errors.ts'
import { PROVIDER_LIMITS } from '../../../contract/limits/tokens.ts'
import { isUserName, ROLE_NAMES, type Role } from '../../../contract/model/user.ts'
import type { ProviderSettings } from '../../configuration/provider.ts'
import { operatorTrusted } from '../../network/pinned-request.ts'

/** A user as the provider describes them. */
interface ProvidedUser {
  /** The issuer, a space, and the subject. Names may change, and belong to another user later. */
  subject: string
  name: string
  /** Undefined: no group of the user has a role. */
  role: Role | undefined
}

/** The secret of a browser that signs in, and the origin of its page. */
interface Attempt {
  attempt: string
  origin: string
}

export interface Provider extends Pick<ProviderSettings, 'name' | 'owner'> {
  /** The address at the provider to which the browser goes. AUTH_FAILED when the provider does not answer as expected. */
  begin(attempt: Attempt): Promise<string>
  /** The user of an answer, which is the query of the address to which the provider sent the browser. AUTH_FAILED. */
  finish(attempt: Attempt, answer: string): Promise<ProvidedUser>
}

/**
 * A provider whose metadata are cached for seconds. A mended fault of the provider ends soon, also a fault that only its pages
 * show. Anonymous requests cause few reads.
 */
export function openProvider(settings: ProviderSettings, onFault: (error: unknown) => void): Provider {
  const { name, owner, groupsClaim, roles } = settings
  const send = guardedFetch(new URL(settings.issuer))
  let known: { configuration: Promise<Configuration>; until: number } | undefined
  const configured = (): Promise<Configuration> => {
    const now = environment.monotonic()
    if (!known || now > known.until)
      known = { configuration: discovered(settings, send), until: now + PROVIDER_LIMITS.metadataMs }
    return known.configuration
  }

  async function begin(attempt: Attempt) {
    const configuration = await configured()
    const { state, nonce, verifier } = secretsOf(attempt)
    const scopes = configuration.serverMetadata().scopes_supported ?? []
    const url = buildAuthorizationUrl(configuration, {
      redirect_uri: `${attempt.origin}/`,
      // Some providers give the groups with a scope of their own.
      scope: ['openid', 'profile', 'email', ...scopes.filter(scope => scope === groupsClaim)].join(' '),
      state,
      nonce,
      code_challenge_method: 'S256',
      code_challenge: await calculatePKCECodeChallenge(verifier),
    })
    if (url.protocol !== new URL(settings.issuer).protocol) throw new Error('not a page of the web')
    return url.href
  }

  async function finish(
    configuration: Configuration,
    attempt: Attempt,
    answer: string,
  ): Promise<ProvidedUser> {
    const { state, nonce, verifier } = secretsOf(attempt)
    const url = new URL(`${attempt.origin}/`)
    url.search = answer
    const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier }
    const tokens = await authorizationCodeGrant(configuration, url, checks)
    const { iss, sub, ...signed } = tokens.claims()!
    // Some providers leave the groups out of the ID token. The library compares the subject.
    const isMissing = signed[groupsClaim] === undefined && configuration.serverMetadata().userinfo_endpoint
    const claims = isMissing
      ? { ...(await fetchUserInfo(configuration, tokens.access_token, sub)), ...signed }
      : signed
    const names = [claims.preferred_username, claims.email, claims.name, sub]
    const named = names.find((text): text is string => typeof text === 'string' && isUserName(text))
    if (named === undefined) throw new Error('no name')
    return { subject: `${iss} ${sub}`, name: named, role: roleOf(claims[groupsClaim], roles) }
  }

  const refuse = (reason: string) => (error: unknown) => {
    onFault(error)
    throw new ServiceError('AUTH_FAILED', { reason }, { cause: error })
  }
  const silent = refuse(`${name} does not answer as expected. Try again later.`)
  const unaccepted = refuse(`The sign-in at ${name} is not accepted. Begin again.`)
  return {
    name,
    owner,
    begin: attempt => begin(attempt).catch(silent),
    finish: (attempt, answer) =>
      configured()
        .catch(silent)
        .then(configuration => finish(configuration, attempt, answer).catch(unaccepted)),
  }
}

/** The provider gets only hashes of an attempt. They reveal neither the attempt nor each other. */
function secretsOf({ attempt }: Attempt): Record<'state' | 'nonce' | 'verifier', string> {
  const secret = (use: string) => hash('sha256', `mien ${use} ${attempt}`, 'base64url')
  return { state: secret('state'), nonce: secret('nonce'), verifier: secret('verifier') }
}

/** The greatest role of these groups. Some providers give a single group as a text, which is compared as a whole. */
export function roleOf(groups: unknown, roles: ProviderSettings['roles']): Role | undefined {
  const list: unknown[] = Array.isArray(groups) ? groups : [groups]
  return ROLE_NAMES.findLast(name => roles.some(({ role, group }) => role === name && list.includes(group)))
}

function discovered(
  { issuer, clientId, clientSecret }: ProviderSettings,
  send: CustomFetch,
): Promise<Configuration> {
  const [byForm, byHeader] = [ClientSecretPost(clientSecret), ClientSecretBasic(clientSecret)]
  const authentication: ClientAuth = (server, ...rest) => {
    const isForm = server.token_endpoint_auth_methods_supported?.includes('client_secret_post')
    return (isForm ? byForm : byHeader)(server, ...rest)
  }
  return discovery(new URL(issuer), clientId, {}, authentication, {
    [customFetch]: send,
    timeout: PROVIDER_LIMITS.requestMs / 1000,
    execute: [enableNonRepudiationChecks, ...(issuer.startsWith('http:') ? [allowInsecureRequests] : [])],
  })
}

/** Sends to the host of the issuer at any address, and to other hosts at public addresses only. Follows no redirect. */
function guardedFetch(issuer: URL): CustomFetch {
  const send = operatorTrusted(issuer)
  return async (url, { body, headers, signal }) => {
    const { status, type, text } = await send(url, {
      headers,
      ...(body && { body: Buffer.from(String(body)) }),
      signal: signal ?? environment.deadline(PROVIDER_LIMITS.requestMs),
    })
    return new Response(text, { status, headers: { 'content-type': type } })
  }
}
