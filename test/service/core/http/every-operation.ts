/** Calls every operation and every stream of the contract once, in an order in which each has data. */

import type {
  RpcOperation,
  RpcRequest,
  RpcResponse,
  StreamName,
  StreamRequest,
} from '#contract/operations/messages.ts'
import { OPERATIONS, type Operation } from '#contract/operations/table.ts'
import { endAttempt } from '#core/metadata/alerts/deliveries.ts'
import type { Database } from '#core/metadata/database.ts'
import { requestOf } from '#edge/operations/forward.ts'
import { authenticator } from '#test/support/authenticator.ts'
import { BROWSER, CLIP, sampleCall } from '#test/support/operation-samples.ts'
import { enrolment, faceOf, OWNER, TOKEN } from '#test/support/sample-faces.ts'

/** Calls an operation; returns the header of the answer, or throws. */
export type Ask = <V extends RpcOperation>(
  name: V,
  request: RpcRequest<V>,
  blobs?: Uint8Array[],
) => Promise<RpcResponse<V>>
export type Read = <S extends StreamName>(stream: S, request: StreamRequest<S>) => Promise<void>

/** Names and texts of callers. */
export const WRITTEN = [
  'Anna-Gallery',
  'Anna Meta',
  'Anna Photo.jpg',
  'rtsp://anna',
  'Anna Detector',
  'Anna Text',
] as const

const [GALLERY, META, PHOTO, URL, DETECTOR, TEXT] = WRITTEN

/** Ends a delivery as failed: only a failed one can be sent again. */
export const failingIn =
  (database: Database) =>
  (id: number): Promise<void> =>
    endAttempt(database, { owner: OWNER, id, attempts: 0 }, { state: 'failed', ended: 1 })

