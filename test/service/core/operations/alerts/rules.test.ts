/** Faces that meet the conditions of alert rules, and owners of rules. */

import { idSource } from '#contract/ids.ts'
import { ALERT_LIMITS } from '#contract/limits/alerts.ts'
import { insertEvents } from '#core/metadata/events/events.ts'
import { rotateAlertSecret } from '#core/operations/alerts/alerts.ts'
import { searchHistory } from '#core/operations/events/history.ts'
import { enrolment, faceOf, OTHER_OWNER, OWNER } from '#test/support/sample-faces.ts'
import { times } from '#test/support/times.ts'
import { addPerson } from '../persons/crowd.ts'
import {
  cameraOf,
  createGallery,
  enrolFace,
  enrolOne,
  getAlert,
  getFace,
  it,
  noAnswer,
  storeWith,
  updateFace,
  updatePerson,
  type World,
  withPersons,
} from '../world.ts'
import { createRule, deliveriesOf, enrolPerson, evaluate, FACE, openWithCamera } from './shared.ts'

const OTHER_FACE = faceOf(250, 1, 1)

/** Resembles FACE as much as one stranger in 100 does, and one in 1,000 does not. */
const PROBABLY_FACE = faceOf(90, 20, 10)

/** Makes a person the candidate of a face. */
const probably = ({ database }: World, face: number, person: number | string | undefined) =>
  database.run(`UPDATE faces SET candidate = ${person}, candidate_confidence = 0.7 WHERE id = ${face}`)

/** The faces about which a rule has deliveries, oldest first. */
async function facesOf(world: World, id: string) {
  while (await evaluate(world));
  return (await deliveriesOf(world, id)).map(({ face_id }) => face_id).reverse()
}

/** The matches of the deliveries of a rule, oldest first. */
async function matchesOf(world: World, id: string): Promise<unknown[][]> {
  const { rows } = await world.database.run(
    `SELECT matches FROM deliveries WHERE alert = '${id}' ORDER BY id`,
  )
  return rows.map(row => JSON.parse(String(row.matches)))
}

