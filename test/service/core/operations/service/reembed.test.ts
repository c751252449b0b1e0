/** Conversion to another embedder: complete or without effect whenever it is killed, and limited to the vectors. */
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { DataKey } from '#core/encryption/encrypt.ts'
import { openDataKey } from '#core/encryption/folder-key.ts'
import { markOwnerDeleted } from '#core/metadata/access/owners.ts'
import { openDatabase } from '#core/metadata/database.ts'
import { reconcile } from '#core/operations/consistency/reconcile.ts'
import { convert, convertChip, dropFaces } from '#core/operations/service/reembed.ts'
import { openStores } from '#core/stores.ts'
import { recordedGeneration, recordGeneration } from '#core/vector-store/generation.ts'
import { openNextGeneration, serveNextGeneration } from '#core/vector-store/open.ts'
import type { VectorStore } from '#core/vector-store/vector-store.ts'
import { DLIB_CHIP, type EmbedderModel } from '#models/manifest.ts'
import { embedByColour, faceOf, OTHER_OWNER, OWNER } from '#test/support/sample-faces.ts'
import { expectVerified } from '#test/support/typed.ts'
import { foundIn, OPERATOR } from '#test/unit/core/backup/keys.ts'
import { letGo, temporaryFolder } from '#test/unit/core/folder.ts'
import { snapshotsOf } from '../../snapshots.ts'
import { createGallery, deleteFace, enrolOne, IN_ORDER, keysOf, openWorld } from '../world.ts'

const OLD = 'colours-3'
const NEW = 'colours-4'

const CHIP: EmbedderModel['chip'] = { template: 'arcface', size: 112, margin: 0 }

/** Returns four numbers; the old embedder returns three. */
const embed = async (chips: readonly Uint8Array[]) =>
  (await embedByColour(chips)).map(vector => Float32Array.of(...vector, 1_000))

/** Converts a closed folder. Calls `at` with its steps, for example `next.add 2` after the second addition. */
async function reembed(data: string, at: (step: string) => void = () => {}, dataKey?: DataKey) {
  const stores = await openStores(data, { dataKey, keepNext: true })
  try {
    await reconcile(stores)
    const folder = join(data, 'vectors')
    const next = await openNextGeneration(folder, NEW, { dataKey })
    at('begun')
    let additions = 0
    const counted = new Proxy(next, {
      get(target, name) {
        const value = Reflect.get(target, name, target)
        if (name !== 'add') return typeof value === 'function' ? value.bind(target) : value
        return async (...values: Parameters<VectorStore['add']>) => {
          await target.add(...values)
          at(`next.add ${++additions}`)
        }
      },
    })
    const progress: [number, number][] = []
    const lost = await convert({
      stores,
      next: counted,
      chip: CHIP,
      embed,
      onProgress: (done, total) => progress.push([done, total]),
    })
    await next.close()
    if (lost.faces.length === 0) await serveNextGeneration(folder, NEW)
    at('taken')
    return { lost, progress, additions }
  } finally {
    await stores.close()
  }
}

let data = ''
let ids: number[] = []
let everything: Awaited<ReturnType<typeof keysOf>>

/** The lengths of all vectors, after a check that all other data is unchanged. */
async function served(embedder: string) {
  const stores = await openStores(data, { embedder, keepNext: true })
  try {
    expect(await keysOf(stores)).toEqual(everything)
    const vectors = await Promise.all(
      ids.map((id, i) => stores.vectors.get({ gallery: `${i < 5 ? OWNER : OTHER_OWNER}_default`, id })),
    )
    expect(await stores.vectors.get({ gallery: 'doors', id: 7 })).toEqual(Float32Array.of(1, 2))
    expect(await reconcile(stores)).toEqual(IN_ORDER)
    return vectors.map(vector => vector!.length)
  } finally {
    await stores.close()
  }
}

