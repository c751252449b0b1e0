/** Notifications at a real push service: encrypted for the browser, signed by the service, repeated, and ended. */
import { createPublicKey, verify } from 'node:crypto'
import { ALERT_LIMITS } from '#contract/limits/alerts.ts'
import { revokeToken } from '#core/metadata/access/issue-tokens.ts'
import { endToken } from '#core/metadata/access/tokens.ts'
import { insertSession, insertUser, keepSubject } from '#core/metadata/access/users.ts'
import { tokenHandlers } from '#core/operations/access/tokens.ts'
import { userHandlers } from '#core/operations/access/users.ts'
import { changeAlert } from '#core/operations/alerts/alerts.ts'
import { notificationHandlers, subscribeBrowser } from '#core/operations/alerts/notifications.ts'
import { OTHER_OWNER, OWNER, TOKEN } from '#test/support/sample-faces.ts'
import { startPushService } from '#test/support/servers/push-service.ts'
import { tokenIn } from '../../http/token.ts'
import { cameraOf, createGallery, emptyWorld, enrolOne, testAlert, type World } from '../world.ts'
import { BY, createRule, deliveriesOf, FACE, fastClock, runAlerts, settings, until } from './shared.ts'

/** Claims of the token in the header, when the key of the service signed it. */
function signedClaims(authorization: string, publicKey: string): Record<string, unknown> | undefined {
  const [, head = '', claims = '', signature = '', key] =
    /^vapid t=([^.]+)\.([^.]+)\.([^,]+), k=(.+)$/.exec(authorization) ?? []
  const point = Buffer.from(publicKey, 'base64url')
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map(half => half.toString('base64url'))
  const jwk = { kty: 'EC', crv: 'P-256', x: x!, y: y! }
  const verifier = { key: createPublicKey({ key: jwk, format: 'jwk' }), dsaEncoding: 'ieee-p1363' } as const
  const isSigned = verify(
    'sha256',
    Buffer.from(`${head}.${claims}`),
    verifier,
    Buffer.from(signature, 'base64url'),
  )
  return key === publicKey && isSigned ? JSON.parse(Buffer.from(claims, 'base64url').toString()) : undefined
}

async function opened() {
  const world = await emptyWorld()
  await tokenIn(world)
  return {
    world,
    push: await startPushService(),
    camera: await cameraOf(world, OWNER, { meta: 'front door' }),
  }
}

const listed = (world: World, token = TOKEN) =>
  notificationHandlers['notifications.list'](world, { owner: OWNER, token })

it('a browser shows the person, place and time of an alert, and its push service learns nothing', async () => {
  const { world, push, camera } = await opened()
  await createGallery(world, 'staff')
  await enrolOne(world, FACE, { galleries: ['staff'], personName: 'Ann Lee' })
  const { id } = await subscribeBrowser(world, { ...BY, ...push.subscription })
  const rule = await createRule(world, {
    name: 'night',
    url: '',
    browsers: true,
    gallery: 'staff',
    fpir: 0.001,
    time_zone: 'Europe/Berlin',
  })
  await createRule(world, { url: '' })
  runAlerts(world, [push.host])
  const timestamp = Date.UTC(2026, 10, 26, 17, 4) * 1000
  await enrolOne(world, FACE, { camera, personName: 'Ann Lee', timestamp })
  await until(() => push.received.length > 0)
  await until(async () => (await deliveriesOf(world, rule.id)).every(({ state }) => state === 'delivered'))
  const [alert, notified] = (await deliveriesOf(world, rule.id)).sort((a, b) => a.id - b.id)
  expect([alert!.subscription, notified!.subscription]).toEqual([undefined, id])
  expect(push.shown()).toEqual([
    {
      title: 'night',
      body: 'Ann Lee at front door, 26 Nov, 18:04',
      tag: `${rule.id} ${alert!.event_id}`,
      hash: `#/alerts?event_id=${alert!.event_id}`,
    },
  ])
  const [{ headers, body }] = push.received as [(typeof push.received)[number]]
  expect(headers).toMatchObject({ 'content-encoding': 'aes128gcm', ttl: '14400', urgency: 'high' })
  expect(body.toString('latin1')).not.toMatch(/Ann|night|door/)
  const { public_key } = await listed(world)
  expect(signedClaims(String(headers.authorization), public_key)).toMatchObject({
    aud: `http://${push.host}`,
    sub: 'https://mien.example',
  })
})

it('a notification is repeated, apart from the webhook, until a browser is gone', async () => {
  const { world, push, camera } = await opened()
  const services = { ...world, now: fastClock() }
  push.service.status = 503
  await subscribeBrowser(services, { ...BY, ...push.subscription })
  const rule = await createRule(services, { url: '', browsers: true })
  runAlerts(services, [push.host])
  await enrolOne(world, FACE, { camera })
  await until(() => push.received.length >= 3)
  push.service.status = 201
  await until(async () => (await deliveriesOf(world, rule.id)).every(({ state }) => state === 'delivered'))
  for (const status of [404, 410]) {
    push.service.status = status
    await subscribeBrowser(services, { ...BY, ...push.subscription })
    await testAlert(services, rule.id)
    await until(async () => (await listed(world)).subscriptions.length === 0)
  }
  expect(await deliveriesOf(world, rule.id)).toHaveLength(3)
  expect(push.shown().at(-1)).toMatchObject({
    title: 'door',
    body: 'This is a test message',
    hash: '#/alerts',
  })
})

