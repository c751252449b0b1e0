/** Deletions of faces, galleries and owners: with an unavailable shard, of more faces than one batch, and after a crash. */

import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { FACE_LIMITS } from '#contract/limits/faces.ts'
import { pictureRoutes } from '#core/http/pictures.ts'
import {
  deletedOwners,
  deleteSomeOfOwner,
  markOwnerDeleted,
  ownerNamed,
} from '#core/metadata/access/owners.ts'
import { tokenOfHash } from '#core/metadata/access/tokens.ts'
import { commitEnrolment } from '#core/metadata/face-changes/enrolments.ts'
import {
  deleteFacesWithMeta,
  deleteGallery,
  deletePerson as deletePersonWithin,
  finishOwnerDeletions,
} from '#core/operations/consistency/deletions.ts'
import { vectorKeys } from '#core/operations/consistency/face-vectors.ts'
import { withIntent } from '#core/operations/consistency/intent-log.ts'
import { reconcile } from '#core/operations/consistency/reconcile.ts'
import { checkGalleries, listGalleries } from '#core/operations/galleries/galleries.ts'
import { servicesOf } from '#core/operations/services.ts'
import { pictureLink } from '#core/pictures/links.ts'
import { openStores } from '#core/stores.ts'
import { FACE, faceRow, OTHER_OWNER, OWNER, testServices } from '#test/support/sample-faces.ts'
import { times } from '#test/support/times.ts'
import { tokenIn } from '../../http/token.ts'
import { createRule } from '../alerts/shared.ts'
import {
  cameraOf,
  createGallery,
  deleteFace,
  deletePerson,
  emptyWorld,
  enrolOne,
  expectKept,
  getFace,
  IN_ORDER,
  keptOf,
  keyOf,
  keysOf,
  noAnswer,
  openWorld,
  reconcileNow,
  storeWith,
  testAlert,
  updateFace,
  type World,
  withBatches,
} from '../world.ts'

const PERSON = 7

/** A face in the gallery `g`, and every way to delete it. */
async function faceInG() {
  const world = await emptyWorld()
  await createGallery(world, 'g')
  const id = await enrolOne(world, FACE, { galleries: ['g'], meta: 'm' })
  await updateFace(world, id, { personId: PERSON })
  const deletions = {
    face: (services: World) => deleteFace(services, id),
    person: (services: World) => deletePerson(services, PERSON),
    meta: (services: World) => deleteFacesWithMeta(services, { owner: OWNER, meta: 'm' }),
    gallery: (services: World) => deleteGallery(services, { owner: OWNER, gallery: 'g' }),
  }
  return { world, id, deletions }
}

it.each(['face', 'meta', 'person', 'gallery'] as const)(
  'the deletion of a %s stands when a shard fails during it, and reconciliation removes the vectors later',
  async what => {
    const { world, id, deletions } = await faceInG()
    const vectors = storeWith(world, { remove: noAnswer })
    const answer = what === 'meta' || what === 'person' ? { faces: [id] } : {}
    expect(await deletions[what]({ ...world, vectors })).toEqual(answer)
    await expect(getFace(world, id)).toBeRefused('NOT_FOUND')
    expect(await keysOf(world)).toEqual({ vectors: keptOf({ id, galleries: ['g'] }).vectors, pictures: [] })
    expect(await reconcileNow({ ...world, vectors })).toMatchObject({ reconciled: 0, pending: 1 })
    expect(await reconcileNow(world)).toMatchObject({ reconciled: 1, vectorsRemoved: 2, pending: 0 })
    await expectKept(world)
  },
)

it('deleteGallery with a slow store hides the gallery before the answer and deletes its faces afterwards', async () => {
  const { world, id } = await faceInG()
  const held = Promise.withResolvers<void>()
  const vectors = storeWith(world, { remove: keys => held.promise.then(() => world.vectors.remove(keys)) })
  expect(await deleteGallery({ ...world, vectors }, { owner: OWNER, gallery: 'g' }, 1)).toEqual({})
  expect(await listGalleries(world, { owner: OWNER })).toEqual({ galleries: ['default'] })
  held.resolve()
  await expect.poll(() => keysOf(world)).toEqual(keptOf())
  await expect(getFace(world, id)).toBeRefused('NOT_FOUND')
})

