/** Refusals of operations: each names the parameter, and leaves all data as it was. */

import { EVENT_LIMITS } from '#contract/limits/events.ts'
import type { AlertSettings } from '#contract/model/alert.ts'
import type { RpcRequest, StreamRequest } from '#contract/operations/messages.ts'
import { markAlertSeen } from '#core/operations/alerts/alerts.ts'
import { subscribeBrowser } from '#core/operations/alerts/notifications.ts'
import { deleteFacesWithMeta } from '#core/operations/consistency/deletions.ts'
import { followEvents } from '#core/operations/events/follow-events.ts'
import { putFootage } from '#core/operations/events/snapshots-and-clips.ts'
import { enrol } from '#core/operations/faces/enrol.ts'
import { checkGallery } from '#core/operations/galleries/check-gallery.ts'
import { getGallery } from '#core/operations/galleries/galleries.ts'
import { suggestPersons } from '#core/operations/persons/suggestions.ts'
import { compareWithPerson, identify } from '#core/operations/recognition.ts'
import { BROWSER } from '#test/support/operation-samples.ts'
import { enrolment, FACE, OTHER_OWNER, OWNER, TOKEN } from '#test/support/sample-faces.ts'
import { times } from '#test/support/times.ts'
import { tokenIn } from '../http/token.ts'
import { createRule, deliveriesOf } from './alerts/shared.ts'
import { addPerson } from './persons/crowd.ts'
import {
  cameraOf,
  createGallery,
  deleteFace,
  deleteGallery,
  deletePerson,
  enrolOne,
  getFace,
  keysOf,
  madeOnce,
  mergePersons,
  noAnswer,
  personSummary,
  splitPerson,
  storeWith,
  testAlert,
  updateFace,
  type World,
  withPersons,
} from './world.ts'

const owned = { owner: OWNER }
const DAY_MS = 86_400_000

/**
 * Persons 7 and 8 with the name Ann, 7 with two faces, 9 without a face, and 50 of another owner. The first face is of a camera that
 * keeps snapshots and clips, the second of one that keeps none. All are in the gallery `a`.
 */
const given = madeOnce(async world => {
  await tokenIn(world)
  await createGallery(world, 'a')
  const camera = await cameraOf(world, OWNER, { options: { snapshot: true, clip: true } })
  const ann = { meta: 'Ann', galleries: ['a'] }
  const faces = [
    await enrolOne(world, FACE, { ...ann, camera, personId: 7 }),
    await enrolOne(world, FACE, { ...ann, camera: await cameraOf(world), personId: 7 }),
    await enrolOne(world, FACE, { ...ann, personId: 8 }),
  ]
  await addPerson(world, 9, 0)
  const [foreign] = await addPerson(world, 50, 1, { owner: OTHER_OWNER })
  const rule = await createRule(world, { browsers: true })
  await subscribeBrowser(world, { ...owned, by: TOKEN, ...BROWSER })
  await testAlert(world, rule.id)
  const deliveries = await deliveriesOf(world, rule.id)
  const notification = deliveries.find(({ subscription }) => subscription !== undefined)!.id
  return { world, faces: faces as [number, number, number], foreign: foreign!, notification }
})

type Given = ReturnType<typeof given>

/** All stored vectors and pictures, and the checksums of all tables. */
const stateOf = async (world: World) => [
  await keysOf(world),
  (await world.database.run('SELECT name, sum FROM sums ORDER BY name')).rows.map(row => Object.values(row)),
]

const enrolling =
  (changed: Partial<RpcRequest<'enrol'>>, count = 1) =>
  ({ world }: Given) =>
    enrol(
      world,
      enrolment(count, changed),
      times(count, () => FACE),
    )

const updating =
  (changed: Partial<RpcRequest<'face.update'>>) =>
  ({ world, faces: [id] }: Given) =>
    updateFace(world, id, { meta: 'after', personId: 77, ...changed })

const splitting =
  (choose: (given: Given) => number[], id = 7) =>
  (given: Given) =>
    splitPerson(given.world, id, choose(given))

const merging =
  (id: number, ...others: number[]) =>
  ({ world }: Given) =>
    mergePersons(world, id, ...others)

const ruling =
  (changed: Partial<AlertSettings>) =>
  ({ world }: Given) =>
    createRule(world, changed)

const storing =
  (choose: (given: Given) => Partial<RpcRequest<'face.footage'>>, changed: Partial<World> = {}) =>
  (given: Given) =>
    putFootage(
      { ...given.world, ...changed },
      { ...owned, id: given.faces[0], kind: 'snapshot', hash: 'abcd', ...choose(given) },
      Buffer.from('a photo'),
    )