it('notifications end with a token that has no user', async () => {
  const { world, push } = await opened()
  await subscribeBrowser(world, { ...BY, ...push.subscription })
  const rule = await createRule(world, { url: '', browsers: true })
  await testAlert(world, rule.id)
  await endToken(world.database, { id: TOKEN, owner: OWNER }, 1, 1)
  await testAlert(world, rule.id)
  runAlerts(world, [push.host])
  await until(async () => (await listed(world)).subscriptions.length === 0)
  expect(push.received).toEqual([])
  expect((await deliveriesOf(world, rule.id)).filter(({ subscription }) => subscription)).toEqual([])
})

it('notifications of a user outlive an expired session, and end with an ended session and with the user', async () => {
  const { world, push } = await opened()
  const { database } = world
  const user = 'cccccccccccc'
  await insertUser(database, { id: user, owner: OWNER, name: 'Ann Lee', role: 'look', created: 0 })
  const session = async (id: string, expires: number) =>
    void (await database.run(`INSERT INTO tokens (id, hash, owner, name, created, scope, expires, user)
      VALUES ('${id}', '${id}', '${OWNER}', 'Ann Lee', 0, 'read', ${expires}, '${user}')`))
  await session('aaaaaaaaaaaa', 1)
  await session('bbbbbbbbbbbb', 1e16)
  const rule = await createRule(world, { url: '', browsers: true })
  runAlerts(world, [push.host])
  const subscribe = (by: string) => subscribeBrowser(world, { owner: OWNER, by, ...push.subscription })
  await subscribe('aaaaaaaaaaaa')
  await testAlert(world, rule.id)
  await until(() => push.received.length === 1)
  expect((await listed(world, 'bbbbbbbbbbbb')).subscriptions).toHaveLength(1)
  expect((await listed(world)).subscriptions).toEqual([])
  const ends = [
    (id: string) => userHandlers['session.end'](world, { ...BY, id }),
    (id: string) => tokenHandlers['token.revoke'](world, { ...BY, id }),
    (id: string) => revokeToken(world.data, id),
  ]
  for (const [i, end] of ends.entries()) {
    const id = `bbbbbbbbbbb${i}`
    await session(id, 1e16)
    await subscribe(id)
    await end(id)
    expect((await listed(world, 'aaaaaaaaaaaa')).subscriptions).toEqual([])
  }
  await subscribe('aaaaaaaaaaaa')
  push.service.status = 503
  await testAlert(world, rule.id)
  await until(() => push.received.length === 2)
  await subscribe('aaaaaaaaaaaa')
  expect((await deliveriesOf(world, rule.id))[0], 'the message waits').toMatchObject({ state: 'pending' })
  await userHandlers['user.delete'](world, { ...BY, id: user })
  expect(await database.run('SELECT id FROM push_subscriptions')).toMatchObject({ rows: [] })
})

it('notifications of an owner end for a user who signs in at another owner', async () => {
  const { world, push } = await opened()
  const { database } = world
  const signIn = (owner: string) =>
    keepSubject(database, {
      id: 'cccccccccccc',
      owner,
      name: 'Ann',
      role: 'look',
      created: 0,
      subject: 'ann',
    })
  const [session, user] = ['aaaaaaaaaaaa', await signIn(OWNER)]
  await insertSession(database, user, { id: session, hash: session, created: 0, expires: 1e16 }, 1)
  await subscribeBrowser(world, { owner: OWNER, by: session, ...push.subscription })
  const browsers = () => database.run('SELECT * FROM push_subscriptions')
  await signIn(OWNER)
  expect((await browsers()).rows).toHaveLength(1)
  await signIn(OTHER_OWNER)
  expect((await browsers()).rows).toEqual([])
})

it('a token has a bounded number of browsers, and counts each browser once', async () => {
  const { world, push } = await opened()
  const subscribe = (number: number) =>
    subscribeBrowser(world, {
      ...BY,
      ...push.subscription,
      endpoint: `${push.subscription.endpoint}/${number}`,
    })
  for (let i = 0; i < ALERT_LIMITS.browsersOfOne; i++) await subscribe(i)
  await subscribe(0)
  await expect(subscribe(-1)).toBeRefused('BAD_PARAM')
  const other = { ...push.subscription, owner: OWNER, by: 'dddddddddddd' }
  await subscribeBrowser(world, other)
  expect((await listed(world)).subscriptions).toHaveLength(ALERT_LIMITS.browsersOfOne)
})

it('a browser gets messages of other rules while messages of a disabled rule wait for it', async () => {
  const { world, push } = await opened()
  await subscribeBrowser(world, { ...BY, ...push.subscription })
  const [waiting, rule] = [
    { url: '', browsers: true },
    { url: '', browsers: true, name: 'other' },
  ]
  const { id } = await createRule(world, waiting)
  for (let i = 0; i < ALERT_LIMITS.browserPending; i++) await testAlert(world, id)
  const alert = settings({ ...waiting, enabled: false })
  await changeAlert(world, { owner: OWNER, id, alert, origin: '' })
  runAlerts(world, [push.host])
  await testAlert(world, (await createRule(world, rule)).id)
  await until(() => push.shown().at(-1)?.title === 'other')
})
