/** Messages of alert rules at a real receiver: signed, at least once, in order, never lost. */

import { ALERT_LIMITS } from '#contract/limits/alerts.ts'
import { dueDeliveries } from '#core/metadata/alerts/deliveries.ts'
import { disableAlert } from '#core/metadata/alerts/rules.ts'
import { changeAlert, rotateAlertSecret } from '#core/operations/alerts/alerts.ts'
import { attemptDelivery, messagePoster } from '#core/operations/alerts/deliver.ts'
import { listDeliveries, retryDelivery } from '#core/operations/alerts/deliveries.ts'
import { OTHER_OWNER, OWNER } from '#test/support/sample-faces.ts'
import { startReceiver } from '#test/support/servers/webhook-receiver.ts'
import { times } from '#test/support/times.ts'
import { openCores } from '../neighbours.ts'
import { cameraOf, emptyWorld, enrolOne, getAlert, testAlert } from '../world.ts'
import { createRule, deliveriesOf, FACE, runAlerts, settings, until } from './shared.ts'

async function opened() {
  const [world, receiver] = [await emptyWorld(), await startReceiver()]
  const camera = await cameraOf(world)
  return { world, receiver, camera }
}

describe('messages', { tags: 'long' }, () => {
  it('arrive for the acknowledged faces of cameras, signed, with links and without vectors', async () => {
    const { world, receiver, camera } = await opened()
    const rule = await createRule(world, { url: receiver.url })
    runAlerts(world, [receiver.host])
    await enrolOne(world, FACE)
    const faces = [await enrolOne(world, FACE, { camera }), await enrolOne(world, FACE, { camera })]
    await until(() => receiver.received.length >= 2)
    await until(async () => (await deliveriesOf(world, rule.id)).every(({ state }) => state === 'delivered'))
    expect(receiver.received.map(({ message }) => message.data.face?.id).sort()).toEqual(faces)
    for (const received of receiver.received) {
      expect(receiver.isSigned(received, rule.secret)).toBe(true)
      expect(receiver.isSigned(received, `whsec_${btoa('another secret of a receiver')}`)).toBe(false)
      expect(received.message).toMatchObject({ type: 'face.seen', data: { alert: { name: 'door' } } })
      expect(received.message.data.face!.thumbnail).toMatch(
        /^https:\/\/mien\.example\/pictures\/.+signature=/,
      )
      expect(received.body).not.toMatch(/vector|embedding/)
      expect(received.headers['content-type']).toBe('application/json')
    }
    expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(2)
    const [newest] = await deliveriesOf(world, rule.id)
    expect(newest).toMatchObject({ state: 'delivered', face_id: faces[1], attempts: 1, type: 'face.seen' })
  })

  it('do not wait for a clock that was ahead', async () => {
    const { world, receiver, camera } = await opened()
    receiver.answer = () => 500
    const ahead = { ...world, now: () => Date.now() + 30 * 24 * 3_600_000 }
    const rule = await createRule(ahead, { url: receiver.url })
    await enrolOne(world, FACE, { camera })
    const task = runAlerts(ahead, [receiver.host])
    await until(async () => (await deliveriesOf(world, rule.id))[0]?.fault === 'status 500')
    await task.stop()
    runAlerts(world, [receiver.host])
    await until(() => receiver.received.length > 1)
    await until(async () => {
      const next = (await deliveriesOf(world, rule.id))[0]!.next_attempt!
      return Date.parse(`${next}Z`) < Date.now() + 60_000
    })
    receiver.answer = () => 200
  })

  it('of two cores come once each', async () => {
    const cores = await openCores(2)
    const receiver = await startReceiver()
    const camera = await cameraOf(cores[0]!)
    await createRule(cores[0]!, { url: receiver.url })
    // A busy machine needs longer than the other tests allow. An attempt that runs out of time is repeated.
    for (const core of cores) runAlerts(core, [receiver.host], { totalMs: ALERT_LIMITS.deliveryMs })
    const faces = await Promise.all(times(12, i => enrolOne(cores[i % 2]!, FACE, { camera })))
    await until(() => receiver.received.length >= faces.length)
    expect(receiver.received.map(({ message }) => message.data.face!.id).sort()).toEqual(faces.sort())
  })

  it('are not due during an attempt, also when they are to be sent again', async () => {
    const { world } = await opened()
    const { id } = await createRule(world)
    const { delivery } = await testAlert(world, id)
    const due = async () => {
      await retryDelivery(world, { owner: OWNER, id, delivery: delivery.id })
      return dueDeliveries(world.database, OWNER, Date.now(), { except: [], limit: 9 })
    }
    let dueDuring = 0
    const post = async () => (dueDuring += (await due()).length)
    const attempt = async () => attemptDelivery(world, post, (await due())[0]!, AbortSignal.any([]))
    expect([await attempt(), await attempt(), dueDuring]).toEqual(['retried', 'retried', 0])
  })

  it('carry signatures of both secrets for 24 hours after a rotation', async () => {
    const { world, receiver } = await opened()
    const rule = await createRule(world, { url: receiver.url })
    const { secret } = await rotateAlertSecret(world, { owner: OWNER, id: rule.id })
    runAlerts(world, [receiver.host])
    await testAlert(world, rule.id)
    // With the clock of tomorrow, an attempt in progress would be repeated.
    await until(async () => (await deliveriesOf(world, rule.id))[0]?.state === 'delivered')
    const [test] = receiver.received
    expect(String(test!.headers['webhook-signature']).split(' ')).toHaveLength(2)
    expect([rule.secret, secret].map(one => receiver.isSigned(test!, one))).toEqual([true, true])
    expect(test!.message).toMatchObject({ type: 'test', data: { alert: { id: rule.id } } })

    const later = { ...world, now: () => Date.now() + ALERT_LIMITS.webhookSecretMs }
    await testAlert(later, rule.id)
    runAlerts(later, [receiver.host])
    await until(() => receiver.received.length === 2)
    expect(String(receiver.received[1]!.headers['webhook-signature']).split(' ')).toHaveLength(1)
  })

  it('fail after 24 hours, are listed, and are sent again with the same id', async () => {
    const { world, receiver, camera } = await opened()
    receiver.answer = () => 500
    let time = Date.now()
    const services = { ...world, now: () => time }
    const rule = await createRule(services, { url: receiver.url })
    runAlerts(services, [receiver.host])
    await enrolOne(world, FACE, { camera })
    const first = async () => (await deliveriesOf(world, rule.id))[0]
    await until(async () => (await first())?.fault === 'status 500')
    await retryDelivery(services, { owner: OWNER, id: rule.id, delivery: (await first())!.id })
    await until(() => receiver.received.length === 2)
    time += ALERT_LIMITS.deliveryRetriesMs
    await until(async () => (await first())?.state === 'failed')
    const failed = await listDeliveries(world, { owner: OWNER, id: rule.id, state: 'failed', limit: 10 })
    expect(failed.deliveries).toHaveLength(1)
    const count = receiver.received.length
    receiver.answer = () => 200
    const again = { owner: OWNER, id: rule.id, delivery: failed.deliveries[0]!.id }
    await retryDelivery(services, again)
    await until(async () => (await first())?.state === 'delivered')
    expect(receiver.received).toHaveLength(count + 1)
    expect(new Set(receiver.received.map(({ id }) => id))).toEqual(
      new Set([failed.deliveries[0]!.message_id]),
    )
    await expect(retryDelivery(services, again)).toBeRefused('BAD_PARAM')
  })

  it('end with 410: the rule is disabled, and begins again when it is enabled', async () => {
    const { world, receiver, camera } = await opened()
    const rule = await createRule(world, { url: receiver.url })
    receiver.answer = () => 410
    runAlerts(world, [receiver.host])
    await enrolOne(world, FACE, { camera })
    const isEnabled = async () => (await getAlert(world, rule.id)).alert.enabled
    await until(async () => !(await isEnabled()))
    await enrolOne(world, FACE, { camera })
    receiver.answer = () => 200
    const origin = 'https://mien.example'
    await changeAlert(world, { owner: OWNER, id: rule.id, alert: settings({ url: receiver.url }), origin })
    const last = await enrolOne(world, FACE, { camera })
    await until(() => receiver.received.length === 2)
    expect(receiver.received[1]!.message.data.face?.id).toBe(last)
    await disableAlert(world.database, { owner: OWNER, id: rule.id, url: 'https://earlier.example/' })
    expect(await isEnabled()).toBe(true)
  })

  it('of a rule with a slow receiver leave places to other rules, of an owner with a faulty rule to other owners', async () => {
    const { world, camera } = await opened()
    const [slow, quick] = [await startReceiver(), await startReceiver()]
    slow.answer = () => undefined
    const waiting = await createRule(world, { url: slow.url })
    const faulty = await createRule(world, {}, OTHER_OWNER)
    await world.database.run(`UPDATE alerts SET conditions = 'null' WHERE id = '${faulty.id}'`)
    await enrolOne(world, FACE, { owner: OTHER_OWNER, camera: await cameraOf(world, OTHER_OWNER) })
    for (let i = 0; i < ALERT_LIMITS.deliveriesAtOnce; i++) await testAlert(world, waiting.id)
    await createRule(world, { url: quick.url })
    await enrolOne(world, FACE, { camera })
    const failures: unknown[] = []
    // The receiver is silent for longer than the test.
    runAlerts(world, [slow.host, quick.host], { totalMs: 600_000, failed: error => failures.push(error) })
    await until(() => quick.received.length === 1 && slow.received.length >= ALERT_LIMITS.deliveriesOfRule)
    expect(slow.received).toHaveLength(ALERT_LIMITS.deliveriesOfRule)
    expect(failures).toHaveLength(1)
  })

  it('of an owner with a slow receiver leave half of the places to others', async () => {
    const { world } = await opened()
    const [slow, quick] = [await startReceiver(), await startReceiver()]
    slow.answer = () => undefined
    const rule = await createRule(world, { url: quick.url })
    for (let rules = 0; rules < 4; rules++) {
      const theirs = await createRule(world, { url: slow.url }, OTHER_OWNER)
      for (let i = 0; i < ALERT_LIMITS.deliveriesOfRule; i++)
        await testAlert(world, theirs.id, { owner: OTHER_OWNER })
    }
    // The receiver is silent for longer than the test.
    runAlerts(world, [slow.host, quick.host], { totalMs: 600_000 })
    await until(() => slow.received.length === ALERT_LIMITS.deliveriesAtOnce / 2)
    await testAlert(world, rule.id)
    await until(() => quick.received.length === 1)
    expect(slow.received).toHaveLength(ALERT_LIMITS.deliveriesAtOnce / 2)
  })
})

describe('the poster of messages', () => {
  const message = { headers: {}, body: '{}' }

  it.each([
    'http://127.0.0.1:9/',
    'http://localhost:9/',
    'http://169.254.169.254/latest/meta-data',
    'https://user:secret@example.com/',
    'file:///etc/passwd',
  ])('does not reach %s', async url => {
    const receiver = await startReceiver()
    const post = messagePoster({ totalMs: 2_000 })
    await expect(post(url.replace(':9/', `:${new URL(receiver.url).port}/`), message)).rejects.toThrow()
    expect(receiver.received).toEqual([])
  })

  it('does not follow redirects', async () => {
    const [receiver, target] = [await startReceiver(), await startReceiver()]
    receiver.answer = () => target.url
    const post = messagePoster({ trustedHosts: new Set([receiver.host, target.host]) })
    const test = { type: 'test', timestamp: '', data: { alert: { id: 'a'.repeat(32), name: '' } } }
    expect(await post(receiver.url, { headers: {}, body: JSON.stringify(test) })).toBe(302)
    expect(target.received).toEqual([])
  })
})