const following =
  (changed: Partial<StreamRequest<'events.follow'>>, now = Date.now) =>
  ({ world }: Given) =>
    followEvents({ ...world, now }, { ...owned, token: TOKEN, filter: { cameras: [] }, ...changed }).next()

/** Name of the refused request; the parameter of a BAD_PARAM, or the code. */
it.each<[string, string, (given: Given) => Promise<unknown>]>([
  ['an enrolment into an unknown gallery', 'galleries', enrolling({ galleries: ['nowhere'] })],
  ['an enrolment from an unknown camera', 'cam_id', enrolling({ camera: '0'.repeat(32) })],
  [
    'attributes while they are off',
    'age',
    enrolling({ asked: { age: true, gender: false, emotions: false } }),
  ],
  ['a name that several persons have', 'person', enrolling({ personName: 'ann' })],
  ['a text for two faces', 'person_id', enrolling({ personId: 'x' }, 2)],
  ['an update without a key', 'update', enrolling({ update: true })],
  [
    'an update by two faces',
    'update',
    enrolling({ update: true, idempotency: { key: 'k', requestHash: '' } }, 2),
  ],
  ['an unknown gallery', 'galleries', updating({ galleries: { kind: 'add', names: ['a', 'nowhere'] } })],
  ['to leave default', 'galleries', updating({ galleries: { kind: 'del', names: ['a', 'default'] } })],
  ['to take an unknown person away', 'not_person', updating({ personId: undefined, notPerson: 99 })],
  ['the deletion of no gallery', 'NOT_FOUND', ({ world }) => deleteGallery(world, 'x')],
  [
    'a check of no gallery',
    'NOT_FOUND',
    ({ world }) => checkGallery(world, { ...owned, gallery: 'x', limit: 9 }),
  ],
  ['a merge of an unknown person', 'person_ids', merging(7, 8, 99)],
  ['a merge of a person of another owner', 'person_ids', merging(7, 8, 50)],
  ['a merge of a person with itself', 'person_ids', merging(7, 8, 7)],
  ['a merge into a person of another owner', 'NOT_FOUND', merging(50, 8)],
  ['a split by a face of another person', 'face_ids', splitting(({ faces }) => [faces[0], faces[2]])],
  ['a split by a face of another owner', 'face_ids', splitting(({ faces, foreign }) => [faces[0], foreign])],
  ['a split by an unknown face', 'face_ids', splitting(({ faces }) => [faces[0], 10 ** 9])],
  ['a split by all faces', 'face_ids', splitting(({ faces }) => faces.slice(0, 2))],
  ['a split of an unknown person', 'NOT_FOUND', splitting(({ faces }) => faces, 99)],
  ['the summary of a person of another owner', 'NOT_FOUND', ({ world }) => personSummary(world, 50)],
  [
    'a comparison with a person without faces',
    'person_id',
    ({ world }) => compareWithPerson(world, { ...owned, id: 9 }, [FACE.chip.data]),
  ],
  ['a rule for another scheme', 'url', ruling({ url: 'ftp://receiver.example/' })],
  ['a rule with credentials', 'url', ruling({ url: 'https://anna:secret@receiver.example/' })],
  ['a rule for no URL', 'url', ruling({ url: 'receiver' })],
  ['a rule in no time zone', 'time_zone', ruling({ time_zone: 'Mars/Olympus' })],
  ['a rule about an unknown gallery', 'gallery', ruling({ gallery: 'unknown' })],
  ['ntfy without a topic', 'url', ruling({ format: 'ntfy', url: 'https://ntfy.sh/' })],
  ['ntfy with half a letter', 'url', ruling({ format: 'ntfy', url: 'https://ntfy.sh/%ff' })],
  ['ntfy without a URL', 'url', ruling({ format: 'ntfy', url: '' })],
  ['gotify without a token', 'url', ruling({ format: 'gotify', url: 'https://gotify.example/message' })],
  [
    'telegram without a chat',
    'url',
    ruling({ format: 'telegram', url: 'https://api.telegram.org/bot1:x/sendMessage' }),
  ],
  [
    'a browser without its key',
    'p256dh',
    ({ world }) => subscribeBrowser(world, { ...owned, by: TOKEN, ...BROWSER, p256dh: `B${'A'.repeat(86)}` }),
  ],
  ['a snapshot of another photo', 'snapshot', storing(() => ({ hash: 'another' }))],
  ['a clip that the camera does not keep', 'clip', storing(({ faces }) => ({ id: faces[1], kind: 'clip' }))],
  [
    'a snapshot without stored pictures',
    'snapshot',
    storing(() => ({}), { keep: { pictures: false, photoNames: true } }),
  ],
  [
    'a clip of an old face',
    'clip',
    storing(() => ({ kind: 'clip' }), { now: () => Date.now() + DAY_MS + 3_600_000 }),
  ],
  ['a snapshot of another owner', 'NOT_FOUND', storing(() => ({ owner: OTHER_OWNER }))],
  ['a snapshot without a camera', 'NOT_FOUND', storing(({ faces }) => ({ id: faces[2] }))],
  ['events of an unknown gallery', 'gallery', following({ filter: { cameras: [], gallery: 'unknown' } })],
  ['events of the future', 'last_event_id', following({ after: Number.MAX_SAFE_INTEGER })],
  [
    'events that are forgotten',
    'last_event_id',
    following({ after: 0 }, () => Date.now() + EVENT_LIMITS.ageMs + 60_000),
  ],
  [
    'a mark on a notification',
    'NOT_FOUND',
    ({ world, notification: id }) => markAlertSeen(world, { ...owned, by: TOKEN, id, seen: true }),
  ],
])('%s is refused: %s', async (_, refused, ask) => {
  const { world } = given()
  const before = await stateOf(world)
  const error = await ask(given()).catch(error => error)
  const expected =
    refused === 'NOT_FOUND' ? { code: refused } : { code: 'BAD_PARAM', detail: { param: refused } }
  expect(error).toMatchObject(expected)
  expect(JSON.stringify(error)).not.toMatch(/secret@|got nothing/)
  expect(await stateOf(world)).toEqual(before)
})