export async function askEverything(
  sendRequest: Ask,
  readStream: Read,
  tokenHash: string,
  fail: (delivery: number) => Promise<void>,
): Promise<void> {
  const called = new Set<string>()
  const ask: Ask = (name, ...rest) => {
    called.add(name)
    return sendRequest(name, ...rest)
  }
  const read: Read = (stream, request) => {
    called.add(stream)
    return readStream(stream, request)
  }
  const owned = { owner: OWNER }
  const changing = { ...owned, by: TOKEN }
  const { chip, thumbnail } = faceOf(5, 6, 7)
  const pixels = [chip.data, thumbnail.data]
  const page = { ...owned, limit: 10 }
  await ask('ready', {})
  await ask('change.outcome', { nonce: 'ab'.repeat(16), signedAt: Date.now() })
  await ask('caller', { tokenHash })
  const hash = 'cd'.repeat(32)
  const { token } = await ask('token.create', { ...changing, hash, name: TEXT, scope: 'read' })
  const rotation = { ...changing, id: token.id, hash: 'ef'.repeat(32), graceMs: 1_000 }
  await ask('token.revoke', { ...changing, id: (await ask('token.rotate', rotation)).token.id })
  const invitation = { ...changing, name: 'Ben', role: 'look', link: '12'.repeat(32) } as const
  await ask('user.invite', { ...invitation, again: false, lost: false, link: '34'.repeat(32) })
  const { user } = await ask('user.invite', { ...invitation, again: true, lost: true })
  const origin = 'https://mien.example'
  const invited = { code: '12'.repeat(32), session: '78'.repeat(32), origin }
  const { options } = await ask('session.open', invited)
  const passkey = authenticator(origin)
  const credential = passkey.create((options as { challenge: string }).challenge)
  await ask('session.open', { ...invited, credential, device: TEXT })
  const [signedIn] = (await ask('users.list', owned)).users
  await ask('session.end', { ...changing, id: signedIn!.sessions[0]!.id })
  await ask('passkey.delete', { ...changing, id: passkey.id })
  await ask('user.delete', { ...changing, id: user.id })
  await ask('photo.fetch', { ...owned, url: 'http://example.com' })
  await ask('photo.analyze', { param: 'photo' }, [Uint8Array.of(1)])
  await ask('attributes', { asked: { age: true, gender: false, emotions: false }, thumbnails: [] }, [
    chip.data,
  ])
  await ask('compare', { first: 1 }, [chip.data, chip.data])
  const preparation = { preparation: crypto.randomUUID(), count: 2, from: 0, galleries: [] }
  const thumbnails = enrolment(1).faces.map(face => face.thumbnail)
  await ask('faces.prepare', { ...owned, ...preparation, thumbnails }, pixels)

  await ask('gallery.create', { ...changing, gallery: GALLERY, retentionDays: 30 })
  await ask('gallery.update', { ...changing, gallery: GALLERY, retentionDays: 0 })
  await ask('gallery.update', { ...changing, gallery: 'default', retentionDays: 60 })
  for (const gallery of [GALLERY, 'default']) await ask('gallery.get', { ...owned, gallery })
  const made = {
    enabled: true,
    meta: META,
    url: URL,
    detector: DETECTOR,
    retention_days: 30,
    options: { clip: true },
  }
  const cameraId = (await ask('camera.create', { ...changing, camera: made })).camera.id
  const camera = cameraId.replaceAll('-', '')
  await ask('camera.update', { ...changing, id: camera, camera: { meta: META } })
  const watched = { ...owned, id: camera, watcher: 'hall' }
  const report = { fps: 5, dropped: 0, frame_age: 0, last_error: null, width: 9, height: 9, losses: 0 }
  await ask('camera.lease', { ...watched, report })
  await ask('camera.picture', { ...owned, id: camera })
  await ask('camera.lease', { ...watched, report }, [Uint8Array.of(1)])
  await ask('camera.state', { ...owned, id: camera })
  const viewers = read('cameras.viewers', { ...owned, token: TOKEN })
  await ask('camera.state', { ...owned, id: camera })
  await ask('recording.put', { ...changing, id: camera, start: 0, size: 1, at: 0 }, [Uint8Array.of(1)])
  const file = { start: '1970-01-01T00:00:00.000000', size: 1 }
  const recording = { ...file, read: 0, visits: 0, from: 0, before: 0 }
  await ask('camera.lease', { ...watched, report, recording })
  await ask('recording.get', { ...watched, at: 0 })
  await ask('recording.delete', { ...changing, id: camera })
  await read('camera.live', { ...owned, token: TOKEN, id: camera })
  await viewers
  await ask('camera.lease', { ...watched, report, live: 1 }, [Uint8Array.of(1)])
  await ask('camera.release', watched)

  const enrolled = []
  for (let i = 0; i < 4; i++) {
    const request = enrolment(1, {
      photo: PHOTO,
      meta: META,
      galleries: [GALLERY],
      camera,
      ...(i === 0 && { idempotency: { key: TEXT, requestHash: 'ab' } }),
    })
    enrolled.push((await ask('enrol', request, pixels)).faces[0]!.id)
  }
  const [first, second, third] = enrolled as [number, number, number, number]
  await ask('face.get', { ...owned, id: first })
  await ask('face.footage', { ...changing, id: first, kind: 'clip' }, [CLIP])
  await ask('face.update', {
    ...changing,
    id: first,
    meta: META,
    personId: 7,
    galleries: { kind: 'set', names: [] },
  })
  await ask('face.update', { ...changing, id: first, galleries: { kind: 'add', names: [GALLERY] } })
  await ask('face.update', { ...changing, id: second, personId: TEXT })
  await ask('identify', { ...owned, gallery: GALLERY, threshold: 0.5, limit: 3 }, [chip.data])
  for (const gallery of [undefined, GALLERY]) {
    await ask('faces.page', { ...page, maxId: enrolled[3]!, ...(gallery && { gallery }) })
    await ask('faces.page', { ...page, minId: first, ...(gallery && { gallery }) })
    await ask('metas.page', { ...page, minId: 0, ...(gallery && { gallery }) })
  }
  await ask('persons.summaries', { ...page, maxId: 100, meta: META })
  await ask('persons.summaries', { ...page, minId: 0 })
  await ask('face.update', { ...changing, id: third, personId: 8, meta: TEXT })
  await ask('persons.suggestions', { ...owned, limit: 10, threshold: 0.5 })
  await ask('person.update', { ...changing, id: 8, meta: META, faces: true })
  await ask('person.merge', { ...changing, id: 7, persons: [8] })
  await ask('person.split', { ...changing, id: 7, faces: [first], meta: TEXT })
  await ask('face.update', { ...changing, id: first, personId: 7 })
  const filter = { personId: 7, cameras: [camera], start: 0, end: Date.now() * 2000, friend: false }
  await ask('faces.page', { ...page, gallery: GALLERY, meta: META, filter })
  await read('history.search', { ...owned, filter, limit: 0 })
  await read('person.history', { ...owned, filter })
  const { start: _, end: __, ...live } = filter
  await read('events.follow', {
    ...owned,
    token: TOKEN,
    filter: { ...live, gallery: GALLERY },
    after: 0,
  })
  await read('faces.with-meta', { ...owned, meta: META, gallery: GALLERY })

  const alert = {
    name: META,
    enabled: true,
    url: 'https://anna.example/',
    gallery: GALLERY,
    threshold: 0.5,
    time_zone: 'UTC',
    cooldown_seconds: 0,
  }
  const rule = (await ask('alert.create', { ...changing, alert, origin: 'https://mien.example' })).alert.id
  await ask('alert.get', { ...owned, id: rule })
  await ask('alert.update', { ...changing, id: rule, alert, origin: 'https://mien.example' })
  await ask('alert.secret', { ...changing, id: rule })
  const delivery = (await ask('alert.test', { ...changing, id: rule })).delivery.id
  await ask('deliveries.page', { ...owned, id: rule, state: 'pending', maxId: delivery + 1, limit: 10 })
  await fail(delivery)
  await ask('delivery.retry', { ...changing, id: rule, delivery })
  await ask('alert.seen', { ...changing, id: delivery, seen: true })
  const browser = await ask('notifications.subscribe', { ...changing, ...BROWSER })
  await ask('notifications.unsubscribe', { ...changing, id: browser.id })
  await ask('alert.delete', { ...changing, id: rule })

  await ask('face.delete', { ...changing, id: second })
  await ask('person.delete', { ...changing, id: 7 })
  await ask('faces.delete-with-meta', { ...changing, meta: META, gallery: GALLERY })
  await ask('faces.delete-with-meta', { ...changing, meta: META })
  await ask('enrol', enrolment(1, { galleries: [GALLERY], camera }), pixels)
  await ask('gallery.delete', { ...changing, gallery: GALLERY })
  await ask('camera.delete', { ...changing, id: camera })
  for (const operation of OPERATIONS.filter(({ core }) => !called.has(core.name)))
    await askOther(operation, ask, read)
}

