/** One successful call of every operation of a running service. */

import { setTimeout as sleep } from 'node:timers/promises'
import sharp from 'sharp'
import { inject } from 'vitest'
import { OPERATIONS } from '#contract/operations/table.ts'
import { authenticator } from '#test/support/authenticator.ts'
import { form, type Send, sample } from '#test/support/client.ts'
import { BROWSER, CLIP, sampleCall } from '#test/support/operation-samples.ts'
import { postSession } from '../shared.ts'

/** Answer bodies by operation name; undefined for an answer without a body. */
export type Answers = Map<string, unknown>

/**
 * Calls every operation of v1 as an owner without data. `firstEvent` answers the first event of the stream at a path. `gone` is a
 * webhook that answers 410.
 */
export async function callEveryOperation(
  send: Send,
  firstEvent: (path: string) => Promise<string>,
  gone: string,
): Promise<Answers> {
  const answers: Answers = new Map()
  const call = async (name: string, ...[method, path, ...rest]: Parameters<Send>) => {
    const { status, body } = await send(method, `/v1${path}`, ...rest)
    if (status >= 300)
      throw new Error(`${name}: ${status} ${JSON.stringify(body)}. Call it in a function of answers.ts.`)
    answers.set(name, body)
    return body
  }
  await operator(call)
  await galleriesAndCameras(call, send)
  const face = await photos(call)
  await reads(face, answers, call)
  await persons(face, call)
  answers.set('followEvents', await firstEvent('/v1/events?last_event_id=0'))
  answers.set('followViewers', await firstEvent('/v1/viewers'))
  // The live view needs a watcher: test/service/camera/live.test.ts.
  answers.set('getCameraLive', '(JPEG images)')
  // Recordings need a watcher: test/service/camera/recording.test.ts.
  answers.set('putRecording', { start: '2026-11-27T18:00:00.000000', size: 9, received: 9 })
  answers.set('getRecording', '(bytes)')
  answers.set('deleteRecording', undefined)
  // Its answer is no JSON: test/service/console/events.test.ts.
  answers.set('exportEvidence', '(a ZIP file)')
  // A backup needs a place: test/service/console/settings.test.ts.
  answers.set('requestBackup', undefined)
  // One of several owners renews no key: test/service/core/operations/events/evidence-export.test.ts.
  const { results } = await call('listEvidenceKeys', 'GET', '/evidence/keys')
  answers.set('renewEvidenceKey', results[0])
  await alerts(face, call, gone)
  await alertHistory(face, call, gone)
  await footage(face, call)
  await others(answers, call)
  return answers
}

async function operator(call: Call) {
  await call('getCurrentToken', 'GET', '/token')
  await users(call)
  await call('listTokens', 'GET', '/tokens')
  const camera = { name: 'front door', scope: 'camera', expires: '2090-01-31', rate: 5 }
  const { id } = await call('createToken', 'POST', '/tokens', camera)
  const { id: next } = await call('rotateToken', 'POST', `/tokens/${id}/rotate`)
  await call('revokeToken', 'DELETE', `/tokens/${next}`)
  await call('listAuditLog', 'GET', '/audit-log')
  await call('changeSettings', 'PUT', '/settings', { reset: [] })
  await withDurations(call)
}

/** A user accepts an invitation with a passkey, and signs in with it. */
async function users(call: Call) {
  const ben = { name: 'Ben', role: 'look', again: true }
  const { id, link } = await call('inviteUser', 'POST', '/users', ben)
  const post = async (body: object) => (await postSession(body)).json()
  const passkey = authenticator(inject('edge'))
  const invitation = { code: link.split('/').at(-1) }
  const { challenge } = (await post(invitation)).options
  await post({ ...invitation, credential: passkey.create(challenge) })
  await post({ credential: passkey.get((await post({})).options.challenge) })
  const { results } = await call('listUsers', 'GET', '/users')
  await call('endSession', 'DELETE', `/sessions/${results[0].sessions[0].id}`)
  await call('deletePasskey', 'DELETE', `/passkeys/${passkey.id}`)
  await call('deleteUser', 'DELETE', `/users/${id}`)
}

/** Edges report the durations of operations to core some seconds later. */
async function withDurations(call: Call) {
  while ((await call('getService', 'GET', '/service')).durations.length === 0) await sleep(250)
}

type Call = (
  name: string,
  ...request: Parameters<Send>
  // biome-ignore lint/suspicious/noExplicitAny: a server answers any JSON
) => Promise<any>

const CAMERA = {
  meta: 'entrance',
  url: 'rtsp://camera.example/1',
  rot: [1920, 1080, 0, 0],
  retention_days: 30,
  options: { fps: 10, early: true },
}

