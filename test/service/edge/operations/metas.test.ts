import * as fc from 'fast-check'
import { FACE_LIMITS } from '#contract/limits/faces.ts'
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

/** Texts with a meaning in paths, and texts that are hard for databases and encoders. */
const TROUBLE = [
  '.',
  '..',
  '%2E%2e',
  '%25',
  '/',
  '//',
  '?',
  '#',
  '\\',
  ' ',
  '+',
  '\r\n',
  '"',
  '\u0000',
  '\ud800',
  '\ufeff',
  '😀',
  'e\u0301',
  '{}',
  ':meta',
  '__proto__',
  '%ff',
  ';',
  '&meta=',
]

const piece = fc.oneof(fc.constantFrom(...TROUBLE), fc.string({ unit: 'binary', maxLength: 5 }))
const anyMeta = fc.oneof(
  fc.constantFrom(...TROUBLE),
  fc
    .array(piece, { minLength: 1, maxLength: 4 })
    .map(pieces => pieces.join(''))
    .filter(meta => meta !== ''),
)

/** Excludes the empty meta, which stands for no meta. */
const isStorable = (meta: string) =>
  meta.isWellFormed() && !meta.includes('\0') && meta !== '.' && meta !== '..'

describe('the meta of a face', { tags: 'long' }, () => {
  let api: Send
  let face: number
  let photo: Uint8Array<ArrayBuffer>
  const enrol = async (meta?: string): Promise<number> => {
    const bbox = '[5, 5, 90, 90]'
    const { id } = (await api('POST', '/v0/face', form({ photo, bbox, galleries: 'g' }))).body.results[0]
    if (meta !== undefined) await expect(api('PUT', `/v0/face/id/${id}`, { meta })).toAnswer(200)
    return id
  }
  const idsAt = async (path: string) =>
    (await api('GET', path)).body.results.map(({ id }: { id: number }) => id)

  beforeAll(async () => {
    api = freshApi()
    photo = (await photos())[0]!
    await api('POST', '/v0/galleries/g')
    face = await enrol()
    await enrol('another')
  })

  it('is refused, or returned unchanged and found under its encoded path', async () => {
    const found = async (meta: string) => {
      const { status, body } = await api('PUT', `/v0/face/id/${face}`, { meta })
      if (!isStorable(meta)) {
        expect({ status, param: body.param }).toEqual({ status: 400, param: 'meta' })
        return
      }
      expect({ status, meta: body.meta }).toEqual({ status: 200, meta })
      const encoded = encodeURIComponent(meta)
      for (const path of [
        `/v0/face/meta/${encoded}`,
        `/faces/meta/${encoded}/`,
        `/v1/face/gallery/g/meta/${encoded}`,
        `/v0/faces/gallery/g/meta/${encoded}`,
        `/v0/face/meta?meta=${encoded}`,
      ])
        expect(await idsAt(path), path).toEqual([face])
    }
    for (const meta of TROUBLE) await found(meta)
    await fc.assert(fc.asyncProperty(anyMeta, found), { numRuns: 8 })
  })

  it('of the maximum length is found, and deleted by a parameter', async () => {
    const meta = '界'.repeat(FACE_LIMITS.metaLength)
    const id = await enrol(meta)
    await expect(api('DELETE', '/v0/face/meta', { meta })).toAnswer(204)
    await expect(api('GET', `/v0/face/id/${id}`)).toAnswer(404)
  })

  it('selects the faces without a meta when it is empty', async () => {
    const unnamed = await enrol('')
    expect(await idsAt('/v0/face/meta?meta=')).toContain(unnamed)
  })
})
