/** Attacks on sign-in and sessions: each is refused by a running service. */

import { inject } from 'vitest'
import { newToken as newText } from '#contract/model/token.ts'
import { ROLE_NAMES, ROLES, type Role } from '#contract/model/user.ts'
import { startLink as issueLink } from '#core/metadata/access/issue-tokens.ts'
import { sessionOpener } from '#core/operations/access/sessions.ts'
import type { Send } from '#test/support/client.ts'
import { times } from '#test/support/times.ts'
import { newToken } from '#test/support/tokens.ts'
import { openWorld } from '../../core/operations/world.ts'
import { startEdge } from '../edge-process.ts'
import { apiOf, cookieIn, postSession, sessionHeaders } from '../shared.ts'

const OWNER = `attacked ${process.pid}`
let users = 0

let admin: Send
beforeAll(() => {
  admin = apiOf(OWNER)
})

type Headers = Record<string, string>

/** Sends to the edge without a token, as a browser does. Headers of a page of the service are the default. */
const send = (path: string, init: RequestInit = {}) =>
  fetch(`${inject('edge')}${path}`, { redirect: 'manual', ...init })

const startLink = (role: Role = 'administer', name = `user ${users++}`) =>
  issueLink({ data: inject('data'), owner: OWNER, name, role })

interface Session {
  cookie: string
  csrf: string
  name: string
}

/** Opens a session by a link. */
async function session(role?: Role, headers: Headers = {}): Promise<Session> {
  const name = `user ${users++}`
  const answer = await postSession({ code: await startLink(role, name) }, headers)
  expect(answer.status).toBe(200)
  const cookie = cookieIn(answer)
  const { csrf } = await (await send('/session', { headers: { cookie } })).json()
  return { cookie, csrf, name }
}

const headersOf = ({ cookie, csrf }: Session) => ({ cookie, 'x-csrf-token': csrf })

const codeOf = async (answer: Response): Promise<string> => (await answer.json()).code

describe('a session', () => {
  it('is in a cookie that scripts and other sites cannot use, and its text is nowhere else', async () => {
    const answer = await postSession({ code: await startLink() })
    const cookie = answer.headers.get('set-cookie')!
    expect(cookie).toMatch(/^mien=mien_\w{46}; Max-Age=604800; Path=\/; HttpOnly; SameSite=Strict$/)
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(await answer.text()).not.toContain('mien_')
    const edge = await startEdge(inject('data'), [inject('core')], { PUBLIC_URL: 'https://mien.example' })
    const secure = await postSession({ code: await startLink() }, { origin: 'https://mien.example' }, edge)
    expect(secure.headers.get('set-cookie')).toMatch(
      /^__Host-mien=.*; Path=\/; HttpOnly; Secure; SameSite=Strict$/,
    )
  })

  it('is a new one after each sign-in: a planted session in the browser is not used', async () => {
    const fixed = await session('look')
    const planted = { cookie: `mien=${await newText()}` }
    for (const cookie of [fixed.cookie, planted.cookie]) {
      const own = await session('administer', { cookie })
      expect(own.cookie).not.toBe(cookie)
      await expect(send('/v1/token', { headers: headersOf(own) })).toAnswer(200)
    }
    await expect(send('/v1/token', { headers: { ...headersOf(fixed), ...planted } })).toAnswer(403)
    expect(await (await send('/session', { headers: planted })).json()).toEqual({})
  })

  it('cannot be used in a header, and a token cannot be used in the cookie', async () => {
    const { cookie, csrf } = await session()
    const text = cookie.replace('mien=', '')
    await expect(send('/v1/token', { headers: { authorization: `Token ${text}` } })).toAnswer(401)
    const token = newToken(inject('data'), OWNER)
    expect(await (await send('/session', { headers: { cookie: `mien=${token}` } })).json()).toEqual({})
    const headers = { cookie: `mien=${token}`, 'x-csrf-token': csrf }
    await expect(send('/v1/galleries', { headers })).toAnswer(403)
  })

  it('needs the CSRF token of this session for each request, and other sites cannot sign in or out', async () => {
    const own = await session()
    const { csrf: another } = await session()
    const forged: Headers[] = [{ cookie: own.cookie }, { cookie: own.cookie, 'x-csrf-token': another }]
    for (const headers of forged) {
      const creation = await send('/v1/galleries/forged', { method: 'POST', headers })
      expect([creation.status, await codeOf(creation)]).toEqual([403, 'FORBIDDEN'])
      await expect(send('/v1/galleries', { headers })).toAnswer(403)
      await expect(send('/session', { method: 'DELETE', headers })).toAnswer(403)
    }
    const code = await startLink()
    const foreign: Headers[] = [{ origin: 'https://evil.example' }, { 'sec-fetch-site': 'same-site' }]
    for (const headers of foreign) await expect(postSession({ code }, headers)).toAnswer(403)
    const form = { method: 'POST', body: new URLSearchParams({ code }), headers: { origin: inject('edge') } }
    await expect(send('/session', form)).toAnswer(400)
    await expect(send('/v1/galleries', { headers: headersOf(own) })).toAnswer(200)
  })

  it('ends at once when an administrator ends it, at sign-out, and with its user', async () => {
    const [first, second, third] = [await session('look'), await session('look'), await session('look')]
    const list = (await admin('GET', '/v1/users')).body.results as {
      id: string
      name: string
      sessions: { id: string }[]
    }[]
    const userOf = ({ name }: Session) => list.find(user => user.name === name)!
    await expect(admin('DELETE', `/v1/sessions/${userOf(first).sessions[0]!.id}`)).toAnswer(204)
    await expect(send('/session', { method: 'DELETE', headers: headersOf(second) })).toAnswer(204)
    await expect(admin('DELETE', `/v1/users/${userOf(third).id}`)).toAnswer(204)
    for (const ended of [first, second, third])
      await expect(send('/v1/galleries', { headers: headersOf(ended) })).toAnswer(401)
    const other = apiOf(`other ${OWNER}`)
    for (const path of [`users/${userOf(first).id}`, `sessions/${userOf(first).sessions[0]!.id}`])
      await expect(other('DELETE', `/v1/${path}`)).toAnswer(404)
  })

  it('names its user in the audit log, for changes and for searches', async () => {
    const own = await session('administer')
    await send('/v1/galleries/looked', { method: 'POST', headers: headersOf(own) })
    await send('/v1/faces/gallery/looked', { headers: headersOf(own) })
    const { results } = (await admin('GET', '/v1/audit-log?limit=3')).body
    const actor = expect.stringMatching(new RegExp(`^user \\w{12} ${own.name}$`))
    expect(results).toMatchObject([
      { actor, action: 'faces.page', subject: { gallery: expect.any(Number), shown: 0 } },
      { actor, action: 'gallery.create' },
      { actor, action: 'session.create', subject: { by: 'link' } },
    ])
  })
})

