/** Changes of faces: all or nothing, with matching vectors, during concurrent changes and failures. */
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import type { RpcRequest } from '#contract/operations/messages.ts'
import { metadataFaults } from '#core/metadata/row-sums.ts'
import type { Services } from '#core/operations/services.ts'
import { FACE, OTHER_OWNER, OWNER } from '#test/support/sample-faces.ts'
import { createRule } from '../alerts/shared.ts'
import { createGallery, foundFaces, getFace, getPerson, updateFace } from '../own.ts'
import { addPerson } from '../persons/crowd.ts'
import { away, emptyWorld, enrolOne, expectKept, openWorld, storeWith } from '../world.ts'

/** A face in `a` and `b`; `c` exists, too. */
async function faceInTwo() {
  const world = await emptyWorld()
  for (const gallery of ['a', 'b', 'c']) await createGallery(world, gallery)
  const id = await enrolOne(world, FACE, { galleries: ['a', 'b'], meta: 'before' })
  const update = (change: Partial<RpcRequest<'face.update'>>, services: Services = world) =>
    updateFace(services, id, { ...change })
  return { world, id, update }
}

describe('updateFace', () => {
  it('stores digits of an edge of an earlier version as a number', async () => {
    const { world, update } = await faceInTwo()
    expect((await update({ personId: '7' })).face.person_id).toBe(7)
    expect(await getPerson(world, 7)).toMatchObject({ person: { id: 7 } })
  })

  it('gives the name of the new person to a face without a meta or with the previous name', async () => {
    const { world, update } = await faceInTwo()
    await addPerson(world, 7, [], { meta: 'Ann' })
    await addPerson(world, 8, [], { meta: 'Bob' })
    expect((await update({ personId: 7 })).face.meta).toBe('before')
    expect((await update({ personId: 7, meta: '' })).face.meta).toBe('')
    expect((await update({ personId: 7 })).face.meta).toBe('Ann')
    expect((await update({ personId: 8 })).face.meta).toBe('Bob')
    expect((await update({ personId: 7, meta: 'own' })).face.meta).toBe('own')
    expect((await update({ personId: 8 })).face.meta).toBe('own')
  })

  it('mends stored texts of digits at a start, with their persons and deliveries', async () => {
    const { world, id } = await faceInTwo()
    const stored: [string, unknown][] = [
      ['"4"', 4],
      ['"004"', 4],
      ['"8"', 8],
      ['"4 a"', '4 a'],
      ['"4\\""', '4"'],
      ['""', ''],
      ['"-4"', '-4'],
      ['"4503599627370497"', '4503599627370497'],
      ['"12345678901234567"', '12345678901234567'],
    ]
    const ids = [id]
    for (const _ of stored.slice(1)) ids.push(await enrolOne(world, FACE, { meta: `meta ${ids.length}` }))
    await updateFace(world, id, { personId: 8 })
    const foreign = await enrolOne(world, FACE, { owner: OTHER_OWNER })
    const rule = await createRule(world)
    for (const [i, [text]] of stored.entries()) {
      await world.database.run(sql`UPDATE faces SET person_id = ${text} WHERE id = ${ids[i]}`)
      await world.database.run(
        sql`INSERT INTO deliveries (owner, alert, face, person, matches, state, created, due) VALUES (${OWNER}, ${rule.id}, ${ids[i]}, ${text}, '[]', 'sent', 0, 0)`,
      )
    }
    await world.database.run(sql`UPDATE faces SET person_id = '"5"' WHERE id = ${foreign}`)
    await world.close()
    const again = await openWorld(world.data)
    for (const [i, [, person_id]] of stored.entries())
      expect((await getFace(again, ids[i]!)).face.person_id).toBe(person_id)
    const { rows } = await again.database.run(sql`SELECT DISTINCT person FROM deliveries ORDER BY id LIMIT 3`)
    expect(rows.map(({ person }) => person)).toEqual(['4', '8', '"4 a"'])
    const persons = await again.database.run(sql`SELECT owner, id, meta FROM persons ORDER BY id`)
    expect(persons.rows).toMatchObject([
      { owner: OWNER, id: 4, meta: 'before' },
      { owner: OTHER_OWNER, id: 5, meta: '' },
      { owner: OWNER, id: 8, meta: 'before' },
    ])
    expect(metadataFaults(join(again.data, 'metadata.db'))).toEqual([])
  })

  it.each([
    { kind: 'add', names: ['c', 'a'], galleries: ['a', 'b', 'c'] },
    { kind: 'add', names: ['default'], galleries: ['a', 'b'] },
    { kind: 'del', names: ['a', 'c'], galleries: ['b'] },
    { kind: 'set', names: ['c', 'b', 'default', 'c'], galleries: ['b', 'c'] },
    { kind: 'set', names: [], galleries: [] },
  ] as const)(
    '$kind $names leaves the face and its vectors in $galleries',
    async ({ kind, names, galleries }) => {
      const { world, id, update } = await faceInTwo()
      const { face } = await update({ galleries: { kind, names: [...names] } })
      expect(face.galleries).toEqual(['default', ...galleries])
      await expectKept(world, { id, galleries: [...galleries] })
      for (const gallery of ['default', 'a', 'b', 'c'])
        expect(await foundFaces(world, FACE, { gallery })).toEqual(
          face.galleries.includes(gallery) ? [id] : [],
        )
    },
  )
})

it('updateFace changes a meta while a shard is unavailable', async () => {
  const { world, update } = await faceInTwo()
  const vectors = storeWith(world, { reach: away, add: away, remove: away })
  expect((await update({ meta: 'after' }, { ...world, vectors })).face.meta).toBe('after')
})