describe('convert', { tags: 'long' }, () => {
  /** Faces of two owners, some in a gallery, and a vector in a gallery of a store operator. */
  beforeEach(async () => {
    const world = await openWorld()
    await createGallery(world, 'staff')
    ids = []
    for (let i = 0; i < 5; i++) {
      const galleries = i % 2 === 0 ? ['staff'] : []
      ids.push(await enrolOne(world, faceOf(40 * i, 10, 200 - 30 * i), { galleries }))
    }
    ids.push(await enrolOne(world, faceOf(250, 250, 10), { owner: OTHER_OWNER }))
    await world.vectors.add([{ gallery: 'doors', id: 7, vector: Float32Array.of(1, 2) }])
    everything = await keysOf(world)
    await world.close()
    data = world.data
    // The service records the embedder when it opens a new folder.
    await recordGeneration(join(data, 'vectors'), { number: 0, embedder: OLD })
  })

  const normalized = (id: number) =>
    join(data, 'pictures', OWNER, (id % 256).toString(16).padStart(2, '0'), `${id}.normalized.png`)

  it('replaces the vector of every face and changes nothing else; before, it changes nothing at any step, and continues there', async () => {
    const copies = await snapshotsOf(data, ['begun', 'next.add 1', 'next.add 2', 'taken'])
    const { lost, progress } = await reembed(data, copies.at)
    expect(lost).toEqual({ faces: [], faceless: 0 })
    expect(progress).toEqual([
      [0, 6],
      [6, 6],
    ])
    expect(await served(NEW)).toEqual(Array(6).fill(4))
    await expect(openStores(data, { embedder: OLD })).rejects.toMatchObject({ name: 'ConfigurationError' })
    // One addition for the faces, one for the operator's gallery.
    for (const [i, step] of ['begun', 'next.add 1', 'next.add 2'].entries()) {
      data = copies.of(step)
      expect(await served(OLD), step).toEqual(Array(6).fill(3))
      expect((await reembed(data)).additions, step).toBe(2 - i)
      expect(await served(NEW), step).toEqual(Array(6).fill(4))
    }
    data = copies.of('taken')
    expect(await served(NEW)).toEqual(Array(6).fill(4))
    expectVerified(data)
  })

  it('starts again when the service ran since it was killed: a face deleted then stays deleted', async () => {
    const copies = await snapshotsOf(data, ['next.add 1'])
    await reembed(data, copies.at)
    data = copies.of('next.add 1')
    const world = await openWorld(data)
    await deleteFace(world, ids[1]!)
    everything = await keysOf(world)
    await world.close()
    expect((await reembed(data)).lost).toEqual({ faces: [], faceless: 0 })
    const again = await openWorld(data)
    expect(await keysOf(again)).toEqual(everything)
  })

  it('goes on without the faces of an owner who was deleted since it was killed', async () => {
    const copies = await snapshotsOf(data, ['next.add 1'])
    await reembed(data, copies.at)
    data = copies.of('next.add 1')
    const database = await openDatabase(data)
    await markOwnerDeleted(database, 'second')
    database.$client.close()
    expect((await reembed(data)).additions).toBe(1)
    const again = await openWorld(data)
    const { vectors } = await keysOf(again)
    expect(vectors).toEqual(everything.vectors.filter(key => !key.startsWith(OTHER_OWNER)))
  })

  it('reports faces that it cannot convert, and changes nothing', async () => {
    await rm(normalized(ids[1]!))
    const stores = await openStores(data)
    await stores.vectors.add([{ gallery: `${OWNER}_default`, id: 99, vector: Float32Array.of(1, 2, 3) }])
    await stores.close()
    const { lost } = await reembed(data)
    expect(lost).toEqual({
      faces: [
        { id: ids[1], owner: OWNER, galleries: [], pictured: true, snapshot: false, clip: false, updates: 0 },
      ],
      faceless: 1,
    })
    expect((await recordedGeneration(join(data, 'vectors')))!.embedder).toBe(OLD)
  })

  it('removes faces that it cannot convert like deleted faces after dropFaces', async () => {
    await rm(normalized(ids[0]!))
    const stores = await openStores(data)
    await dropFaces(stores, [{ id: ids[0]!, owner: OWNER, galleries: ['staff'] }])
    await stores.close()
    expect((await reembed(data)).lost).toEqual({ faces: [], faceless: 0 })
    const after = await openStores(data, { embedder: NEW })
    await reconcile(after)
    const left = await keysOf(after)
    expect([...left.vectors, ...left.pictures].filter(trace => trace.includes(String(ids[0])))).toEqual([])
    expect(left.pictures).toHaveLength(10)
    await after.close()
  })
})

it('an encrypted folder is converted from its encrypted pictures, and stays encrypted', async () => {
  const folder = await temporaryFolder()
  const dataKey = (await openDataKey(folder, OPERATOR))!
  const world = await openWorld(folder, dataKey)
  const id = await enrolOne(world, faceOf(250, 10, 10), { meta: 'meta of Jane' })
  const expected = await keysOf(world)
  await world.close()
  await recordGeneration(join(folder, 'vectors'), { number: 0, embedder: OLD })
  await letGo()
  expect((await reembed(folder, () => {}, dataKey)).lost).toEqual({ faces: [], faceless: 0 })
  await letGo()
  const again = await openWorld(folder, dataKey)
  expect(await keysOf(again)).toEqual(expected)
  expect(await again.vectors.get({ gallery: `${OWNER}_default`, id })).toHaveLength(4)
  expect(foundIn(folder, { meta: Buffer.from('meta of Jane'), png: Buffer.from('IHDR') })).toEqual([])
})

it('convertChip shows the same face in another chip layout', () => {
  const { size } = DLIB_CHIP
  // Red and green of a pixel are its place.
  const face = new Uint8Array(3 * size ** 2)
  for (let pixel = 0; pixel < size ** 2; pixel++)
    face.set([pixel % size, Math.floor(pixel / size), 50], 3 * pixel)
  const arcface = convertChip(face, DLIB_CHIP, CHIP)
  expect(arcface).toHaveLength(112 * 112 * 3)
  // The right eye and the right corner of the mouth of both templates. Templates differ by some pixels.
  for (const { x, y, from } of [
    { x: 38, y: 52, from: { x: 47.5, y: 46.6 } },
    { x: 42, y: 92, from: { x: 50.4, y: 103 } },
  ]) {
    const [red, green, blue] = arcface.subarray(3 * (112 * y + x))
    expect([Math.abs(red! - from.x) < 4, Math.abs(green! - from.y) < 4, blue]).toEqual([true, true, 50])
  }
  expect(convertChip(face, DLIB_CHIP, { ...DLIB_CHIP })).toEqual(face)
})
