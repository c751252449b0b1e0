/** Sign-in at a real OpenID provider, and attacks on it: each is refused by a running service. */

import { once } from 'node:events'
import { request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { PROVIDER_LIMITS } from '#contract/limits/tokens.ts'
import { roleOf } from '#core/operations/access/provider.ts'
import { clientOf, type Send } from '#test/support/client.ts'
import {
  type OpenIdProvider,
  rawToken,
  startOpenIdProvider,
  visitProvider,
} from '#test/support/servers/openid-provider.ts'
import { type Service, startService } from '#test/support/service.ts'
import { times } from '#test/support/times.ts'
import { buttonIn, clickButton, consoleTests, visit } from '../../console/visitor.ts'
import { cookieIn, postSession, sessionHeaders } from '../shared.ts'

let provider: OpenIdProvider
let service: Service
let admin: Send

beforeAll(async () => {
  provider = await startOpenIdProvider()
  service = await startService({
    env: {
      MIEN_OIDC_ISSUER: provider.issuer,
      MIEN_OIDC_CLIENT_ID: 'mien',
      MIEN_OIDC_CLIENT_SECRET: provider.secret,
      MIEN_OIDC_NAME: 'Example & "Sons"',
      MIEN_OIDC_ROLES: 'administer=mien-admins; look=staff',
    },
  })
  admin = clientOf(service.edge, service.token)
  provider.serve(`${service.edge}/`)
})
afterAll(async () => {
  await service.stop()
  provider.close()
  await service.remove()
})
beforeEach(() => Object.assign(provider, { outage: undefined, forge: undefined }))

const post = (provider: string, cookie = '') => postSession({ provider }, { cookie }, service.edge)

/** Makes this person the next who signs in at the provider. The name can differ from the account's. */
const enter = (sub: string, groups: unknown, name = sub) => {
  provider.person = { sub, groups, preferred_username: name }
}

/** The cookie of a new browser, and the answer of the provider. */
async function visited() {
  const begun = await post('')
  const { location } = await begun.json()
  return { cookie: cookieIn(begun), query: (await visitProvider(location)).search.slice(1), begun, location }
}

async function signIn() {
  const { cookie, query } = await visited()
  const answer = await post(query, cookie)
  const headers = await sessionHeaders(answer)
  const statusOf = async (path: string) => (await fetch(service.edge + path, { headers })).status
  return { answer, statusOf }
}

async function expectRefused(answer: Response, reason = 'The sign-in at Example & "Sons" is not accepted.') {
  expect([answer.status, (await answer.json()).reason]).toEqual([401, expect.stringContaining(reason)])
  expect(answer.headers.get('set-cookie')).toBeNull()
}

describe('an OpenID provider', { tags: 'long' }, () => {
  const foreign = JSON.stringify({
    issuer: 'https://evil.example',
    authorization_endpoint: 'https://evil.example',
  })
  it.each([
    ['answers nonsense', (_, response) => response.end('<h1>secret detail</h1>')],
    [
      'names another issuer',
      (_, response) => response.writeHead(200, { 'content-type': 'application/json' }).end(foreign),
    ],
    ['sends no end', (_, response) => void response.write('{')],
    ['is down', (_, response) => void response.destroy()],
  ] satisfies [string, OpenIdProvider['outage']][])('that %s ends in a sentence', async (_, outage) => {
    await sleep(PROVIDER_LIMITS.metadataMs)
    provider.outage = outage
    await expectRefused(await post(''), 'Example & "Sons" does not answer as expected.')
  })

  it('is asked again within seconds for metadata that were wrong, and rarely by many requests', async () => {
    await sleep(PROVIDER_LIMITS.metadataMs)
    let reads = 0
    const moved = `${provider.issuer}/moved`
    const wrong = JSON.stringify({
      issuer: provider.issuer,
      authorization_endpoint: moved,
      token_endpoint: moved,
      jwks_uri: moved,
      response_types_supported: ['code'],
    })
    provider.outage = (_, response) => {
      reads++
      response.writeHead(200, { 'content-type': 'application/json' }).end(wrong)
    }
    const locations = await Promise.all(times(20, async () => (await (await post('')).json()).location))
    expect([new Set(locations.map(text => text.split('?')[0])), reads]).toEqual([new Set([moved]), 1])
    provider.outage = undefined
    await sleep(PROVIDER_LIMITS.metadataMs)
    enter('gus', ['staff'])
    expect((await signIn()).answer.status).toBe(200)
  })

  it('signs people in with the role of their best group', async () => {
    enter('ann', ['staff', 'mien-admins'])
    // A forged token that says the same is accepted: the refusals below have their reasons.
    provider.forge = claims => claims
    const { answer, statusOf } = await signIn()
    expect(answer.headers.get('set-cookie')).toMatch(/^mien=mien_\w{46}; .*HttpOnly; SameSite=Strict$/)
    expect(await statusOf('/v1/users')).toBe(200)
    const { results } = (await admin('GET', '/v1/users')).body
    expect(results).toContainEqual(expect.objectContaining({ name: 'ann', by_provider: true }))
  })

  it('decides at each sign-in: a lost group takes role and sessions away, as the audit log says', async () => {
    enter('ben', ['mien-admins'])
    const { statusOf } = await signIn()
    expect(await statusOf('/v1/users')).toBe(200)
    const link = await admin('POST', '/v1/users', { name: 'ben', role: 'look', again: true })
    expect([link.status, link.body.param]).toEqual([400, 'name'])
    enter('ben', ['staff'], 'Benjamin')
    await signIn()
    expect([await statusOf('/v1/users'), await statusOf('/v1/galleries')]).toEqual([403, 200])
    enter('ben', ['others'], 'Benjamin')
    await expectRefused((await signIn()).answer, 'knows you as Benjamin, but none of your groups has access')
    expect(await statusOf('/v1/galleries')).toBe(401)
    const { results } = (await admin('GET', '/v1/audit-log?limit=9')).body
    const actor = expect.stringMatching(/^user \w{12} Benjamin$/)
    for (const action of ['user.delete', 'session.create'])
      expect(results).toContainEqual(expect.objectContaining({ actor, action }))
  })

  it('cannot give a person the user of another person with the same name', async () => {
    await admin('POST', '/v1/users', { name: 'Cleo', role: 'administer' })
    enter('other', ['staff'], 'Cleo')
    await expectRefused((await signIn()).answer, 'Another user of this service is called Cleo.')
  })
})

describe('an answer of the provider', { tags: 'long' }, () => {
  beforeEach(() => enter('dora', ['staff']))

  it('is accepted once, and in the browser that began', async () => {
    const { cookie, query } = await visited()
    for (const another of ['', `${cookie}x`])
      await expectRefused(await post(query, another), 'began in another browser')
    await expectRefused(await post(query, (await visited()).cookie))
    await expect(post(query, cookie)).toAnswer(200)
    await expectRefused(await post(query, cookie))
  })

  it.each([
    ['another state', { state: 'x'.repeat(43) }],
    ['the issuer of another provider', { iss: 'https://evil.example' }],
    ['no issuer', { iss: undefined }],
    ['another code', { code: 'forged' }],
    ['an error', { error: 'access_denied' }],
  ])('is refused with %s', async (_, change) => {
    const { cookie, query } = await visited()
    const changed = { ...Object.fromEntries(new URLSearchParams(query)), ...change }
    await expectRefused(await post(String(new URLSearchParams(JSON.parse(JSON.stringify(changed)))), cookie))
  })

  it.each([
    ['another nonce', claims => ({ ...claims, nonce: 'x' })],
    ['no nonce', ({ nonce: _, ...claims }) => claims],
    ['another audience', claims => ({ ...claims, aud: 'another client' })],
    ['another issuer', claims => ({ ...claims, iss: 'https://evil.example' })],
    ['no algorithm', claims => rawToken({ alg: 'none' }, claims)],
    ['a foreign signature', claims => `${rawToken({ alg: 'RS256', kid: 'one' }, claims)}${'A'.repeat(342)}`],
    ['the subject of another person', claims => ({ ...claims, sub: 'admin' })],
  ] satisfies [string, OpenIdProvider['forge']][])(
    'is refused with an ID token with %s',
    async (_, forge) => {
      const { cookie, query } = await visited()
      provider.forge = forge
      await expectRefused(await post(query, cookie))
    },
  )

  it('comes to the page of the console only: the provider refuses another host', async () => {
    const { begun, location } = await visited()
    expect(begun.headers.get('set-cookie')).toMatch(/^mien-sign-in=.*; HttpOnly; SameSite=Strict$/)
    expect(new URL(location).searchParams.get('redirect_uri')).toBe(`${service.edge}/`)
    const headers = { host: 'evil.example', 'content-type': 'application/json' }
    const sent = request(`${service.edge}/session`, { method: 'POST', headers }).end('{"provider":""}')
    const [answer] = await once(sent, 'response')
    const spoofed = JSON.parse(String(Buffer.concat(await answer.toArray()))).location
    await expect(visitProvider(spoofed)).rejects.toThrow('The provider answers 400.')
  })
})

it('a group is compared as a whole', () => {
  const [admins, staff] = [
    { role: 'administer', group: 'admins' } as const,
    { role: 'look', group: 'staff' } as const,
  ]
  const roles = [admins, staff]
  for (const claim of ['admins,staff', 'xadmins', { admins: true }, [['admins']], null, undefined])
    expect(roleOf(claim, roles)).toBeUndefined()
  expect([roleOf('staff', roles), roleOf(['staff', 'admins'], roles)]).toEqual(['look', 'administer'])
})

consoleTests('the page of people with access', () => {
  it('offers no link for users of the provider, because core refuses it', async () => {
    await admin('POST', '/v1/users', { name: 'Invited', role: 'look' })
    enter('fay', ['staff'])
    await signIn()
    const page = await visit({
      edge: service.edge,
      token: service.token,
      hash: '#/service/people',
    })
    await page.getByRole('row', { name: /fay.*Signs in at the OpenID provider/ }).waitFor()
    await buttonIn(page, 'New link: Invited').waitFor()
    expect(await buttonIn(page, 'New link: fay').count()).toBe(0)
  })
})

consoleTests('the sign-in page', () => {
  it('returns from the provider to the console, whatever the address says', async () => {
    const page = await visit({ edge: service.edge, trouble: /\/auth[/?]|\/interaction\/|status of 401/ })
    const signIn = buttonIn(page, 'Sign in with Example & "Sons"')
    enter('eve', ['staff'])
    for (const hash of ['#//evil.example', '#/\\evil.example', '#https://evil.example']) {
      await page.goto(`${service.edge}/?return=//evil.example${hash}`)
      await signIn.click()
      await buttonIn(page, 'Sign out').waitFor()
      expect(page.url()).toBe(`${service.edge}/`)
      await clickButton(page, 'Sign out')
      await signIn.waitFor()
    }
    enter('eve', [])
    await signIn.click()
    await page.getByRole('alert').filter({ hasText: 'none of your groups has access' }).waitFor()
  })
})