it('deletePerson with a slow store answers once the rows are deleted, and the next start removes the rest', async () => {
  const { world, id } = await faceInG()
  const remove = () => new Promise<never>(() => {})
  const slow = { ...world, vectors: storeWith(world, { remove }), pictures: { ...world.pictures, remove } }
  const routes = pictureRoutes(world).onError(() => new Response(null, { status: 404 }))
  const link = pictureLink(world.links(), { owner: OWNER, id }, 'thumbnail', world.now())
  await expect(routes.request(`http://core${link}`)).toAnswer(200)
  const request = { owner: OWNER, id: PERSON }
  expect(await deletePersonWithin(slow, request, { answerMs: 1 })).toEqual({ faces: [id] })
  await expect(getFace(world, id)).toBeRefused('NOT_FOUND')
  await expect(routes.request(`http://core${link}`)).toAnswer(404)
  expect(await keysOf(world)).toEqual(keptOf({ id, galleries: ['g'] }))
  expect(await reconcile(world)).toMatchObject({ reconciled: 1, vectorsRemoved: 2 })
  await expectKept(world)
})

describe('deleteGallery with more faces than a batch', () => {
  const COUNT = 2 * FACE_LIMITS.reconcileBatch + 1

  /** Creates rows and vectors of many faces in `g`; every second face is also in `h`. */
  async function largeGallery() {
    const world = await emptyWorld()
    for (const gallery of ['g', 'h']) await createGallery(world, gallery)
    for (const galleries of [['g'], ['g', 'h']]) {
      const ids = times(COUNT, i => i).filter(i => i % 2 === galleries.length - 1)
      const faces = ids.map(id => faceRow(OWNER, null, { id, pictured: true }))
      await withIntent(world, work =>
        commitEnrolment(world.database, {
          work,
          owner: OWNER,
          faces,
          persons: [],
          galleries,
        }),
      )
      const keys = ids.flatMap(id => vectorKeys({ owner: OWNER, id, galleries }))
      await world.vectors.add(keys.map(key => ({ ...key, vector: Float32Array.of(1, 2, 3) })))
    }
    return world
  }

  it('hides the gallery at once, and continues at the next start after a failure', async () => {
    const world = await largeGallery()
    let batches = 0
    const broken = withBatches(world, async run => {
      if (++batches === 2) throw new Error('the disk is full')
      return run()
    })
    await expect(deleteGallery(broken, { owner: OWNER, gallery: 'g' })).rejects.toThrow('the disk is full')
    expect((await keysOf(world)).vectors.length).toBeGreaterThan(FACE_LIMITS.reconcileBatch)
    expect(await listGalleries(world, { owner: OWNER })).toEqual({ galleries: ['default', 'h'] })
    for (const verb of [checkGone, deleteAgain]) await expect(verb(world)).rejects.toThrow()
    await expect(createGallery(world, 'g')).toBeRefused('GALLERY_EXISTS')
    expect(await reconcile(world)).toEqual({ ...IN_ORDER, galleriesDeleted: 1 })
    await expectKept(world)
    await createGallery(world, 'g')
  })

  const checkGone = (world: World) =>
    checkGalleries(world, { owner: OWNER, galleries: ['g'], param: 'gallery' })
  const deleteAgain = (world: World) => deleteGallery(world, { owner: OWNER, gallery: 'g' })
})

/** Two owners with one item of each kind. */
async function furnished() {
  const world = await openWorld()
  const faces: { owner: string; id: number; galleries: string[] }[] = []
  for (const owner of [OWNER, OTHER_OWNER]) {
    await createGallery(world, 'g', { owner })
    const camera = await cameraOf(world, owner)
    const asked = { owner, camera, galleries: ['g'], ...(await keyOf('k', owner)) }
    const id = await enrolOne(world, FACE, asked)
    await updateFace(world, id, { owner, personId: 7, meta: 'm' })
    await testAlert(world, (await createRule(world, {}, owner)).id, { owner })
    faces.push({ owner, id, galleries: ['g'] })
  }
  return { world, theirs: faces[0]!, others: faces[1]! }
}

