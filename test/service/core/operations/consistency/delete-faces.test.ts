/** Deletions with an unavailable shard, and deletions of more faces than one batch. */
import { FACE_LIMITS } from '#contract/limits/faces.ts'
import { commitEnrolment } from '#core/metadata/faces/changes/enrolments.ts'
import { deleteFacesWithMeta, deleteGallery } from '#core/operations/consistency/deletions.ts'
import { vectorKeys } from '#core/operations/consistency/face-vectors.ts'
import { withIntent } from '#core/operations/consistency/intent-log.ts'
import { reconcile } from '#core/operations/consistency/reconcile.ts'
import { checkGalleries, listGalleries } from '#core/operations/galleries/galleries.ts'
import { faceOf, OWNER } from '#test/support/sample-faces.ts'
import { createGallery, deleteFace, deletePerson, getFace, updateFace } from '../own.ts'
import { faceRow } from '../persons/crowd.ts'
import {
  away,
  emptyWorld,
  enrolOne,
  expectKept,
  IN_ORDER,
  kept,
  keptOf,
  reconcileNow,
  storeWith,
  type World,
  withBatches,
} from '../world.ts'

const FACE = faceOf(1, 2, 3)
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
    const vectors = storeWith(world, { remove: away })
    const answer = what === 'meta' || what === 'person' ? { faces: [id] } : {}
    expect(await deletions[what]({ ...world, vectors })).toEqual(answer)
    await expect(getFace(world, id)).toBeRefused('NOT_FOUND')
    expect(await kept(world)).toEqual({ vectors: keptOf({ id, galleries: ['g'] }).vectors, pictures: [] })
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
  await expect.poll(() => kept(world)).toEqual(keptOf())
  await expect(getFace(world, id)).toBeRefused('NOT_FOUND')
})

describe('deleteGallery with more faces than a batch', () => {
  const COUNT = 2 * FACE_LIMITS.reconcileBatch + 1

  /** Creates rows and vectors of many faces in `g`; every second face is also in `h`. */
  async function largeGallery() {
    const world = await emptyWorld()
    for (const gallery of ['g', 'h']) await createGallery(world, gallery)
    for (const galleries of [['g'], ['g', 'h']]) {
      const ids = Array.from({ length: COUNT }, (_, i) => i).filter(i => i % 2 === galleries.length - 1)
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
    expect((await kept(world)).vectors.length).toBeGreaterThan(FACE_LIMITS.reconcileBatch)
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
