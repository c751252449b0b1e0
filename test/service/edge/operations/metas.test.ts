import { FaceSchema, MetaEntrySchema } from '#contract/model/face.ts'
import { photos } from '#test/contract/requests.ts'
import { form, type Send } from '#test/support/client.ts'
import { freshApi } from '../shared.ts'

const ANN = 'Ann Lee/ä+1%'

describe('metas', () => {
  let api: Send
  /** Ids by meta, in creation order. */
  const ids: Record<string, number[]> = {}

  beforeAll(async () => {
    api = freshApi()
    await api('POST', '/v0/galleries/g')
    const [photo] = await photos()
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

  it('are listed with their number of faces and first face, newest meta first', async () => {
    const { entries, prev_page, next_page } = await list('/v0/meta/')
    expect(entries).toEqual([entry('c', 1), entry('ann lee/ä+1%', 1), entry('b', 2), entry(ANN, 2)])
    expect({ prev_page, next_page }).toEqual({ prev_page: null, next_page: null })
  })

  it('are listed and counted within one gallery', async () => {
    expect((await list('/v0/meta/gallery/g')).entries).toEqual([
      entry('b', 1, 1),
      entry('ann lee/ä+1%', 1),
      entry(ANN, 1),
    ])
  })

  it('are found by their words in any order, case and accents aside', async () => {
    const found = await list('/v0/meta?name=A%2B1%20LEE&limit=1')
    expect(found.entries).toEqual([entry('ann lee/ä+1%', 1)])
    expect((await list(found.next_page)).entries).toEqual([entry(ANN, 2)])
    expect((await list('/v0/meta/gallery/g?name=b')).entries).toEqual([entry('b', 1, 1)])
  })

  it('of one gallery are deleted with their faces from all galleries, and other faces of the meta stay', async () => {
    const encoded = encodeURIComponent(ANN)
    const [kept, doomed] = await idsAt(`/v0/face/meta/${encoded}`)
    const { status, body } = await api('DELETE', `/v0/faces/gallery/g/meta/${encoded}/`)
    expect({ status, body }).toEqual({ status: 204, body: undefined })
    expect(await idsAt(`/v0/faces/meta/${encoded}`)).toEqual([kept])
    await expect(api('GET', `/v0/face/id/${doomed}`)).toAnswer(404)
    expect(await idsAt('/v0/faces/gallery/g')).toHaveLength(3)
    await expect(api('DELETE', `/face/gallery/default/meta/${encoded}`)).toAnswer(204)
    expect(await idsAt(`/v0/faces/meta/${encoded}`)).toEqual([])
  })
})
