/** `mien mqtt` against the real service and Debian's mosquitto. Skipped without mosquitto. */
import { writeFile } from 'node:fs/promises'
import { runBridge } from '#camera/mqtt/bridge.ts'
import { MienClient } from '#clients/typescript/src/index.ts'
import { form, sample } from '#test/support/client.ts'
import { hasMosquitto } from '#test/support/servers/mosquitto.ts'
import { type Service, startService } from '#test/support/service.ts'
import { temporaryPath } from '../../../unit/core/folder.ts'
import { newOwner, startBridge } from '../watching.ts'
import { storedMessages, subscriber, testBroker } from './mosquitto.ts'

const until = (check: () => unknown) => vi.waitFor(check, { timeout: 60_000, interval: 50 })

describe.skipIf(!hasMosquitto)('mien mqtt', { tags: ['long', 'mosquitto'] }, () => {
  let service: Service
  beforeAll(async () => {
    service = await startService({ env: { MIEN_PERSON_IDENTIFY: 'true' } })
  })
  afterAll(async () => {
    await service?.stop()
    await service?.remove()
  })

  /** A broker, and an owner with a camera. */
  async function opened(meta?: string, lines?: string[]) {
    const owner = newOwner('read', service)
    return { broker: await testBroker({ lines }), owner, ...owner, door: await owner.camera({ meta }) }
  }

  it('publishes a face of a camera: the event, the last person of the camera, and the sighting of the person', async () => {
    const { broker, owner, door, post, send } = await opened('front door')
    const listener = await subscriber(broker.url)
    const bridge = startBridge(owner, broker.url)
    await bridge.line('service connected')
    expect(await listener.last('mien/bridge/state')).toBe('online')
    const { id: face, person_id } = await post(door)

    const event = JSON.parse(await listener.last(`mien/camera/${door}/event`))
    expect(event).toMatchObject({
      event_type: 'unknown',
      camera: { id: door, name: 'front door' },
      person: { id: person_id },
      friend: false,
      face: { id: face },
    })
    expect(event.face).not.toHaveProperty('detector_info')
    expect(Date.parse(event.time)).toBeGreaterThan(0)
    expect((await fetch(event.thumbnail)).headers.get('content-type')).toContain('image/')
    await until(() => expect(listener.texts('mien/bridge/position').at(-1)).toBe(event.id))
    const stored = await storedMessages(broker.url, 'mien/#')
    expect(stored.has(`mien/camera/${door}/event`)).toBe(false)
    expect(JSON.parse(stored.get(`mien/camera/${door}/person`)!)).toEqual(event)
    expect(JSON.parse(stored.get(`mien/person/${person_id}/seen`)!)).toEqual(event)

    await send('PUT', `/v1/person/id/${person_id}`, { meta: 'Ann' })
    await post(door)
    await until(() => expect(listener.texts(`mien/camera/${door}/event`)).toHaveLength(2))
    const second = JSON.parse(await listener.last(`mien/camera/${door}/event`))
    expect(second).toMatchObject({ event_type: 'known', person: { id: person_id, name: 'Ann' } })

    expect(await bridge.stop()).toBe(0)
    expect(await listener.last('mien/bridge/state')).toBe('offline')
    expect(bridge.output()).not.toContain('Ann')
  })

  it('publishes the alerts of rules after the events of their faces', async () => {
    const { broker, owner, door, post, send } = await opened('front door')
    const { body: rule } = await send('POST', '/v1/alerts', { name: 'anyone' })
    const listener = await subscriber(broker.url)
    const bridge = startBridge(owner, broker.url)
    await bridge.line('service connected')
    await send('POST', `/v1/alert/id/${rule.id}/test`)
    const test = JSON.parse(await listener.last(`mien/alert/${rule.id}`))
    expect(test).toEqual({ id: expect.any(String), alert: { id: rule.id, name: 'anyone' } })
    const { id: face, person_id } = await post(door)

    await until(() => expect(listener.texts(`mien/alert/${rule.id}`)).toHaveLength(2))
    const alert = JSON.parse(listener.texts(`mien/alert/${rule.id}`).at(-1))
    const event = JSON.parse(await listener.last(`mien/camera/${door}/event`))
    expect(alert).toMatchObject({
      alert: { id: rule.id, name: 'anyone' },
      event: event.id,
      camera: { id: door, name: 'front door' },
      person: { id: person_id },
      seen: 1,
      face: { id: face },
    })
    await until(() => expect(listener.texts('mien/bridge/position').at(-1)).toBe(alert.id))
    expect(await storedMessages(broker.url, 'mien/alert/#')).toEqual(new Map())
  })

  it('leaves names and pictures out, also those that an earlier bridge published', async () => {
    const { broker, owner, door, post, send } = await opened()
    const first = startBridge(owner, broker.url)
    await first.line('service connected')
    const { person_id } = await post(door)
    await send('PUT', `/v1/person/id/${person_id}`, { meta: 'Ann' })
    await post(door)
    const listener = await subscriber(broker.url)
    await until(() => expect(listener.texts(`mien/person/${person_id}/seen`).at(-1) ?? '').toContain('Ann'))
    await first.stop()

    const second = startBridge(owner, broker.url, ['--no-names', '--no-pictures'])
    await second.line('messages cleared')
    const stored = [...(await storedMessages(broker.url, 'mien/#')).values()].join()
    expect(stored).not.toMatch(/Ann|thumbnail/)
    await second.line('service connected')
    await post(door)
    await until(() => expect(listener.texts(`mien/camera/${door}/event`)).toHaveLength(2))
    const event = listener.texts(`mien/camera/${door}/event`).at(-1)
    expect(event).not.toMatch(/Ann|http/)
    expect(JSON.parse(event)).toMatchObject({ event_type: 'known', person: { id: person_id } })
  })

  it('clears its messages about a deleted person, on a regular check', async () => {
    const { broker, door, post, send, token, edge } = await opened()
    const stop = new AbortController()
    const privacy = { names: true, pictures: true, footage: false }
    const settings = { broker, topic: 'home/faces', version: '1', privacy, presence: [] }
    const often = { camerasEveryMs: 100, checkEveryMs: 100 }
    const running = runBridge(
      new MienClient({ url: edge, token }),
      { ...settings, ...often },
      () => {},
      stop.signal,
    )
    const listener = await subscriber(broker.url)
    await listener.last('home/faces/bridge/position')
    const { person_id } = await post(door)
    const topics = [`home/faces/camera/${door}/person`, `home/faces/person/${person_id}/seen`]
    for (const topic of topics) expect(await listener.last(topic)).not.toBe('')
    await post(door)
    await send('DELETE', `/v1/person/id/${person_id}`)
    for (const topic of topics) await until(() => expect(listener.texts(topic).at(-1)).toBe(''))
    stop.abort()
    await running
    const stored = await storedMessages(broker.url, 'home/faces/#')
    expect([...stored.keys()].filter(topic => topics.includes(topic))).toEqual([])
  })

  it('gives persons sensors in Home Assistant until they are deleted, or not named at a start', async () => {
    const { broker, owner, door, post, send, edge, token } = await opened()
    const { person_id } = await post(door)
    await send('PUT', `/v1/person/id/${person_id}`, { meta: 'Ann' })
    const config = `homeassistant/device/mien_bridge_mien_person_${person_id}/config`
    const listener = await subscriber(broker.url)
    const marked = startBridge(owner, broker.url, ['--presence', String(person_id), '999'])
    expect(JSON.parse(await listener.last(config)).device.name).toBe('Ann')
    await marked.stop('SIGKILL')

    const unmarked = startBridge(owner, broker.url)
    await until(() => expect(listener.texts(config).at(-1)).toBe(''))
    await until(() => expect(listener.texts('mien/bridge/presence').at(-1)).toBe(''))
    await unmarked.stop()
    const stop = new AbortController()
    const client = new MienClient({ url: edge, token })
    const often = { camerasEveryMs: 60_000, checkEveryMs: 100 }
    const settings = {
      broker,
      topic: 'mien',
      version: '1',
      privacy: { names: false, pictures: false, footage: false },
    }
    const all = { ...settings, ...often, discovery: 'homeassistant', presence: [person_id!] }
    const running = runBridge(client, all, () => {}, stop.signal)
    await until(() => expect(listener.texts(config).at(-1)).toContain(`Person ${person_id}`))
    await send('DELETE', `/v1/person/id/${person_id}`)
    await until(() => expect(listener.texts(config).at(-1)).toBe(''))
    stop.abort()
    await running
  })

  it('publishes a better picture of a visit as an update, also after a failure, and replaces no later face', async () => {
    const { broker, owner, door, send } = await opened(undefined, ['max_packet_size 6000'])
    const listener = await subscriber(broker.url)
    const bridge = startBridge(owner, broker.url)
    await bridge.line('service connected')
    const post = async (number: 1 | 4, key: string, fields = {}) => {
      const photo = form({ photo: await sample(number), cam_id: door, mf_selector: 'biggest', ...fields })
      return (await send('POST', '/v1/face', photo, { 'idempotency-key': key })).body.results[0]
    }
    const topic = `mien/camera/${door}/event`
    const face = await post(1, 'visit')
    await listener.last(topic)
    const other = await post(4, 'another')
    // The broker refuses the first message of the update.
    await send('PUT', `/v1/person/id/${face.person_id}`, { meta: 'Ä'.repeat(4_000) })
    expect((await post(1, 'visit', { update: 'true' })).id).toBe(face.id)
    await bridge.line('broker away')
    await send('PUT', `/v1/person/id/${face.person_id}`, { meta: 'Ann' })
    await until(() => expect(listener.texts(topic)).toHaveLength(3))
    const update = { updated: true, was: 'unknown', event_type: 'known', face: { id: face.id } }
    expect(JSON.parse(listener.texts(topic).at(-1))).toMatchObject(update)
    const seen = `mien/person/${face.person_id}/seen`
    await until(() => expect(JSON.parse(listener.texts(seen).at(-1))).toMatchObject(update))
    const last = JSON.parse(listener.texts(`mien/camera/${door}/person`).at(-1))
    expect(last).toMatchObject({ face: { id: other.id } })
    expect(last).not.toHaveProperty('updated')
  })

  it('announces cameras to Home Assistant, publishes its will when it is killed, and then clears messages of deleted ones', async () => {
    const { broker, owner, camera, door, post, send } = await opened('front door')
    const yard = await camera({ meta: 'yard', enabled: false })
    const first = startBridge(owner, broker.url)
    await first.line('service connected')
    await post(door)
    await post(yard)
    const config = (id: string) => `homeassistant/device/mien_${id.replaceAll('-', '')}/config`
    const listener = await subscriber(broker.url)
    const announced = JSON.parse(await listener.last(config(door)))
    expect(announced.device.name).toBe('front door')
    expect(announced.components.person.state_topic).toBe(`mien/camera/${door}/person`)
    expect(await listener.last('homeassistant/device/mien_bridge_mien/config')).toContain('connectivity')
    expect(await listener.last(`mien/camera/${door}/enabled`)).toBe('ON')
    expect(await listener.last(`mien/camera/${yard}/enabled`)).toBe('OFF')
    await listener.last(`mien/camera/${yard}/person`)
    await first.stop('SIGKILL')
    await until(() => expect(listener.texts('mien/bridge/state')).toEqual(['online', 'offline']))

    // While no bridge runs.
    await send('DELETE', `/v1/camera/${door}`)
    await send('PUT', `/v1/camera/${yard}`, { enabled: true, meta: 'garden' })
    startBridge(owner, broker.url)
    await until(() => expect(listener.texts(`mien/camera/${yard}/enabled`).at(-1)).toBe('ON'))
    await until(() => expect(listener.texts(config(yard)).at(-1)).toContain('garden'))
    const topics = [...(await storedMessages(broker.url, '#')).keys()]
    expect(topics.filter(topic => topic.includes(door) || topic === config(door))).toEqual([])
    expect(topics).toContain(`mien/camera/${yard}/person`)
  })

  it('names the reason of a refused login and keeps trying, without the password in its log', async () => {
    const broker = await testBroker({ login: { user: 'ann', password: 'right' } })
    const owner = newOwner('read', service)
    const login = await temporaryPath('login')
    await writeFile(login, 'ann\nwrong-secret')
    const bridge = startBridge(owner, broker.url, ['--broker-login', login])
    expect(await bridge.line('broker away')).toMatchObject({
      reason: 'access denied',
      advice: expect.stringContaining('password'),
    })
    expect(await bridge.stop()).toBe(0)
    expect(bridge.output()).not.toContain('wrong-secret')
    await writeFile(login, 'ann\nright')
    const allowed = startBridge(owner, broker.url, ['--broker-login', login])
    await allowed.line('service connected')
  })
})