async function galleriesAndCameras(call: Call, send: Send) {
  const set = { retention_days: 30, display_name: 'Our staff' }
  await call('createNamedGallery', 'POST', '/galleries', { name: 'staff', ...set })
  await call('createGallery', 'POST', '/galleries/visitors', set)
  await call('changeGallery', 'PUT', '/galleries/staff', { retention_days: 365 })
  const { id } = await call('createCamera', 'POST', '/camera', { ...CAMERA, detector: 'door-client' })
  await call('getCamera', 'GET', `/camera/${id}`)
  await call('changeCamera', 'PUT', `/camera/${id}`, CAMERA)
  await call('listCameras', 'GET', '/camera')
  const report = { watcher: 'hall-1', fps: 5, dropped: 12, frame_age: 0.2, last_error: 'silent' }
  await call('leaseCamera', 'PUT', `/camera/${id}/lease`, {
    ...report,
    width: 1920,
    height: 1080,
    losses: 1,
    furniture: [[0, 0, 0.5, 1]],
    searched: 4,
    wanted: 5,
    behind: 0,
    unused: 3,
    unused_reason: 'small',
    turn: 90,
  })
  await call('getCameraState', 'GET', `/camera/${id}/state`)
  await cameraPicture(`/camera/${id}`, call, send)
}

/** The first request has no answer yet: it makes the watcher send a picture. */
async function cameraPicture(path: string, call: Call, send: Send) {
  await send('GET', `/v1${path}/picture`)
  const picture = await sharp(await sample(1))
    .resize(640, 640, { fit: 'inside' })
    .jpeg()
    .toBuffer()
  await call(
    'leaseCamera',
    'PUT',
    `${path}/lease`,
    form({ watcher: 'hall-1', picture: new Uint8Array(picture) }),
  )
  await call('getCameraPicture', 'GET', `${path}/picture`)
  await call('releaseCamera', 'DELETE', `${path}/lease`, { watcher: 'hall-1' })
}

/** The ids of two similar faces of two persons, and of the camera that posted them. */
interface Known {
  id: number
  second: number
  camera: string
}

/** Returns the same photo, smaller and darker. */
const another = async (photo: Uint8Array) =>
  new Uint8Array(
    await sharp(photo).resize(800).modulate({ brightness: 0.8 }).jpeg({ quality: 60 }).toBuffer(),
  )

async function photos(call: Call): Promise<Known> {
  const photo = { bytes: await sample(3), name: 'ann.jpg' }
  const liveness = { liveness: 'true' }
  await call('detect', 'POST', '/detect', form({ photo, quality: 'true', ...liveness, ...ATTRIBUTES }))
  const later = { bytes: await another(photo.bytes), name: 'entrance.jpg' }
  await call('verify', 'POST', '/verify', form({ photo1: photo, photo2: later, ...liveness }))
  const [{ id: camera }] = await call('listCameras', 'GET', '/camera')
  const enrolment = { photo, meta: 'Ann', galleries: 'staff', cam_id: camera, ...ATTRIBUTES }
  const { results } = await call('enrol', 'POST', '/face', form(enrolment))
  const { id } = results[0]
  const second = await call('enrol of another photo', 'POST', '/face', form({ ...enrolment, photo: later }))
  await call('updateFace', 'PUT', `/face/id/${second.results[0].id}`, { person_id: 8 })
  await call('updateFace', 'PUT', `/face/id/${id}`, { person_id: 7 })
  await call('identify', 'POST', '/identify', form({ photo: later, ...liveness }))
  await call(
    'identifyInGallery',
    'POST',
    '/faces/gallery/staff/identify',
    form({ photo: later, ...liveness }),
  )
  return { id, second: second.results[0].id, camera }
}

const ATTRIBUTES = { age: 'true', gender: 'true', emotions: 'true' }

/** Topics whose lists and items need only `Known`. */
const READ = ['Faces', 'Galleries', 'Persons', 'History']

async function reads({ id, camera }: Known, answers: Answers, call: Call) {
  const ids = { face: id, faces: id, camera, person: 7, persons: 7 }
  for (const operation of OPERATIONS) {
    const { name, method, topic } = operation
    if (method !== 'get' || !READ.includes(topic) || name === 'followEvents' || answers.has(name)) continue
    await call(name, 'GET', sampleCall(operation, { gallery: 'staff', meta: 'Ann', ids }).path)
  }
  await call('searchHistory', 'POST', '/history/search', { limit: 100 })
}