describe('a link', () => {
  it('works once, of attempts at the same time too, and not when it is replaced or incomplete', async () => {
    const code = await startLink()
    const answers = await Promise.all(times(8, () => postSession({ code })))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(401)])
    const [replaced, name] = [await startLink('look', 'Cleo'), 'Cleo']
    const next = await startLink('administer', name)
    await expect(postSession({ code: replaced })).toAnswer(401)
    for (const code of ['', next.slice(1)]) await expect(postSession({ code })).toAnswer(401)
    const headers = await sessionHeaders(await postSession({ code: next }))
    // The role is from the first invitation.
    await expect(send('/v1/users', { headers })).toAnswer(403)
  })

  it('of an invitation opens no session without a passkey', async () => {
    const { link } = (await admin('POST', '/v1/users', { name: 'Dora', role: 'look' })).body
    const code = link.split('/').at(-1)
    for (let i = 0; i < 2; i++) {
      const answer = await postSession({ code })
      expect(answer.headers.get('set-cookie')).toBeNull()
      expect(await answer.json()).toMatchObject({
        options: { rp: { id: '127.0.0.1' }, user: { name: 'Dora' } },
      })
    }
    for (const credential of [null, {}, FORGED]) await expect(postSession({ code, credential })).toAnswer(401)
    const taken = await admin('POST', '/v1/users', { name: 'Dora', role: 'administer' })
    expect([taken.status, taken.body.param]).toEqual([400, 'name'])
    const again = await admin('POST', '/v1/users', { name: 'Dora', role: 'administer', again: true })
    expect(again.body).toMatchObject({ role: 'look', link: expect.not.stringContaining(code) })
    await expect(postSession({ code })).toAnswer(401)
  })
})

const FORGED = {
  id: 'AAAA',
  rawId: 'AAAA',
  type: 'public-key',
  response: {
    clientDataJSON: 'e30',
    authenticatorData: 'AAAA',
    signature: 'AAAA',
    attestationObject: 'AAAA',
  },
  clientExtensionResults: {},
}

it.each(ROLE_NAMES)('the role %s has its scope', async role => {
  const answer = await send('/v1/token', { headers: headersOf(await session(role)) })
  expect(await answer.json()).toMatchObject({ scope: ROLES[role] })
})

describe('sign-ins', { tags: 'long' }, () => {
  it('with unknown and forged passkeys get one answer', async () => {
    const credentials = [FORGED, { ...FORGED, id: 'BBBB' }, {}, null]
    const answers = await Promise.all(credentials.map(credential => postSession({ credential })))
    const bodies = await Promise.all(answers.map(answer => answer.json()))
    expect(new Set(bodies.map(({ code, reason }) => `${code} ${reason}`)).size).toBe(1)
    expect(bodies[0].code).toBe('AUTH_FAILED')
  })

  it('that are wrong keep no right one out, from other networks at the edge, and in core from any', async () => {
    const edge = await startEdge(inject('data'), [inject('core')], {}, 'loopback')
    const attempt = async (network: string, code: string) => {
      return (await postSession({ code }, { 'x-forwarded-for': network }, edge)).status
    }
    const wrong = await newText()
    const flood = times(120, i => attempt(`2001:db8::${i}`, wrong))
    const others = times(40, i => attempt(`198.51.100.${i}`, wrong))
    const right = await attempt('2001:db8:0:1::1', await startLink())
    const statuses = new Set(await Promise.all(flood))
    expect([right, [...statuses].sort()]).toEqual([200, [401, 429]])
    expect(new Set(await Promise.all(others))).toEqual(new Set([401]))

    const world = await openWorld()
    const open = sessionOpener({ ...world, now: () => 0 })
    const request = { session: 'ab'.repeat(32), origin: 'https://mien.example' }
    const codes = times(200, i => i.toString(16).padStart(64, '0'))
    const outcomes = codes.map(code => open({ ...request, code }).catch(error => error.code))
    expect(await open(request)).toEqual({ options: expect.anything() })
    expect(new Set(await Promise.all(outcomes))).toEqual(new Set(['AUTH_FAILED']))
  })
})
