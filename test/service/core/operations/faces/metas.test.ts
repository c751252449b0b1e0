/** Pages of metas. */

import { FACE_LIMITS } from '#contract/limits/faces.ts'
import { listMetas } from '#core/operations/faces/faces.ts'
import { FACE, OWNER } from '#test/support/sample-faces.ts'
import { times } from '#test/support/times.ts'
import { addPerson } from '../persons/crowd.ts'
import { createGallery, enrolOne, it } from '../world.ts'

it('a meta is found in its gallery beside any number of others', { tags: 'long' }, async ({ world }) => {
  const others = times(FACE_LIMITS.pageSize, i => ({ meta: `Ann ${i}` }))
  await addPerson(world, 1, others)
  await createGallery(world, 'staff')
  await enrolOne(world, FACE, { meta: 'Ann Z', galleries: ['staff'] })
  const { metas } = await listMetas(world, { owner: OWNER, gallery: 'staff', name: 'ann', limit: 10 })
  expect(metas).toMatchObject([{ meta: 'Ann Z', count: 1 }])
})