async function persons({ second }: Known, call: Call) {
  await call('mergePersons', 'POST', '/person/id/7/merge', { person_ids: [8] })
  await call('splitPerson', 'POST', '/person/id/7/split', { face_ids: [second] })
  await call('groupPersons', 'POST', '/persons/grouping', { action: 'stop' })
  await call('updatePerson', 'PUT', '/person/id/7', { meta: 'Ann', faces: true })
}

async function alerts({ camera }: Known, call: Call, url: string) {
  const hours = [{ days: ['mon', 'tue'], from: '18:00', to: '06:00' }]
  const conditions = { cam_ids: [camera], gallery: 'staff', unknown: true, hours, time_zone: 'Europe/Berlin' }
  const rule = { url, name: 'staff entrance at night', cooldown_seconds: 300, ...conditions }
  const { id } = await call('createAlert', 'POST', '/alerts', rule)
  await call('getAlert', 'GET', `/alert/id/${id}`)
  await call('changeAlert', 'PUT', `/alert/id/${id}`, rule)
  await call('listAlerts', 'GET', '/alerts')
  await call('rotateAlertSecret', 'POST', `/alert/id/${id}/secret`)
  const { id: delivery } = await call('testAlert', 'POST', `/alert/id/${id}/test`)
  const failed = () => call('listDeliveries', 'GET', `/alert/id/${id}/deliveries?state=failed`)
  while ((await failed()).results.length === 0) await sleep(100)
  await call('retryDelivery', 'POST', `/alert/id/${id}/deliveries/${delivery}/retry`)
  const browser = await call('subscribeBrowser', 'POST', '/notifications', BROWSER)
  await call('listNotifications', 'GET', '/notifications')
  await call('unsubscribeBrowser', 'DELETE', `/notifications/${browser.id}`)
  await call('deleteAlert', 'DELETE', `/alert/id/${id}`)
}

/** The alert of a rule about everybody, with a face of a person and with the mark of who saw it. */
async function alertHistory({ camera }: Known, call: Call, url: string) {
  const { id: rule } = await call('another rule', 'POST', '/alerts', { name: 'everybody', url })
  const photo = { bytes: await sample(3), name: 'ann.jpg' }
  const enrolment = { photo, meta: 'Ann', galleries: 'staff', cam_id: camera, ...ATTRIBUTES }
  const { results } = await call('another face', 'POST', '/face', form(enrolment))
  await call('another person', 'PUT', `/face/id/${results[0].id}`, { person_id: 7 })
  const history = () => call('listAlertHistory', 'GET', `/alerts/history?alert=${rule}`)
  while ((await history()).results.length === 0) await sleep(100)
  await call('markAlertSeen', 'PUT', `/alerts/history/${(await history()).results[0].id}`)
  await history()
  await call('another end', 'DELETE', `/alert/id/${rule}`)
}

async function footage({ id, camera }: Known, call: Call) {
  await call('options of a camera', 'PUT', `/camera/${camera}`, { options: { snapshot: true, clip: true } })
  await call('putSnapshot', 'PUT', `/face/id/${id}/snapshot`, form({ snapshot: await sample(3) }))
  await call('putClip', 'PUT', `/face/id/${id}/clip`, form({ clip: CLIP }))
}

/** Calls the operations that the functions above do not name, each with its own gallery, camera and person. */
async function others(answers: Answers, call: Call) {
  for (const operation of OPERATIONS.filter(({ name }) => !answers.has(name))) {
    const known = { gallery: operation.name, meta: operation.name }
    await call('another gallery', 'POST', `/galleries/${known.gallery}`)
    const { id: camera } = await call('another camera', 'POST', '/camera', CAMERA)
    const photo = { bytes: await sample(3), name: 'ann.jpg' }
    const enrolment = { photo, meta: known.meta, galleries: known.gallery, cam_id: camera }
    const { results } = await call('another enrolment', 'POST', '/face', form(enrolment))
    await call('another person', 'PUT', `/face/id/${results[0].id}`, { person_id: 7 })
    const ids = { face: results[0].id, faces: results[0].id, camera, person: 7, persons: 7 }
    const { path, params } = sampleCall(operation, { ...known, ids })
    const query = new URLSearchParams(Object.entries(params).map(([name, value]) => [name, String(value)]))
    await call(operation.name, operation.method.toUpperCase(), `${path}?${query}`)
  }
}

/** The text of the first event of a stream. */
export async function firstEvent(url: string, token: string): Promise<string> {
  const { body } = await fetch(url, { headers: { authorization: `Token ${token}` } })
  let text = ''
  for await (const part of body!.pipeThrough(new TextDecoderStream())) {
    text += part
    const event = text.split('\n\n').find(message => /^event: (face|viewers)$/m.test(message))
    if (event !== undefined && text.endsWith('\n\n')) return `${event}\n\n`
  }
  throw new Error('The stream has no event.')
}
