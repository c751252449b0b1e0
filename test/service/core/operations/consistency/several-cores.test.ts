/** Several cores on one database: they never repeat, divide or undo the work of another core, however slow they are. */

import { FACE_LIMITS } from '#contract/limits/faces.ts'
import { PHOTO_LIMITS } from '#contract/limits/photos.ts'
import { DEFAULT_OPTIONS } from '#core/configuration/options.ts'
import { livingCores } from '#core/metadata/connection/cores.ts'
import { takeLease } from '#core/operations/consistency/core-lease.ts'
import { enrol, prepareFaces } from '#core/operations/faces/enrol.ts'
import type { Services } from '#core/operations/services.ts'
import { enrolment, FACE, OWNER } from '#test/support/sample-faces.ts'
import { databaseServerOfTest } from '#test/support/servers/database-server.ts'
import { times } from '#test/support/times.ts'
import { openCores } from '../neighbours.ts'
import { addPerson } from '../persons/crowd.ts'
import { createGallery, deletePerson, enrolOne, expectKept, storeWith } from '../world.ts'

describe('cores that share a database server', () => {
  async function open(count: number) {
    const { url } = await databaseServerOfTest()
    return openCores(count, { url })
  }

  it('give every face its own id, even when they propose the same', async () => {
    const cores = (await open(2)).map(core => {
      let id = 1_000
      return { ...core, nextId: () => ++id }
    })
    const ids = await Promise.all([...cores, ...cores].map(core => enrolOne(core, FACE)))
    expect(new Set(ids).size).toBe(4)
    await expectKept(cores[0]!, ...ids.map(id => ({ id })))
  })

  // A server has closer bounds than a file: of statements and of the time of a transaction.
  it('store the most faces in the most galleries, and delete a batch of faces beside them', {
    tags: 'long',
  }, async () => {
    const [core] = (await open(1)) as [Services]
    // Pictures and vectors would take most of the time.
    const vectors = storeWith(core, { add: async () => {}, remove: async () => [] })
    const keep = { pictures: false, photoNames: true }
    const world = { ...core, vectors, keep, options: DEFAULT_OPTIONS }
    const galleries = times(FACE_LIMITS.galleriesPerRequest, i => `g${i}`)
    for (const gallery of galleries) await createGallery(world, gallery)
    const count = PHOTO_LIMITS.selectedFaces
    const all = { preparation: '5f0c8f0e-6f0b-4f5e-9d5a-0a3f0f9b8c7d', count, galleries }
    const request = enrolment(count, all)
    const thumbnails = request.faces.map(({ thumbnail }) => thumbnail)
    await prepareFaces(world, { ...all, owner: OWNER, from: 0, thumbnails }, Array(count).fill(FACE))
    const { faces } = await enrol(world, request, [])
    expect(new Set(faces.map(({ id }) => id)).size).toBe(count)
    expect(faces.at(-1).galleries).toHaveLength(galleries.length + 1)
    const batch = FACE_LIMITS.reconcileBatch
    await addPerson(world, 7, batch)
    expect((await deletePerson(world, 7)).faces).toHaveLength(batch)
  })
})

const mine = { embedder: 'mine-1', links: ['a', 'b'], bucket: 'https://s3.test/faces/' }

it.each([
  { what: 'another embedder', differing: { embedder: 'theirs-1' }, fault: 'embeds with mine-1' },
  { what: 'another key of picture links', differing: { links: ['c'] }, fault: 'copy its secrets.json' },
  {
    what: 'pictures in another bucket',
    differing: { bucket: 'https://s3.test/others/' },
    fault:
      'keeps pictures in the bucket at https://s3.test/faces/, and this one in the bucket at https://s3.test/others/',
  },
])('takeLease beside another core refuses $what and leaves no trace', async ({ differing, fault }) => {
  const theirs = { ...mine, ...differing }
  const [one] = (await openCores(1)) as [Services]
  const lease = await takeLease(one.database, () => mine)
  await expect(takeLease(one.database, () => theirs)).rejects.toThrow(fault)
  await (await takeLease(one.database, () => ({ ...mine, links: ['b', 'c'] }))).end()
  expect(await livingCores(one.database)).toHaveLength(2)
  await lease.end()
  await (await takeLease(one.database, () => theirs)).end()
})
