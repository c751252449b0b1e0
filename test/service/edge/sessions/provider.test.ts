/** Sign-in at a real OpenID provider, and attacks on it: each is refused by a running service. */
import { once } from 'node:events'
import { request } from 'node:http'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { clientOf } from '#bench/harness/client.ts'
import { type Service, startService } from '#bench/harness/service.ts'
import { roleOf } from '#core/operations/users/provider.ts'
import {
  CLIENT,
  type OpenIdProvider,
  startOpenIdProvider,
  unsigned,
  visitProvider,
} from '#test/openid-provider.ts'
import { consoleTests, visit } from '../../console/visitor.ts'

let provider: OpenIdProvider
let service: Service

beforeAll(async () => {
  provider = await startOpenIdProvider()
  service = await startService({
    env: {
      MIEN_OIDC_ISSUER: provider.issuer,
      MIEN_OIDC_CLIENT_ID: CLIENT.client_id,
      MIEN_OIDC_CLIENT_SECRET: CLIENT.client_secret,
      MIEN_OIDC_NAME: 'Example & "Sons"',
      MIEN_OIDC_ROLES: 'administer=mien-admins; look=staff; look=cn=guests,dc=example',
    },
  })
  provider.serve(`${service.edge}/`)
})
afterAll(async () => {
  await service.stop()
  provider.close()
  await service.remove()
})
beforeEach(() => Object.assign(provider, { outage: undefined, forge: undefined }))

async function post(body: object, cookie = ''): Promise<Response> {
  const headers = { 'content-type': 'application/json', cookie }
  return fetch(`${service.edge}/session`, { method: 'POST', headers, body: JSON.stringify(body) })
}

/** The last cookie: a session comes after the removal of the sign-in. */
const cookieIn = ({ headers }: Response): string => headers.getSetCookie().at(-1)?.split(';')[0] ?? ''

async function begin() {
  const answer = await post({ provider: '' })
  expect(answer.status).toBe(200)
  return { cookie: cookieIn(answer), start: (await answer.json()).location as string, answer }
}

/** The answer of the provider for this person, and the cookie of the browser. */
async function visited(person: OpenIdProvider['person']) {
  provider.person = person
  const { cookie, start } = await begin()
  return { cookie, query: (await visitProvider(start)).search.slice(1), start }
}

async function signIn(sub: string, groups: unknown, name = sub): Promise<Response> {
  const { cookie, query } = await visited({ sub, groups, preferred_username: name })
  return post({ provider: query }, cookie)
}

/** Sends a request with the session of a sign-in. */
async function withSession(signedIn: Response) {
  const cookie = cookieIn(signedIn)
  const { csrf } = await signedIn.clone().json()
  return async (path: string) =>
    fetch(`${service.edge}${path}`, { headers: { cookie, 'x-csrf-token': csrf } })
}

async function expectRefused(answer: Response, reason: RegExp): Promise<void> {
  const body = await answer.json()
  expect([answer.status, body.code, body.reason]).toEqual([401, 'AUTH_FAILED', expect.stringMatching(reason)])
  expect(answer.headers.get('set-cookie') ?? '').not.toMatch(/mien=/)
}

const UNACCEPTED = /^The sign-in at Example & "Sons" is not accepted\. Begin again\.$/

describe('an OpenID provider', { tags: 'long' }, () => {
  it.each([
    ['answers nonsense', (_, response) => response.end('<h1>secret detail</h1>')],
    ['fails', (_, response) => response.writeHead(500).end()],
    [
      'names another issuer',
      (_, response) =>
        response.setHeader('content-type', 'application/json').end(
          JSON.stringify({
            issuer: 'https://evil.example',
            authorization_endpoint: 'https://evil.example',
          }),
        ),
    ],
    ['sends no end', (_, response) => void response.write('{')],
    ['answers nothing', () => {}],
    ['is down', (_, response) => void response.destroy()],
  ] satisfies [string, OpenIdProvider['outage']][])('that %s ends in a sentence', async (_, outage) => {
    provider.outage = outage
    await expectRefused(await post({ provider: '' }), /^Example & "Sons" does not answer as expected\./)
  })

  it('signs people in with the role of their best group', async () => {
    const { cookie, query } = await visited({
      sub: 'ann',
      groups: ['staff', 'mien-admins'],
      preferred_username: 'Ann',
    })
    // A forged token that says the same is accepted: the refusals below have their reasons.
    provider.forge = claims => claims
    const answer = await post({ provider: query }, cookie)
    expect((await (await withSession(answer))('/v1/users')).status).toBe(200)
    expect(answer.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^mien-sign-in=; Max-Age=0; Path=\/; HttpOnly; SameSite=Strict$/),
      expect.stringMatching(/^mien=mien_\w{46}; .*HttpOnly; SameSite=Strict$/),
    ])
  })

  it('decides at each sign-in: a lost group takes role and sessions away, as the audit log says', async () => {
    const first = await withSession(await signIn('ben', ['mien-admins']))
    const admin = clientOf(service.edge, service.token)
    expect((await first('/v1/users')).status).toBe(200)
    expect((await admin('POST', '/v1/users', { name: 'ben', role: 'look', again: true })).body.param).toBe(
      'name',
    )
    await signIn('ben', ['staff'], 'Benjamin')
    expect((await first('/v1/users')).status).toBe(403)
    await expectRefused(await signIn('ben', ['others']), /none of your groups has access/)
    expect((await first('/v1/galleries')).status).toBe(401)
    const { results } = (await admin('GET', '/v1/audit-log?limit=50')).body
    const actor = expect.stringMatching(/^user \w{12} Benjamin$/)
    expect(results).toContainEqual(expect.objectContaining({ actor, action: 'user.delete' }))
    expect(results).toContainEqual(
      expect.objectContaining({
        actor,
        action: 'session.create',
        subject: expect.objectContaining({ by: 'provider' }),
      }),
    )
  })

  it('cannot give somebody the user of another person with the same name', async () => {
    await clientOf(service.edge, service.token)('POST', '/v1/users', { name: 'Cleo', role: 'administer' })
    await expectRefused(
      await signIn('other', ['staff'], 'Cleo'),
      /Another user of this service is called Cleo/,
    )
  })
})