const probe = [FACE.chip.data]
const search = { ...owned, gallery: 'default', threshold: 0.5, limit: 9 }

/** Functions of a store with an unavailable shard: of a store that does not answer, and of a store that searches its available shards. */
const SILENT = { reach: noAnswer, add: noAnswer, remove: noAnswer, get: noAnswer }
const searchingIn = ({ vectors }: World): Partial<World['vectors']> => ({
  reach: noAnswer,
  search: async (...asked) => ({ ...(await vectors.search(...asked)), live: 1, total: 2 }),
})

it.each<[string, (world: World, faces: Given['faces']) => Promise<unknown>]>([
  ['an enrolment', world => enrolOne(world, FACE)],
  ['the deletion of a face', (world, [id]) => deleteFace(world, id)],
  ['the deletion of a meta', world => deleteFacesWithMeta(world, { ...owned, meta: 'Ann' })],
  ['the deletion of a person', world => deletePerson(world, 7)],
  ['the deletion of a gallery', world => deleteGallery(world, 'a')],
  [
    'a change of galleries',
    (world, [id]) => updateFace(world, id, { meta: 'after', galleries: { kind: 'set', names: [] } }),
  ],
  ['a comparison with a person', world => compareWithPerson(world, { ...owned, id: 7 }, probe)],
  ['the person of a face', (world, [id]) => getFace(world, id, { who: true })],
])('%s is refused while a shard is unavailable', async (_, ask) => {
  const { world, faces } = given()
  const before = await stateOf(world)
  const refused = ask({ ...world, vectors: storeWith(world, SILENT) }, faces)
  await expect(refused).rejects.toMatchObject({ name: 'StoreUnavailable', why: 'away' })
  expect(await stateOf(world)).toEqual(before)
})

it('names an unknown gallery and a similar one', async () => {
  const { world } = given()
  await createGallery(world, 'staff')
  for (const [gallery, advice] of [
    ['Staf', ' Did you mean "staff"?'],
    ['unknown', ''],
  ] as const)
    for (const answer of [
      checkGallery(world, { ...owned, gallery, limit: 9 }),
      getGallery(world, { ...owned, gallery }),
      deleteGallery(world, gallery),
    ])
      await expect(answer).rejects.toMatchObject({
        code: 'NOT_FOUND',
        detail: { reason: `There is no gallery "${gallery}".${advice}` },
      })
})

it.each<[string, (world: World) => Promise<unknown>]>([
  ['an enrolment that looks for a person', world => enrolOne(withPersons(world), FACE)],
  ['a strict search', world => identify(world, { ...search, strict: true }, probe)],
  [
    'a strict list of suggestions',
    world => suggestPersons(world, { ...owned, limit: 9, threshold: 0.5, strict: true }),
  ],
  ['a check of a gallery', world => checkGallery(world, { ...owned, gallery: 'default', limit: 9 })],
])('%s is refused when a shard did not answer', async (_, ask) => {
  const { world } = given()
  const refused = ask({ ...world, vectors: storeWith(world, searchingIn(world)) })
  await expect(refused).rejects.toMatchObject({ name: 'StoreUnavailable', why: 'away' })
})