describe('a rule', () => {
  it('selects faces by camera, person and friend', async ({ world, camera }) => {
    const other = await cameraOf(world)
    const rules = [
      await createRule(world, { cam_ids: [other] }),
      await createRule(world, { person_ids: [7] }),
      await createRule(world, { friend: true }),
      await createRule(world, { friend: false }),
    ]
    const [one, two] = [
      await enrolPerson(world, 7, { camera }),
      await enrolOne(world, FACE, { camera: other }),
    ]
    expect(await Promise.all(rules.map(({ id }) => facesOf(world, id)))).toEqual([
      [two],
      [one],
      [],
      [one, two],
    ])
  })

  it('selects faces by their quality, or by the quality of the watcher if the service measured none', async ({
    world,
    camera,
  }) => {
    const { id } = await createRule(world, { min_quality: 0.5 })
    const faces = [
      await enrolOne(world, FACE, { camera, detectorInfo: { quality: 0.3 } }),
      await enrolOne(world, FACE, { camera, detectorInfo: { quality: 0.7 } }),
      await enrolOne(world, FACE, { camera }),
      await enrolOne(world, FACE, { camera, detectorInfo: { quality: 0.7 } }),
    ]
    await world.database.run(`UPDATE faces SET measured_quality = 0.4 WHERE id = ${faces[3]}`)
    expect(await facesOf(world, id)).toEqual([faces[1], faces[2]])
  })

  it('selects faces that match a gallery, and those that match none', async ({ world, camera }) => {
    await createGallery(world, 'staff')
    const known = await enrolOne(world, FACE, { galleries: ['staff'] })
    const staff = await createRule(world, { gallery: 'staff' })
    const strangers = await createRule(world, { gallery: 'staff', unknown: true })
    const employee = await enrolOne(world, FACE, { camera })
    const stranger = await enrolOne(world, OTHER_FACE, { camera, galleries: ['staff'] })
    expect(await facesOf(world, staff.id)).toEqual([employee])
    expect(await facesOf(world, strangers.id)).toEqual([stranger])
    expect(await matchesOf(world, staff.id)).toEqual([[{ face: known, confidence: 1, verdict: 'certain' }]])
  })

  it('follow the assigned person, not a chance face', async ({ world, camera }) => {
    await createGallery(world, 'staff')
    // Ann is enrolled by a picture that the camera's picture of her does not match. Ben looks like her.
    const ann = await enrolOne(world, OTHER_FACE, { galleries: ['staff'], personName: 'Ann' })
    const ben = await enrolOne(world, FACE, { galleries: ['staff'], personName: 'Ben' })
    const staff = await createRule(world, { gallery: 'staff', url: '' })
    const strangers = await createRule(world, { gallery: 'staff', unknown: true, fpir: 0.01 })
    const seen = await enrolOne(world, FACE, { camera, personName: 'Ann' })
    // Another person of her name, as cameras that recognise each for itself have.
    const namesake = await enrolPerson(world, 5, { camera })
    await updatePerson(world, 5, { meta: 'ANN', faces: false })
    // A visitor with her own name, and a person who was separated from Ben.
    const visitor = await enrolOne(world, FACE, { camera, personName: 'Cem' })
    const apart = await enrolOne(world, FACE, { camera, personName: 'Ben' })
    await updateFace(world, apart, { personId: 6 })
    // The camera has made a person of Ben's face by itself.
    const unnamed = await enrolPerson(world, 7, { camera })
    expect(await facesOf(world, staff.id)).toEqual([seen, namesake, unnamed])
    expect(await facesOf(world, strangers.id)).toEqual([visitor, apart])
    const matches = await matchesOf(world, staff.id)
    expect(matches.map(([match]) => match)).toEqual([
      { face: ann, confidence: expect.any(Number) },
      { face: ann, confidence: expect.any(Number) },
      { face: ben, confidence: 1, verdict: 'certain' },
    ])
  })

  it('selects the first face of a person without a name as unknown', async ({ world, camera }) => {
    const known = await createRule(world, { unknown: false })
    const unknown = await createRule(world, { unknown: true })
    const ann = await enrolOne(world, FACE, { camera, personName: 'Ann' })
    const first = await enrolPerson(world, 7, { camera })
    const second = await enrolPerson(world, 7, { camera })
    await enrolOne(world, FACE, { camera })
    expect(await facesOf(world, unknown.id)).toEqual([first])
    expect(await facesOf(world, known.id)).toEqual([ann, second])
  })

  it('about unknown people leaves out poor faces, and faces that probably show a known person', async ({
    world,
    camera,
  }) => {
    await createGallery(world, 'staff')
    const ann = await enrolFace(world, FACE, { galleries: ['staff'], personName: 'Ann' })
    const unlisted = await enrolFace(world, OTHER_FACE, { personName: 'Cem' })
    const strangers = await createRule(world, { gallery: 'staff', unknown: true })
    const staff = await createRule(world, { gallery: 'staff' })
    const firsts = await createRule(world, { unknown: true })
    const poor = { camera, faces: [{ ...enrolment(1).faces[0]!, measuredQuality: 0.5 }] }
    await enrolOne(world, OTHER_FACE, poor)
    const poorFirst = await enrolPerson(world, 30, poor)
    await enrolOne(world, PROBABLY_FACE, { camera })
    const stranger = await enrolOne(world, OTHER_FACE, { camera })
    await probably(world, await enrolOne(world, OTHER_FACE, { camera }), ann.person_id)
    const cem = await enrolOne(world, OTHER_FACE, { camera })
    await probably(world, cem, unlisted.person_id)
    const first = await enrolPerson(world, 31, { camera })
    expect(await facesOf(world, strangers.id)).toEqual([stranger, cem])
    // The numbers of a rule decide who matches.
    expect(await facesOf(world, staff.id)).toEqual([poorFirst, first])
    expect(await facesOf(world, firsts.id)).toEqual([first])
  })

  it('alerts about no ignored person, assigned, probable or matched', async ({ world, camera }) => {
    await createGallery(world, 'staff')
    const { person_id: ann } = await enrolFace(world, FACE, { galleries: ['staff'], personName: 'Ann' })
    await updatePerson(world, Number(ann), { meta: 'Ann', faces: false, silent: true })
    const all = await createRule(world)
    const staff = await createRule(world, { gallery: 'staff' })
    const seen = await enrolPerson(world, Number(ann), { camera })
    const candidate = await enrolOne(world, OTHER_FACE, { camera })
    await probably(world, candidate, ann)
    const match = await enrolOne(world, FACE, { camera })
    const text = await enrolOne(world, OTHER_FACE, { camera, personId: `${ann} to 5` })
    const other = await enrolPerson(world, 7, { camera })
    expect(await facesOf(world, all.id)).toEqual([match, text, other])
    expect(await facesOf(world, staff.id)).toEqual([])
    const silent = await Promise.all(
      [seen, candidate, match, text, other].map(async id => (await getFace(world, id)).face.silent),
    )
    expect(silent).toEqual([true, true, undefined, undefined, undefined])
    const filter = { cameras: [] }
    for await (const events of searchHistory(world, { owner: OWNER, filter, limit: 0 }))
      expect(events.filter(event => event.silent).map(({ id }) => id)).toEqual([candidate, seen])
    await updatePerson(world, Number(ann), { meta: 'Ann', faces: false, silent: false })
    const again = await enrolPerson(world, Number(ann), { camera })
    expect(await facesOf(world, staff.id)).toEqual([again])
  })

  it('alerts to everybody except named people', async ({ world, camera }) => {
    await createGallery(world, 'staff')
    const { person_id: ann } = await enrolFace(world, FACE, { galleries: ['staff'], personName: 'Ann' })
    const except_person_ids = [Number(ann), 9]
    const all = await createRule(world, { except_person_ids })
    const staff = await createRule(world, { gallery: 'staff', except_person_ids })
    await enrolPerson(world, Number(ann), { camera })
    await probably(world, await enrolOne(world, OTHER_FACE, { camera }), ann)
    const match = await enrolOne(world, FACE, { camera })
    const other = await enrolPerson(world, 7, { camera })
    expect(await facesOf(world, all.id)).toEqual([match, other])
    // Person 7 looks like Ann.
    expect(await facesOf(world, staff.id)).toEqual([])
  })

  it('that searches goes on with damaged vectors', async ({ world, camera }) => {
    const { id } = await createRule(world, { gallery: 'default' })
    await enrolOne(world, FACE)
    const face = await enrolOne(world, FACE, { camera })
    expect(await facesOf({ ...world, missingVectors: { vectors: 1 } }, id)).toEqual([face])
  })

  it('that searches waits for the vector store, and other rules do not', async ({ world, camera }) => {
    const searching = await createRule(world, { gallery: 'default', unknown: true })
    const plain = await createRule(world)
    const face = await enrolOne(world, FACE, { camera })
    const down = { ...world, vectors: storeWith(world, { get: noAnswer }) }
    expect(await facesOf(down, searching.id)).toEqual([])
    expect(await facesOf(down, plain.id)).toEqual([face])
    const again = { length: ALERT_LIMITS.chunk }
    await insertEvents(
      world.database,
      OWNER,
      Array.from(again, () => face),
    )
    const next = await enrolOne(world, OTHER_FACE, { camera })
    expect(await facesOf(down, plain.id)).toEqual([face, next])
    expect(await facesOf(world, searching.id)).toEqual([face, next])
  })

  it('is silent about a person during the cool-down, and not about others', async ({ world, camera }) => {
    const { id } = await createRule(world, { cooldown_seconds: 3600 })
    const first = await enrolPerson(world, 7, { camera })
    await enrolPerson(world, 7, { camera })
    expect(await facesOf(world, id)).toEqual([first])
    await enrolPerson(world, 7, { camera })
    const other = await enrolPerson(world, 8, { camera })
    expect(await facesOf(world, id)).toEqual([first, other])
    const inAnHour = { ...world, nextId: idSource(() => Date.now() + 3_660_000) }
    const later = await enrolPerson(inAnHour, 7, { camera })
    expect(await facesOf(world, id)).toEqual([first, other, later])
    const afterTheClockWasAhead = await enrolPerson(world, 7, { camera })
    expect(await facesOf(world, id)).toEqual([first, other, later, afterTheClockWasAhead])
  })

  it.each([
    ['persons are off', (world: World) => world],
    [
      'all cameras recognise together',
      (world: World) => withPersons(world, { person_identify_global: true }),
    ],
  ])('is silent about a person of the gallery at a second camera while %s', async (_, withOptions) => {
    const { world: plain, camera } = await openWithCamera()
    const world = withOptions(plain)
    const cameras = [camera, await cameraOf(world), await cameraOf(world)]
    await createGallery(world, 'staff')
    for (const meta of ['Ann', 'Ann', 'Ben'])
      await enrolOne(world, meta === 'Ann' ? FACE : OTHER_FACE, { galleries: ['staff'], meta })
    const staff = await createRule(world, { gallery: 'staff', cooldown_seconds: 3600 })
    const pass = async (face: typeof FACE, from: number, to: number, services: World = world) => {
      const ids = []
      for (const camera of cameras.slice(from, to)) ids.push(await enrolOne(services, face, { camera }))
      return ids
    }
    const [ann] = await pass(FACE, 0, 2)
    expect(await facesOf(world, staff.id)).toEqual([ann])
    await pass(FACE, 2, 3)
    const [ben] = await pass(OTHER_FACE, 0, 1)
    expect(await facesOf(world, staff.id)).toEqual([ann, ben])
    await pass(OTHER_FACE, 1, 3)
    const later = { ...world, nextId: idSource(() => Date.now() + 3_660_000) }
    const [again] = await pass(FACE, 1, 2, later)
    expect(await facesOf(world, staff.id)).toEqual([ann, ben, again])
  })

  it('is silent about a stranger at a second camera when all cameras recognise together', async ({
    world: plain,
    camera,
  }) => {
    const cameras = [camera, await cameraOf(plain)]
    await createGallery(plain, 'staff')
    await enrolOne(plain, FACE, { galleries: ['staff'] })
    const strangers = await createRule(plain, { gallery: 'staff', unknown: true, cooldown_seconds: 3600 })
    const passing = async (options: Parameters<typeof withPersons>[1]) => {
      const before = (await facesOf(plain, strangers.id)).length
      const world = withPersons(plain, options)
      for (const camera of cameras) await enrolOne(world, OTHER_FACE, { camera })
      return (await facesOf(plain, strangers.id)).length - before
    }
    expect(await passing({ person_identify_global: false })).toBe(2)
    await plain.database.run('DELETE FROM deliveries')
    expect(await passing({ person_identify_global: true })).toBe(1)
  })

  it('waits while its outbox is full, and loses nothing', async ({ world, camera }) => {
    const { id } = await createRule(world)
    const face = await enrolOne(world, FACE, { camera })
    await world.database.run(`
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${ALERT_LIMITS.deliveriesPending})
      INSERT INTO deliveries (owner, alert, matches, state, created, due) SELECT '${OWNER}', '${id}', '[]', 'pending', 0, 0 FROM n`)
    await evaluate(world)
    const count = () => world.database.run(`SELECT 1 FROM deliveries WHERE face = ${face}`)
    expect((await count()).rows).toHaveLength(0)
    await world.database.run('DELETE FROM deliveries WHERE id IN (SELECT id FROM deliveries LIMIT 1)')
    await evaluate(world)
    expect((await count()).rows).toHaveLength(1)
  })
})