describe('an answer of the provider', { tags: 'long' }, () => {
  const person = { sub: 'dora', groups: ['staff'], preferred_username: 'Dora' }

  it('is accepted once, and in the browser that began', async () => {
    const { cookie, query } = await visited(person)
    await expectRefused(await post({ provider: query }), /began in another browser/)
    await expectRefused(await post({ provider: query }, (await begin()).cookie), UNACCEPTED)
    await expectRefused(await post({ provider: query }, `${cookie}x`), /began in another browser/)
    expect((await post({ provider: query }, cookie)).status).toBe(200)
    for (let i = 0; i < 2; i++) await expectRefused(await post({ provider: query }, cookie), UNACCEPTED)
  })

  it.each([
    ['another state', (query: URLSearchParams) => query.set('state', 'x'.repeat(43))],
    ['no state', (query: URLSearchParams) => query.delete('state')],
    ['the issuer of another provider', (query: URLSearchParams) => query.set('iss', 'https://evil.example')],
    ['no issuer', (query: URLSearchParams) => query.delete('iss')],
    ['another code', (query: URLSearchParams) => query.set('code', 'forged')],
    ['two codes', (query: URLSearchParams) => query.append('code', 'forged')],
    ['an error', (query: URLSearchParams) => query.set('error', 'access_denied')],
  ])('is refused with %s', async (_, change) => {
    const { cookie, query } = await visited(person)
    const changed = new URLSearchParams(query)
    change(changed)
    await expectRefused(await post({ provider: String(changed) }, cookie), UNACCEPTED)
  })

  it.each([
    ['another nonce', claims => ({ ...claims, nonce: 'x' })],
    ['no nonce', ({ nonce: _, ...claims }) => claims],
    ['another audience', claims => ({ ...claims, aud: 'another client' })],
    ['another issuer', claims => ({ ...claims, iss: 'https://evil.example' })],
    ['an end in the past', claims => ({ ...claims, exp: 1 })],
    ['no signature', claims => unsigned({ alg: 'none' }, claims)],
    ['an empty signature', claims => unsigned({ alg: 'RS256', kid: 'one' }, claims)],
    ['a foreign signature', claims => `${unsigned({ alg: 'RS256', kid: 'one' }, claims)}${'A'.repeat(342)}`],
    ['the subject of somebody else', claims => ({ ...claims, sub: 'admin' })],
  ] satisfies [string, OpenIdProvider['forge']][])(
    'is refused with an ID token with %s',
    async (_, forge) => {
      const { cookie, query } = await visited(person)
      provider.forge = forge
      await expectRefused(await post({ provider: query }, cookie), UNACCEPTED)
    },
  )

  it('leads nowhere else: other hosts and paths are not sent to the provider', async () => {
    const { port } = new URL(service.edge)
    const headers = { host: 'evil.example', 'content-type': 'application/json' }
    const sent = request({ port, host: '127.0.0.1', path: '/session', method: 'POST', headers }).end(
      '{"provider":"","return":"//evil.example","redirect_uri":"https://evil.example"}',
    )
    const [answer] = await once(sent, 'response')
    const { location } = JSON.parse(String(Buffer.concat(await answer.toArray())))
    await expect(visitProvider(location)).rejects.toThrow('The provider answers 400.')
    const { start, answer: begun } = await begin()
    expect(new URL(start).searchParams.get('redirect_uri')).toBe(`${service.edge}/`)
    expect(begun.headers.get('set-cookie')).toMatch(/^mien-sign-in=.*; HttpOnly; SameSite=Strict$/)
  })
})

it('a group is compared as a whole', () => {
  const roles = [
    { role: 'administer', group: 'admins' },
    { role: 'look', group: 'staff' },
  ] as const
  for (const claim of ['admins,staff', 'xadmins', { admins: true }, [['admins']], null, undefined, [0]])
    expect(roleOf(claim, roles)).toBeUndefined()
  expect([roleOf('staff', roles), roleOf(['staff', 'admins'], roles)]).toEqual(['look', 'administer'])
})

consoleTests('the sign-in page', () => {
  it.each(['#/galleries', '#//evil.example', '#/\\evil.example', '#https://evil.example'])(
    'returns from the provider to the console: %s',
    async hash => {
      provider.person = { sub: 'eve', groups: ['staff'], preferred_username: 'Eve' }
      const { page } = await visit({ edge: service.edge, hash: `?return=//evil.example${hash}` })
      await page.getByRole('button', { name: 'Sign in with Example & "Sons"' }).click()
      await page.getByRole('button', { name: 'Sign out' }).waitFor()
      expect(page.url()).toBe(`${service.edge}/${hash}`)
    },
  )

  it('says why somebody has no access', async () => {
    provider.person = { sub: 'fay', groups: [], preferred_username: 'Fay' }
    const { page } = await visit({ edge: service.edge })
    await page.getByRole('button', { name: 'Sign in with Example' }).click()
    await page
      .getByRole('alert')
      .filter({ hasText: 'knows you as Fay, but none of your groups has access' })
      .waitFor()
    expect(page.url()).toBe(`${service.edge}/`)
  })
})
