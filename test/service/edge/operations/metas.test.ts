import { beforeAll, describe, expect, it } from 'vitest'
import { form, type Send, sample } from '#bench/harness/client.ts'
import { FaceSchema, MetaEntrySchema } from '#contract/model/face.ts'
import { freshApi } from '../shared.ts'

const ANN = 'Ann Lee/ä+1%'

describe('metas', () => {
  let api: Send
  /** Ids by meta, in creation order. */
  const ids: Record<string, number[]> = {}

  beforeAll(async () => {
    api = freshApi()
    await api('POST', '/v0/galleries/g')
    const photo = await sample(4)
    for (const [meta, galleries] of [
      [ANN, 'g'],
      ['b', ''],
      ['ann lee/ä+1%', 'g'],
      [ANN, ''],
      ['b', 'g'],
      ['', 'g'],
      ['c', ''],
    ] as const) {
      const { body } = await api('POST', '/v0/face', form({ photo, meta, galleries }))
      ids[meta] = [...(ids[meta] ?? []), body.results[0].id]
    }
  })

  const idsAt = async (path: string) => {
    const { status, body } = await api('GET', path)
    expect(status).toBe(200)
    return body.results.map((face: unknown) => FaceSchema.parse(face).id)
  }

  const list = async (path: string) => {
    const { status, body } = await api('GET', path)
    expect(status).toBe(200)
    const entries = body.results.map((entry: unknown) => MetaEntrySchema.parse(entry))
    return { ...body, entries: entries.map(({ meta, count, face }: MetaEntry) => [meta, count, face.id]) }
  }
  type MetaEntry = ReturnType<typeof MetaEntrySchema.parse>
  const entry = (meta: string, count: number, first = 0) => [meta, count, ids[meta]![first]]

  it('are listed with their number of faces and first face, newest meta first, in pages', async () => {
    const { entries, prev_page, next_page } = await list('/v0/meta/')
    expect(entries).toEqual([entry('c', 1), entry('ann lee/ä+1%', 1), entry('b', 2), entry(ANN, 2)])
    expect({ prev_page, next_page }).toEqual({ prev_page: null, next_page: null })
    const first = await list('/v0/meta?limit=3')
    const second = await list(first.next_page)
    expect([...first.entries, ...second.entries]).toEqual(entries)
    expect({ first: first.prev_page, last: second.next_page }).toEqual({ first: null, last: null })
    expect((await list(second.prev_page)).entries).toEqual(first.entries)
  })

  it('are listed and counted within one gallery', async () => {
    expect((await list('/v0/meta/gallery/g')).entries).toEqual([
      entry('b', 1, 1),
      entry('ann lee/ä+1%', 1),
      entry(ANN, 1),
    ])
  })

  it.each([`/v0/face/meta/${encodeURIComponent(ANN)}`, '/faces/gallery/default/meta?meta=b'])(
    'select faces in pages forward and back when a page is asked for: %s',
    async path => {
      const [newer, older] = await idsAt(path)
      const page = (query: string) => api('GET', `${path}${path.includes('?') ? '&' : '?'}${query}`)
      const { body: first } = await page('limit=1')
      expect(first).toMatchObject({ results: [{ id: newer }], prev_page: null })
      const { body: second } = await api('GET', first.next_page)
      expect(second).toMatchObject({ results: [{ id: older }], next_page: null })
      expect((await api('GET', second.prev_page)).body).toEqual(first)
      expect((await page(`max_id=${newer}`)).body.results).toMatchObject([{ id: older }])
      expect((await page(`min_id=${older}`)).body.results).toMatchObject([{ id: newer }])
      expect(Object.keys((await api('GET', path)).body)).toEqual(['results'])
    },
  )

  it('a page beyond the last one links back to a page with results', async () => {
    for (const path of ['/v0/faces', '/v0/meta', '/v0/faces/gallery/g']) {
      const { body } = await api('GET', `${path}?max_id=1`)
      expect(body.results).toEqual([])
      expect((await api('GET', body.prev_page)).body.results.length).toBeGreaterThan(0)
    }
  })

  it.each(['/v0/faces/gallery/nowhere', '/v0/meta/gallery/nowhere', '/v0/face/gallery/nowhere/meta/b'])(
    'answer NOT_FOUND for an unknown gallery: %s',
    async path => expect((await api('GET', path)).body).toMatchObject({ code: 'NOT_FOUND' }),
  )

  it('of one gallery are deleted with their faces from all galleries, and other faces of the meta stay', async () => {
    const encoded = encodeURIComponent(ANN)
    expect((await api('DELETE', `/v0/faces/gallery/nowhere/meta/${encoded}`)).body.code).toBe('NOT_FOUND')
    const [kept, doomed] = await idsAt(`/v0/face/meta/${encoded}`)
    const { status, body } = await api('DELETE', `/v0/faces/gallery/g/meta/${encoded}/`)
    expect({ status, body }).toEqual({ status: 204, body: undefined })
    expect(await idsAt(`/v0/faces/meta/${encoded}`)).toEqual([kept])
    expect((await api('GET', `/v0/face/id/${doomed}`)).status).toBe(404)
    expect(await idsAt('/v0/faces/gallery/g')).toHaveLength(3)
    expect((await api('DELETE', `/face/gallery/default/meta/${encoded}`)).status).toBe(204)
    expect(await idsAt(`/v0/faces/meta/${encoded}`)).toEqual([])
  })
})
