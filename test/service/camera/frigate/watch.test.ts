/** `mien watch --frigate`: messages over a real broker, and snapshots of a real HTTP server. Skipped without mosquitto. */
import { json } from 'node:stream/consumers'
import { connectAsync } from 'mqtt'
import sharp from 'sharp'
import { form, sample } from '#test/support/client.ts'
import { hasMosquitto } from '#test/support/servers/mosquitto.ts'
import { serve } from '#test/support/servers/served.ts'
import { startService } from '#test/support/service.ts'
import { message, olderMessage, START } from '#test/unit/camera/frigate/messages.ts'
import { testBroker } from '../mqtt/mosquitto.ts'
import { newOwner, startWatch } from '../watching.ts'

type Picture = Uint8Array | 'missing' | 'broken'

/** Frigate's API with these snapshots by the ids of events. It keeps the names that it gets. */
async function frigateApi() {
  const snapshots = new Map<string, Picture>()
  const names = new Map<string, unknown>()
  const url = await serve((request, response) => {
    const named = /^\/api\/events\/([^/]+)\/sub_label$/.exec(request.url ?? '')?.[1]
    if (named !== undefined && request.method === 'POST')
      return void json(request).then(body => {
        names.set(named, body)
        response.end('{"success": true}')
      })
    const id = /^\/api\/events\/([^/]+)\/snapshot\.jpg\?crop=0&/.exec(request.url ?? '')?.[1]
    const picture = snapshots.get(id ?? '') ?? 'missing'
    if (picture === 'missing') response.writeHead(404).end('{"success": false}')
    else if (picture === 'broken') response.writeHead(200).end('no picture')
    else response.writeHead(200, { 'content-type': 'image/jpeg' }).end(picture)
  })
  return { snapshots, names, url }
}

const until = (check: () => unknown) => vi.waitFor(check, { timeout: 60_000, interval: 100 })

/** A box of a person around this face. */
const personOf = ({ x1, y1, x2, y2 }: Record<'x1' | 'y1' | 'x2' | 'y2', number>) =>
  [x1 - 20, y1 - 20, x2 + 20, y2 + 200] as [number, number, number, number]

/** Publishes messages as Frigate does. */
async function publisher(url: string) {
  const frigate = await connectAsync(url)
  onTestFinished(() => void frigate.end(true))
  return async (message: object | string) => {
    const text = typeof message === 'string' ? message : JSON.stringify(message)
    await frigate.publishAsync('frigate/events', text, { qos: 1 })
  }
}

/** A watcher of the events of a Frigate, and the function that publishes them. */
async function following(token: string, broker: string, url: string, ...args: string[]) {
  const watch = startWatch(token, ['--frigate', broker, '--frigate-url', url, ...args])
  await watch.line('broker connected')
  return { watch, publish: await publisher(broker) }
}