/** The number of rows of this owner in each table. */
async function rowsOf({ database }: Pick<World, 'database'>, owner: string): Promise<Record<string, number>> {
  const tables = Object.keys(NOTHING)
  const counts = tables.map(async table => {
    const { rows } = await database.run(`SELECT count(*) AS count FROM ${table} WHERE owner = '${owner}'`)
    return [table, Number(rows[0]!.count)] as const
  })
  return Object.fromEntries(await Promise.all(counts))
}

const NOTHING = {
  galleries: 0,
  cameras: 0,
  persons: 0,
  faces: 0,
  memberships: 0,
  remembered_answers: 0,
  unsettled: 0,
  tokens: 0,
  alerts: 0,
  deliveries: 0,
  push_subscriptions: 0,
  person_changes: 0,
}

describe('finishOwnerDeletions', () => {
  it('deletes everything of the owner and nothing of others', async () => {
    const { world, others } = await furnished()
    await tokenIn(world)
    const before = await rowsOf(world, OTHER_OWNER)
    // A vector of a store operator in a gallery of the owner.
    await world.vectors.add([{ gallery: `${OWNER}_default`, id: 5, vector: Float32Array.of(1, 2, 3) }])
    expect(await markOwnerDeleted(world.database, 'first')).toBe(OWNER)
    expect(await finishOwnerDeletions(world)).toBe(1)
    expect(await rowsOf(world, OWNER)).toEqual(NOTHING)
    expect(await rowsOf(world, OTHER_OWNER)).toEqual(before)
    await expectKept(world, others)
    expect(await readdir(join(world.data, 'pictures'))).not.toContain(OWNER)
    expect(await deletedOwners(world.database)).toEqual([])
    expect(await reconcile(world)).toEqual(IN_ORDER)
  })

  it('finds the tokens of the owner invalid and the name free from the beginning', async () => {
    const { world } = await furnished()
    const hash = await tokenIn(world)
    expect(await tokenOfHash(world.database, hash, 1)).toMatchObject({ owner: OWNER })
    await markOwnerDeleted(world.database, 'first')
    expect(await tokenOfHash(world.database, hash, 1)).toBeUndefined()
    expect(await markOwnerDeleted(world.database, 'first')).toBeUndefined()
    const candidate = { id: 'a'.repeat(24), name: 'first', created: 0 }
    expect(await ownerNamed(world.database, candidate)).toMatchObject({ id: candidate.id })
    await finishOwnerDeletions(world)
    expect(await listGalleries(world, { owner: candidate.id })).toEqual({ galleries: ['default'] })
  })

  it('resumes at the next start after a crash half-way', async () => {
    const { world, theirs, others } = await furnished()
    const second = await enrolOne(world, FACE)
    await markOwnerDeleted(world.database, 'first')
    const work = { id: 'broken off', since: 0 }
    expect(await deleteSomeOfOwner(world.database, work, OWNER, 1)).toEqual([theirs.id])
    await world.close()
    const stores = await openStores(world.data)
    const again = servicesOf(stores, testServices)
    expect((await keysOf(again)).vectors).toContain(`${OWNER}_default/${second}`)
    expect(await reconcile(again)).toMatchObject({ ownersDeleted: 1, vectorsMissing: 0 })
    await expectKept(again, others)
    expect(await rowsOf(again, OWNER)).toEqual(NOTHING)
    await stores.close()
  })

  it('keeps the owner marked as deleted while a shard is unavailable, and deletes it afterwards', async () => {
    const { world, others } = await furnished()
    await markOwnerDeleted(world.database, 'first')
    const lacking = { ...world, vectors: storeWith(world, { remove: noAnswer, galleries: noAnswer }) }
    expect(await finishOwnerDeletions(lacking)).toBe(0)
    expect(await rowsOf(world, OWNER)).toMatchObject({ faces: 0 })
    expect(await deletedOwners(world.database)).toEqual([OWNER])
    expect(await reconcile(world)).toMatchObject({ ownersDeleted: 1 })
    await expectKept(world, others)
  })

  it('makes a concurrent enrolment of the owner fail without remains', async () => {
    const { world, others } = await furnished()
    await markOwnerDeleted(world.database, 'first')
    await finishOwnerDeletions(world)
    await expect(enrolOne(world, FACE)).toBeRefused('AUTH_FAILED')
    await expectKept(world, others)
    expect(await rowsOf(world, OWNER)).toEqual(NOTHING)
  })
})
