/** findMissing names each vector and each picture that a face lacks. */

import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { findMissing, type Missing } from '#core/operations/consistency/missing.ts'
import { reconcile } from '#core/operations/consistency/reconcile.ts'
import type { Stores } from '#core/operations/services.ts'
import { FACE, OTHER_OWNER, OWNER } from '#test/support/sample-faces.ts'
import { times } from '#test/support/times.ts'
import { createGallery, enrolOne, IN_ORDER, keysOf, noAnswer, openWorld, storeWith } from '../world.ts'

async function all(stores: Stores): Promise<Missing> {
  const sum: Missing = { faces: 0, vectors: [], pictures: [] }
  for await (const { faces, vectors, pictures } of findMissing(stores)) {
    sum.faces += faces
    sum.vectors.push(...vectors)
    sum.pictures.push(...pictures)
  }
  return sum
}

/** Three faces of two owners, in galleries, among vectors without a face. */
async function threeFaces() {
  const world = await openWorld()
  await createGallery(world, 'g')
  const first = await enrolOne(world, FACE, { galleries: ['g'] })
  const second = await enrolOne(world, FACE, { galleries: ['g'] })
  const theirs = await enrolOne(world, FACE, { owner: OTHER_OWNER })
  const vector = Float32Array.of(1, 2, 3)
  const between = times(Math.min(2_500, second - first - 1), i => first + 1 + i)
  await world.vectors.add(between.map(id => ({ gallery: `${OWNER}_g`, id, vector })))
  return { world, first, second, theirs }
}

describe('findMissing', () => {
  it('reports each lost vector and picture, and keeps the face', async () => {
    const { world, first, second, theirs } = await threeFaces()
    const lost = [
      { gallery: `${OWNER}_g`, id: second },
      { gallery: `${OTHER_OWNER}_default`, id: theirs },
    ]
    await world.vectors.remove(lost)
    const folder = (first % 256).toString(16).padStart(2, '0')
    await rm(join(world.data, 'pictures', OWNER, folder, `${first}.normalized.png`))
    await rm(join(world.data, 'pictures', OTHER_OWNER), { recursive: true })
    expect(await all(world)).toEqual({
      faces: 3,
      vectors: expect.arrayContaining(lost),
      pictures: [
        { owner: OWNER, id: first, kind: 'normalized' },
        { owner: OTHER_OWNER, id: theirs, kind: 'thumbnail' },
        { owner: OTHER_OWNER, id: theirs, kind: 'normalized' },
      ],
    })
    const { vectors } = await keysOf(world)
    expect(await reconcile(world)).toEqual({ ...IN_ORDER, vectorsMissing: 1 })
    expect((await keysOf(world)).vectors, 'vectors of store operators, too').toEqual(vectors)
  })

  it('rejects while the store is unavailable', async () => {
    const { world } = await threeFaces()
    const vectors = storeWith(world, { list: noAnswer, galleries: noAnswer })
    await expect(all({ ...world, vectors })).rejects.toMatchObject({ why: 'away' })
    expect(await reconcile({ ...world, vectors })).toEqual({ ...IN_ORDER, vectorsMissing: undefined })
  })
})