/** Calls an operation that the function above does not name, with its own gallery, camera and person. */
async function askOther(operation: Operation, ask: Ask, read: Read) {
  const changing = { owner: OWNER, by: TOKEN }
  const { chip, thumbnail } = faceOf(5, 6, 7)
  await ask('gallery.create', { ...changing, gallery: GALLERY })
  const camera = (await ask('camera.create', { ...changing, camera: { enabled: true } })).camera.id
  const enrolled = enrolment(1, { meta: META, galleries: [GALLERY], camera: camera.replaceAll('-', '') })
  const face = (await ask('enrol', enrolled, [chip.data, thumbnail.data])).faces[0]!.id
  await ask('face.update', { ...changing, id: face, personId: 7 })
  const known = { gallery: GALLERY, meta: META, ids: { face, faces: face, camera, person: 7, persons: 7 } }
  const { params, inPath, path } = sampleCall(operation, known)
  const sample = operation.parameters.safeParse({ ...params, ...inPath })
  expect(
    sample.error,
    `askEverything has to call ${operation.name}: no sample of its parameters`,
  ).toBeUndefined()
  const request = requestOf(operation, {
    params: sample.data!,
    caller: { owner: OWNER, token: TOKEN, scope: 'admin', gae: true },
    origin: 'https://mien.example',
    path,
  })
  const { kind, name } = operation.core
  await (kind === 'stream'
    ? read(name as StreamName, request as never)
    : ask(name as RpcOperation, request as never))
  await ask('person.delete', { ...changing, id: 7 })
  await ask('gallery.delete', { ...changing, gallery: GALLERY })
}
