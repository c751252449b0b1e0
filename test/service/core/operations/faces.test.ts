/** Pages of stored faces. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { faceOf, OTHER_OWNER, OWNER } from '#bench/harness/sample-faces.ts'
import { listFaces } from '#core/operations/faces.ts'
import { emptyWorld, enrolOne } from './world.ts'

const FACE = faceOf(1, 2, 3)

it('listFaces returns a slice of the whole list for any bounds', async () => {
  const world = await emptyWorld()
  const ids = Array.from({ length: 20 }, (_, i) => 10 * (i + 1))
  for (const id of ids) await enrolOne({ ...world, nextId: () => id }, FACE)
  await enrolOne(world, FACE, { owner: OTHER_OWNER })
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
    { numRuns: 30 },
  )
})
