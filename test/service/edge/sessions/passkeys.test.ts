/** Passkeys of users: made by invitations, listed, removed one by one, and ended with a lost device. */
import { inject } from 'vitest'
import { authenticator } from '#test/support/authenticator.ts'
import type { Send } from '#test/support/client.ts'
import { apiOf, postSession, sessionHeaders } from '../shared.ts'

const OWNER = `passkeys ${process.pid}`
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
const ANY_TIME = expect.stringMatching(/^\d{4}-/)

let admin: Send
beforeAll(() => {
  admin = apiOf(OWNER)
})

const post = (body: object) => postSession(body, { 'user-agent': FIREFOX })

const challengeOf = async (body: object): Promise<string> =>
  (await (await post(body)).json()).options.challenge

/** The secret of a link for the user of this name. */
const invite = async (name: string, more: object = {}): Promise<string> =>
  (await admin('POST', '/v1/users', { name, role: 'look', again: true, ...more })).body.link.split('/').at(-1)

const accept = async (code: string, passkey = authenticator(inject('edge'))) => {
  const answer = await post({ code, credential: passkey.create(await challengeOf({ code })) })
  return { passkey, answer }
}

const signIn = async (passkey: ReturnType<typeof authenticator>) =>
  post({ credential: passkey.get(await challengeOf({})) })

/** Status of a request with the session that an answer opened. */
async function statusWith(answer: Response) {
  return (await fetch(`${inject('edge')}/v1/galleries`, { headers: await sessionHeaders(answer) })).status
}

const userNamed = async (name: string) => {
  const users = (await admin('GET', '/v1/users')).body.results as {
    name: string
    passkeys: object[]
    sessions: object[]
  }[]
  return users.find(user => user.name === name)!
}

it('passkeys are listed with name and times, and the removal of one ends the sessions of its user, but no other passkey', async () => {
  const { passkey: lost } = await accept(await invite('Ben'))
  const { passkey: kept } = await accept(await invite('Ben'))
  const open = await signIn(lost)
  const { passkeys } = await userNamed('Ben')
  expect(passkeys).toEqual([
    { id: kept.id, name: 'Firefox on Linux', created: ANY_TIME },
    { id: lost.id, name: 'Firefox on Linux', created: ANY_TIME, last_used: ANY_TIME },
  ])
  const other = apiOf(`other ${OWNER}`)
  await expect(other('DELETE', `/v1/passkeys/${lost.id}`)).toAnswer(404)
  expect(await statusWith(open)).toBe(200)
  await expect(admin('DELETE', `/v1/passkeys/${lost.id}`)).toAnswer(204)
  await expect(admin('DELETE', `/v1/passkeys/${lost.id}`)).toAnswer(404)
  expect([await statusWith(open), (await signIn(lost)).status, (await signIn(kept)).status]).toEqual([
    401, 401, 200,
  ])
  const { results } = (await admin('GET', '/v1/audit-log?limit=9')).body
  expect(results).toContainEqual(
    expect.objectContaining({
      action: 'passkey.delete',
      subject: { user: expect.any(String), passkey: lost.id },
    }),
  )
})

it('a link for a lost device ends all passkeys and sessions of the user, and a link for another device ends none', async () => {
  const { passkey, answer } = await accept(await invite('Cleo'))
  await invite('Cleo')
  expect([await statusWith(answer), (await signIn(passkey)).status]).toEqual([200, 200])
  const code = await invite('Cleo', { lost: true })
  expect([await statusWith(answer), (await signIn(passkey)).status]).toEqual([401, 401])
  expect(await userNamed('Cleo')).toMatchObject({ has_passkey: false, passkeys: [], sessions: [] })
  expect((await accept(code)).answer.status).toBe(200)
  const unknown = await admin('POST', '/v1/users', { name: 'Cleon', role: 'look', again: true, lost: true })
  expect(unknown).toMatchObject({ status: 400, body: { param: 'name' } })
})

it('a passkey that is removed during its sign-in opens no session', async () => {
  for (let i = 0; i < 5; i++) {
    const { passkey } = await accept(await invite('Gil'))
    const credential = passkey.get(await challengeOf({}))
    const [answer] = await Promise.all([post({ credential }), admin('DELETE', `/v1/passkeys/${passkey.id}`)])
    if (answer.status === 200) expect(await statusWith(answer)).toBe(401)
    expect((await userNamed('Gil')).sessions).toEqual([])
  }
})

it('a session that asks for a link for its own lost device stays', async () => {
  const { answer } = await accept(await invite('Ada', { role: 'administer' }))
  const asked = await fetch(`${inject('edge')}/v1/users`, {
    method: 'POST',
    headers: { ...(await sessionHeaders(answer)), 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Ada', role: 'administer', again: true, lost: true }),
  })
  expect([asked.status, await statusWith(answer)]).toEqual([201, 200])
})

it('an invitation is not spent by a passkey that is refused', async () => {
  const { passkey } = await accept(await invite('Dora'))
  const code = await invite('Finn')
  const taken = authenticator(inject('edge'), Buffer.from(passkey.id, 'base64url'))
  expect((await accept(code, taken)).answer.status).toBe(401)
  await expect(signIn(passkey)).toAnswer(200)
  const challenge = await challengeOf({ code })
  const atOnce = [0, 1].map(() => ({ code, credential: authenticator(inject('edge')).create(challenge) }))
  const answers = await Promise.all(atOnce.map(post))
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 401])
  expect((await userNamed('Finn')).passkeys).toHaveLength(1)
})
