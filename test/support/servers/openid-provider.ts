/** A real OpenID provider on loopback. A test decides who signs in, and can make the provider forge and fail. */
import { generateKeyPairSync, sign } from 'node:crypto'
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
// @ts-expect-error The package has no types.
import { Provider } from 'oidc-provider'
import { listen } from '../processes.ts'

const SECRET = 'the secret of a client'

type Claims = Record<string, unknown>

export interface OpenIdProvider {
  issuer: string
  /** Of the client `mien`. */
  secret: string
  /** Who signs in at the next visit. `sub` is the account. */
  person: Claims & { sub: string }
  /** Answers instead of the provider. */
  outage: RequestListener | undefined
  /** Changes the claims of ID tokens, which are signed again. A text replaces the ID token. */
  forge: ((claims: Claims) => Claims | string) | undefined
  /** Sends browsers back to this address. Call it once. */
  serve(redirect: string): void
  close(): void
}

/** Part of a context of Koa that the middleware needs. */
interface Context {
  path: string
  req: IncomingMessage
  res: ServerResponse
  body?: { id_token?: string }
  redirect(url: string): void
}

const textOf = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url')

/** The text of a token without its signature. */
export const rawToken = (header: object, claims: Claims): string => `${textOf(header)}.${textOf(claims)}.`

export async function startOpenIdProvider(): Promise<OpenIdProvider> {
  const server = createServer()
  const issuer = `http://127.0.0.1:${await listen(server)}`
  const state: OpenIdProvider = {
    issuer,
    secret: SECRET,
    person: { sub: 'ann' },
    outage: undefined,
    forge: undefined,
    serve,
    close: () => server.close().closeAllConnections(),
  }
  let answer: RequestListener = (_, response) => response.writeHead(404).end()
  server.on('request', (request, response) => (state.outage ?? answer)(request, response))

  function serve(redirect: string) {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    const provider = new Provider(issuer, {
      clients: [{ client_id: 'mien', client_secret: SECRET, redirect_uris: [redirect] }],
      jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), kid: 'one', alg: 'RS256', use: 'sig' }] },
      claims: { openid: ['sub'], profile: ['preferred_username'], groups: ['groups'] },
      features: { devInteractions: { enabled: false } },
      interactions: { url: (_: Context, { uid }: { uid: string }) => `/interaction/${uid}` },
      findAccount: (_: Context, sub: string) => ({
        accountId: sub,
        claims: () => ({ ...state.person, sub }),
      }),
      async loadExistingGrant({ oidc }: { oidc: { session: { accountId: string } } }) {
        const grant = new provider.Grant({ clientId: 'mien', accountId: oidc.session.accountId })
        grant.addOIDCScope('openid profile email groups')
        await grant.save()
        return grant
      },
    })
    provider.use(async (context: Context, next: () => Promise<void>) => {
      if (context.path.startsWith('/interaction/')) {
        const login = { accountId: state.person.sub }
        return context.redirect(await provider.interactionResult(context.req, context.res, { login }))
      }
      await next()
      const claims = context.body?.id_token?.split('.')[1]
      if (!claims || !state.forge) return
      const forged = state.forge(JSON.parse(Buffer.from(claims, 'base64url').toString()))
      const signed = (text: string) =>
        `${text}.${sign('sha256', Buffer.from(text), privateKey).toString('base64url')}`
      context.body!.id_token =
        typeof forged === 'string'
          ? forged
          : signed(rawToken({ alg: 'RS256', kid: 'one' }, forged).slice(0, -1))
    })
    answer = provider.callback()
  }
  return state
}

/** Signs in at the provider as a new browser. Returns the address of the redirect back. */
export async function visitProvider(start: string): Promise<URL> {
  const jar = new Map<string | undefined, string>()
  let url = new URL(start)
  for (const { origin } = url; url.origin === origin; ) {
    const response = await fetch(url, {
      redirect: 'manual',
      headers: { cookie: [...jar.values()].join('; ') },
    })
    for (const text of response.headers.getSetCookie()) jar.set(text.split('=')[0], text.split(';')[0]!)
    const next = response.headers.get('location')
    if (next === null) throw new Error(`The provider answers ${response.status}.`)
    url = new URL(next, url)
  }
  return url
}