describe('rules', () => {
  it('are evaluated, as many as an owner may have', { tags: 'long' }, async ({ world, camera }) => {
    for (let i = 0; i < ALERT_LIMITS.rules; i++) await createRule(world)
    await expect(createRule(world)).toBeRefused('BAD_PARAM')
    await createRule(world, {}, OTHER_OWNER)
    const faces = await addPerson(
      world,
      7,
      times(ALERT_LIMITS.chunk, () => ({ camera })),
    )
    await insertEvents(world.database, OWNER, faces)
    expect(await evaluate(world)).toBe(true)
    while (await evaluate(world));
    const { rows } = await world.database.run('SELECT 1 FROM deliveries')
    expect(rows).toHaveLength(ALERT_LIMITS.rules * ALERT_LIMITS.chunk)
  })

  it('show their secret once, and keep at most three', async ({ world }) => {
    const { secret, ...rule } = await createRule(world)
    expect(await getAlert(world, rule.id)).toEqual({ alert: rule })
    for (let i = 0; i < 5; i++) await rotateAlertSecret(world, { owner: OWNER, id: rule.id })
    const [row] = (await world.database.run('SELECT secrets FROM alerts')).rows
    expect(JSON.parse(String(row!.secrets))).toHaveLength(ALERT_LIMITS.webhookSecrets)
    expect(secret).toMatch(/^whsec_[\w+/]{43}=$/)
  })
})
