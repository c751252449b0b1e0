/** Stored faces and galleries: pages, deletions, and isolation of owners. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { faceOf, OTHER_OWNER, OWNER } from '#bench/harness/sample-faces.ts'
import { deleteFace, deleteGallery } from '#core/operations/delete-faces.ts'
import { getFace, listFaces } from '#core/operations/faces.ts'
import { checkGalleries, createGallery, listGalleries } from '#core/operations/galleries.ts'
import { emptyWorld, enrolOne, kept, keptOf } from './world.ts'

const FACE = faceOf(1, 2, 3)

describe('listFaces', () => {
  it('pages down and up through all faces of the owner, newest first', async () => {
    const world = await emptyWorld()
    const all: number[] = []
    for (let i = 0; i < 7; i++) all.unshift(await enrolOne(world, FACE))
    await enrolOne(world, FACE, { owner: OTHER_OWNER })
    const page = async (request: { maxId?: number; minId?: number; limit?: number }) => {
      const { faces, newer, older } = await listFaces(world, { owner: OWNER, limit: 3, ...request })
      return { ids: faces.map(face => face.id), newer, older }
    }
    expect(await page({})).toEqual({ ids: all.slice(0, 3), newer: false, older: true })
    expect(await page({ maxId: all[2]! })).toEqual({ ids: all.slice(3, 6), newer: true, older: true })
    expect(await page({ maxId: all[5]! })).toEqual({ ids: all.slice(6), newer: true, older: false })
    expect(await page({ maxId: all[6]! })).toEqual({ ids: [], newer: true, older: false })
    expect(await page({ minId: all[6]! })).toEqual({ ids: all.slice(3, 6), newer: true, older: true })
    expect(await page({ minId: all[3]! })).toEqual({ ids: all.slice(0, 3), newer: false, older: true })
    expect(await page({ minId: all[0]! })).toEqual({ ids: [], newer: false, older: true })
    expect(await page({ limit: 1_000 })).toEqual({ ids: all, newer: false, older: false })
  })

  it('returns an empty page without faces, for any bounds', async () => {
    const world = await emptyWorld()
    for (const bounds of [{}, { maxId: 5 }, { minId: 5 }, { maxId: 0 }]) {
      const page = await listFaces(world, { owner: OWNER, limit: 3, ...bounds })
      expect(page).toEqual({ faces: [], newer: false, older: false })
    }
  })

  it('returns a slice of the whole list for any bounds', async () => {
    const world = await emptyWorld()
    const ids = Array.from({ length: 20 }, (_, i) => 10 * (i + 1))
    for (const id of ids) await enrolOne({ ...world, nextId: () => id }, FACE)
    const list = ids.toReversed()
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: 220 }),
        fc.integer({ min: 1, max: 25 }),
        async (bound, limit) => {
          const below = await listFaces(world, { owner: OWNER, maxId: bound, limit })
          const expected = list.filter(id => id < bound).slice(0, limit)
          expect(below.faces.map(face => face.id)).toEqual(expected)
          expect(below.newer).toBe(list.some(id => id >= bound))
          expect(below.older).toBe(list.filter(id => id < bound).length > limit)
          const above = await listFaces(world, { owner: OWNER, minId: bound, limit })
          expect(above.faces.map(face => face.id)).toEqual(list.filter(id => id > bound).slice(-limit))
          expect(above.newer).toBe(list.filter(id => id > bound).length > limit)
          expect(above.older).toBe(list.some(id => id <= bound))
        },
      ),
      { numRuns: 60 },
    )
  })
})

describe('deleteFace and getFace', () => {
  it('delete a face with its vectors and pictures, and answer NOT_FOUND afterwards', async () => {
    const world = await emptyWorld()
    await createGallery(world, { owner: OWNER, gallery: 'g' })
    const id = await enrolOne(world, FACE, { galleries: ['g'] })
    const other = await enrolOne(world, FACE, { galleries: ['g'] })
    expect(await deleteFace(world, { owner: OWNER, id })).toEqual({})
    expect(await kept(world)).toEqual(keptOf({ id: other, galleries: ['g'] }))
    for (const verb of [getFace, deleteFace]) {
      await expect(verb(world, { owner: OWNER, id })).rejects.toMatchObject({ code: 'NOT_FOUND', detail: {} })
    }
  })

  it('answer NOT_FOUND for a face of another owner, which stays', async () => {
    const world = await emptyWorld()
    const id = await enrolOne(world, FACE, { owner: OTHER_OWNER })
    for (const verb of [getFace, deleteFace]) {
      await expect(verb(world, { owner: OWNER, id })).rejects.toMatchObject({ code: 'NOT_FOUND', detail: {} })
    }
    expect(await getFace(world, { owner: OTHER_OWNER, id })).toMatchObject({ face: { id } })
    expect(await kept(world)).toEqual(keptOf({ owner: OTHER_OWNER, id }))
  })
})

describe('galleries', () => {
  it('are listed per owner with default first and the others sorted', async () => {
    const world = await emptyWorld()
    for (const gallery of ['b', 'A', '-']) await createGallery(world, { owner: OWNER, gallery })
    await createGallery(world, { owner: OTHER_OWNER, gallery: 'theirs' })
    expect(await listGalleries(world, { owner: OWNER })).toEqual({ galleries: ['default', '-', 'A', 'b'] })
  })

  it.each(['g', 'default'])('cannot be created twice: %s', async gallery => {
    const world = await emptyWorld()
    if (gallery !== 'default') await createGallery(world, { owner: OWNER, gallery })
    await expect(createGallery(world, { owner: OWNER, gallery })).rejects.toMatchObject({
      code: 'GALLERY_EXISTS',
    })
  })

  it('are checked, and the first missing one is named', async () => {
    const world = await emptyWorld()
    await createGallery(world, { owner: OWNER, gallery: 'g' })
    const check = (galleries: string[]) =>
      checkGalleries(world, { owner: OWNER, galleries, param: 'gallery' })
    await expect(check([])).resolves.toBeUndefined()
    await expect(check(['g', 'default'])).resolves.toBeUndefined()
    await expect(check(['g', 'y', 'x'])).rejects.toMatchObject({
      code: 'BAD_PARAM',
      detail: { param: 'gallery', value: 'y', reason: 'There is no gallery "y".' },
    })
  })

  it('are deleted with their faces in all galleries, with vectors and pictures', async () => {
    const world = await emptyWorld()
    for (const gallery of ['doomed', 'spared']) {
      for (const owner of [OWNER, OTHER_OWNER]) await createGallery(world, { owner, gallery })
    }
    await enrolOne(world, FACE, { galleries: ['doomed'] })
    await enrolOne(world, FACE, { galleries: ['doomed', 'spared'] })
    const spared = await enrolOne(world, FACE, { galleries: ['spared'] })
    const free = await enrolOne(world, FACE)
    const theirs = await enrolOne(world, FACE, { owner: OTHER_OWNER, galleries: ['doomed'] })
    await deleteGallery(world, { owner: OWNER, gallery: 'doomed' })
    expect(await kept(world)).toEqual(
      keptOf(
        { id: spared, galleries: ['spared'] },
        { id: free },
        { owner: OTHER_OWNER, id: theirs, galleries: ['doomed'] },
      ),
    )
    const { faces } = await listFaces(world, { owner: OWNER, limit: 10 })
    expect(faces.map(face => face.id)).toEqual([free, spared])
    expect(await listGalleries(world, { owner: OWNER })).toEqual({ galleries: ['default', 'spared'] })
  })

  it('can be deleted when empty, but not when unknown or default', async () => {
    const world = await emptyWorld()
    await createGallery(world, { owner: OWNER, gallery: 'g' })
    await deleteGallery(world, { owner: OWNER, gallery: 'g' })
    await expect(deleteGallery(world, { owner: OWNER, gallery: 'g' })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    })
    await expect(deleteGallery(world, { owner: OWNER, gallery: 'default' })).rejects.toMatchObject({
      code: 'BAD_PARAM',
      detail: { param: 'gallery' },
    })
  })
})
