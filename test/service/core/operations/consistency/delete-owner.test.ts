/** Deletion of an owner: complete, limited to the owner, and resumed after a crash. */
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import {
  deletedOwners,
  deleteSomeOfOwner,
  markOwnerDeleted,
  ownerNamed,
} from '#core/metadata/access/owners.ts'
import { tokenOfHash } from '#core/metadata/access/tokens.ts'
import { finishOwnerDeletions } from '#core/operations/consistency/deletions.ts'
import { reconcile } from '#core/operations/consistency/reconcile.ts'
import { listGalleries } from '#core/operations/galleries/galleries.ts'
import { servicesOf } from '#core/operations/services.ts'
import { openStores } from '#core/stores.ts'
import { faceOf, given, OTHER_OWNER, OWNER } from '#test/support/sample-faces.ts'
import { tokenIn } from '../../http/token.ts'
import { createRule } from '../alerts/shared.ts'
import { createGallery, testAlert, updateFace } from '../own.ts'
import {
  away,
  cameraOf,
  enrolOne,
  expectKept,
  IN_ORDER,
  kept,
  keyed,
  openWorld,
  storeWith,
  type World,
} from '../world.ts'

const FACE = faceOf(1, 2, 3)

/** Two owners with one item of each kind. */
async function furnished() {
  const world = await openWorld()
  const faces: { owner: string; id: number; galleries: string[] }[] = []
  for (const owner of [OWNER, OTHER_OWNER]) {
    await createGallery(world, 'g', { owner })
    const camera = await cameraOf(world, owner)
    const asked = { owner, camera, galleries: ['g'], ...(await keyed('k', owner)) }
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
  ...{ galleries: 0, cameras: 0, persons: 0, faces: 0, memberships: 0 },
  ...{ remembered_answers: 0, unsettled: 0, tokens: 0, alerts: 0, deliveries: 0, push_subscriptions: 0 },
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
    const again = servicesOf(stores, given)
    expect((await kept(again)).vectors).toContain(`${OWNER}_default/${second}`)
    expect(await reconcile(again)).toMatchObject({ ownersDeleted: 1, vectorsMissing: 0 })
    await expectKept(again, others)
    expect(await rowsOf(again, OWNER)).toEqual(NOTHING)
    await stores.close()
  })

  it('keeps the owner marked as deleted while a shard is unavailable, and deletes it afterwards', async () => {
    const { world, others } = await furnished()
    await markOwnerDeleted(world.database, 'first')
    const lacking = { ...world, vectors: storeWith(world, { remove: away, galleries: away }) }
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