describe.skipIf(!hasMosquitto)('mien watch --frigate', { tags: ['long', 'mosquitto'] }, () => {
  it('posts one face for each event of a person, with the best snapshot, for the camera of the same name', async () => {
    const broker = await testBroker()
    const { snapshots, url } = await frigateApi()
    const { token, camera, visits, faces, send } = newOwner()
    const door = await camera({ url: 'frigate://front_door' })
    const photo = await sample(1)
    const found = (await send('POST', '/v1/detect', form({ photo }))).body.faces
    expect(found).toHaveLength(3)
    const dark = await sharp(photo).modulate({ brightness: 0.15 }).blur(3).jpeg().toBuffer()
    const { watch, publish } = await following(token, broker.url, url)

    // Two persons on one picture, in the messages of two versions of Frigate.
    const one = { id: '1760000000.1-aaaaaa', box: personOf(found[0]), snapshot: START + 4 }
    const two = {
      id: '1760000000.2-bbbbbb',
      box: personOf(found[1]),
      snapshot: START + 3,
      frame: START + 3,
    }
    snapshots.set(one.id, dark)
    await publish(message('new', { ...one, snapshot: START + 1 }))
    await publish('{"type": "new", "after"')
    await watch.line('message malformed')
    snapshots.set(one.id, photo).set(two.id, photo)
    await publish(olderMessage('new', two))
    await publish(message('update', one))
    await publish(message('end', one))
    await publish(olderMessage('end', two))
    await watch.line('visit posted', door, 2)
    // Frigate repeats it.
    await publish(message('end', one))
    expect(await watch.stop()).toBe(0)

    const posted = (await faces()).toSorted((a, b) => a.timestamp.localeCompare(b.timestamp))
    for (const [i, { id, box, snapshot }] of [two, one].entries()) {
      const { x1, x2, timestamp, detector_info } = posted[i]
      expect(detector_info).toMatchObject({ track: id, first_seen: new Date(START * 1000).toISOString() })
      expect([x1, x2].every(x => x > box[0] && x < box[2])).toBe(true)
      expect(Date.parse(`${timestamp}Z`) / 1000).toBe(snapshot)
    }
    expect(await visits(door)).toHaveLength(2)
  })

  it('posts nothing without a face, a snapshot, a person, and a watched camera', async () => {
    const broker = await testBroker()
    const { snapshots, url } = await frigateApi()
    const { token, camera, faces } = newOwner()
    const door = await camera({ url: 'frigate://front_door' })
    await camera({ url: 'frigate://yard', enabled: false })
    const photo = await sample(3)
    const grey = { width: 640, height: 480, channels: 3, background: '#777' } as const
    const empty = await sharp({ create: grey }).jpeg().toBuffer()
    for (const id of ['car', 'yard', 'cellar', 'face']) snapshots.set(id, photo)
    snapshots.set('empty', empty).set('broken', 'broken')
    const { watch, publish } = await following(token, broker.url, url)
    const box: [number, number, number, number] = [0, 0, 4000, 4000]
    for (const id of ['empty', 'missing', 'broken']) await publish(message('end', { id, box }))
    await publish(message('end', { id: 'car', box, label: 'car' }))
    for (const id of ['yard', 'cellar']) await publish(message('end', { id, box, camera: id }))
    await publish(message('end', { id: 'face', box }))
    await watch.line('visit posted', door)
    await watch.line('snapshot failed')
    expect(await watch.stop()).toBe(0)
    expect((await faces()).map(({ detector_info: { track } }) => track)).toEqual(['face'])
  })

  it('gives Frigate the name of a known person, if that is wanted', async () => {
    await using service = await startService({ env: { MIEN_PERSON_IDENTIFY: 'true' } })
    const { snapshots, names, url } = await frigateApi()
    const { camera, send, token } = newOwner('camera', service)
    const door = await camera({ url: 'frigate://front_door' })
    const photo = await sample(1)
    const facesOf = async (photo: Uint8Array<ArrayBuffer>) =>
      (await send('POST', '/v1/detect', form({ photo }))).body.faces
    const bbox = JSON.stringify((await facesOf(photo)).slice(-1))
    await send('POST', '/v1/face', form({ photo, bbox, person: 'Ann', cam_id: door }))
    // Another picture: a second face of one photo would be another person.
    const smaller = await sharp(photo).resize({ width: 1500 }).jpeg().toBuffer()
    for (const id of ['a', 'b']) snapshots.set(id, smaller)
    const box = personOf((await facesOf(smaller)).at(-1))
    const follow = async (id: string, ...args: string[]) => {
      const broker = await testBroker()
      const { watch, publish } = await following(token, broker.url, url, '--url', service.edge, ...args)
      await publish(message('end', { id, box }))
      await watch.line('visit posted', door)
      expect(await watch.stop()).toBe(0)
    }
    await Promise.all([follow('a'), follow('b', '--frigate-names')])
    await until(() => expect([...names]).toEqual([['b', { subLabel: 'Ann' }]]))
  })

  it('posts the known part of an event when the broker is lost, and follows the next events', async () => {
    const broker = await testBroker()
    const { snapshots, url } = await frigateApi()
    const { token, camera } = newOwner()
    const door = await camera({ url: 'frigate://front_door' })
    snapshots.set('a', await sample(3)).set('b', await sample(3))
    const { watch, publish } = await following(token, broker.url, url)
    await publish(message('new', { id: 'a', box: [0, 0, 4000, 4000] }))
    await broker.kill()
    await watch.line('visit posted', door)
    expect(await watch.line('broker away')).toHaveProperty('advice')
    await broker.start()
    await watch.line('broker connected', undefined, 2)
    const again = await publisher(broker.url)
    await again(message('end', { id: 'b', box: [0, 0, 4000, 4000] }))
    await until(() => expect(watch.count('visit posted', door)).toBe(2))
  })
})
