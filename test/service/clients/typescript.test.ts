import { join } from 'node:path'
import { beforeAll, describe, expect, inject, it } from 'vitest'
import { SAMPLES, sample } from '#bench/harness/client.ts'
import { newToken } from '#bench/harness/tokens.ts'
import { boxOf, type Face, MienClient, MienError } from '#clients/typescript/src/index.ts'

const PHOTO = join(SAMPLES, 'sample1.jpg')
/** The biggest face of sample3 is the one at this place of sample1. */
const SAME = { x1: 1467, y1: 227, x2: 1675, y2: 428 }
const medium = { threshold: 'medium' } as const

const freshClient = (owner: string): MienClient =>
  new MienClient({ url: inject('edge'), token: newToken(inject('data'), owner) })

/** The code of the refusal of a call. */
const codeOf = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => 'no refusal',
    (error: unknown) => (error instanceof MienError ? error.code : error),
  )

describe('the TypeScript client', () => {
  const mien = freshClient('TypeScript client')
  let ann: Face
  beforeAll(async () => {
    await mien.galleries.create('staff')
    const photo = new Blob([await sample(3)])
    ann = (await mien.faces.enrol(photo, { meta: 'Ann/1', galleries: ['staff'] }))[0]!
  })

  it('verifies a face in a box', async () => {
    const { verified, results } = await mien.verify(PHOTO, await sample(3), { bbox1: [SAME], ...medium })
    expect([verified, results.length]).toEqual([true, 1])
  })

  it('identifies in all galleries and in one', async () => {
    const search = { ...medium, mf_selector: 'all' } as const
    for (const gallery of ['default', 'staff']) {
      const { results } = await mien.identify(PHOTO, { ...search, n: 5, gallery })
      const found = Object.entries(results).filter(([, matches]) =>
        matches.some(({ face }) => face.id === ann.id),
      )
      expect(found.map(([key]) => boxOf(key))).toEqual([SAME])
    }
    expect(await codeOf(mien.identify(PHOTO, { gallery: 'nobody' }))).toBe('BAD_PARAM')
  })

  it('lists, reads and changes faces', async () => {
    const metas = async (filter: object) => (await mien.faces.list(filter).toArray()).map(({ meta }) => meta)
    await mien.faces.enrol(PHOTO, { meta: 'Bob' })
    expect(await metas({ pageSize: 1 })).toEqual(['Bob', 'Ann/1'])
    expect(await metas({ gallery: 'staff' })).toEqual(['Ann/1'])
    expect(await metas({ meta: 'Ann/1' })).toEqual(['Ann/1'])
    expect(await metas({ meta: 'Ann/1', gallery: 'staff' })).toEqual(['Ann/1'])
    expect(await metas({ meta: 'ann/1' })).toEqual([])
    await mien.faces.update(ann.id, { meta: 'Ann', galleries: { del: ['staff'] } })
    expect(await mien.faces.get(ann.id)).toMatchObject({ meta: 'Ann', galleries: ['default'] })
    await mien.faces.update(ann.id, { galleries: { add: ['staff'] } })
  })

  it('lists metas', async () => {
    const counts = async (filter: object) =>
      (await mien.metas.list(filter).toArray()).map(({ meta, count, face }) => [meta, count, face.meta])
    expect(await counts({ pageSize: 1 })).toEqual(expect.arrayContaining([['Ann', 1, 'Ann']]))
    expect(await counts({ gallery: 'staff' })).toEqual([['Ann', 1, 'Ann']])
  })

  it('deletes faces by id and by meta', { tags: 'long' }, async () => {
    const other = freshClient('TypeScript client, deletions')
    await other.galleries.create('staff')
    const enrol = async (meta: string, galleries: string[]) =>
      (await other.faces.enrol(PHOTO, { meta, galleries }))[0]!.id
    const id = await enrol('x', [])
    await enrol('x', ['staff'])
    await enrol('y', [])
    await other.faces.delete(id)
    expect(await codeOf(other.faces.get(id))).toBe('NOT_FOUND')
    await other.faces.deleteWithMeta('x', { gallery: 'staff' })
    await other.faces.deleteWithMeta('y')
    expect(await other.faces.list().toArray()).toEqual([])
  })

  it('searches the history, and the history of a person', async () => {
    const { id } = await mien.cameras.create()
    const [first, second] = [
      await mien.faces.enrol(PHOTO, { cam_id: id, timestamp: '2026-01-02T00:00:00' }),
      await mien.faces.enrol(PHOTO, { cam_id: id, timestamp: '2026-01-03T00:00:00' }),
    ].map(faces => faces[0]!.id)
    const ids = async (filter: object) =>
      (await mien.history.search({ cam_ids: [id], pageSize: 1, ...filter }).toArray()).map(event => event.id)
    expect(await ids({})).toEqual([second, first].sort((a, b) => b! - a!))
    expect(await ids({ end: '2026-01-02T12:00:00' })).toEqual([first])
    await mien.faces.update(first!, { person_id: 77 })
    expect(await ids({ person_id: 77 })).toEqual([first])
    const events = await mien.persons.history(77, { cam_ids: [id] }).toArray()
    expect(events.map(event => event.face_id)).toEqual([first])
    expect(await mien.persons.history(77, { end: '2026-01-01' }).toArray()).toEqual([])
    expect((await mien.persons.list().toArray()).map(person => person.id)).toContain(77)
    expect(await mien.persons.get(77)).toHaveProperty('id', 77)
  })
})
