import { MatchSchema } from '#contract/model/face.ts'
import { type Field, form, type Send, sample } from '#test/support/client.ts'
import { freshApi } from '../shared.ts'

describe('POST /identify', { tags: 'long' }, () => {
  let api: Send
  let photo: Uint8Array<ArrayBuffer>
  let faces: { x1: number; y1: number; x2: number; y2: number }[]
  const identify = (fields: Record<string, Field>, path = '/v0/identify') =>
    api('POST', path, form({ photo, ...fields }))
  const key = (i: number) => `[${faces[i]!.x1}, ${faces[i]!.y1}, ${faces[i]!.x2}, ${faces[i]!.y2}]`

  beforeAll(async () => {
    api = freshApi()
    photo = await sample(3)
    faces = (await api('POST', '/v0/detect', form({ photo }))).body.faces
    await api('POST', '/v0/galleries/friends')
    for (const [i, meta] of ['first', 'second', 'third'].entries()) {
      const galleries = i === 1 ? { galleries: 'friends' } : {}
      const sent = form({ photo, meta, bbox: JSON.stringify(faces[i]), ...galleries })
      await expect(api('POST', '/v0/face', sent)).toAnswer(200)
    }
  })

  it('finds each of several faces, with matches by falling confidence', async () => {
    const { body, headers } = await identify({ mf_selector: 'all', threshold: 'none', n: '3' })
    expect(headers.get('x-live-servers')).toMatch(/^[1-9]\d*\/[1-9]\d*$/)
    expect(Object.keys(body.results)).toEqual([key(0), key(1), key(2)])
    for (const [i, meta] of ['first', 'second', 'third'].entries()) {
      const matches = body.results[key(i)].map((match: unknown) => MatchSchema.parse(match))
      expect(matches[0].face.meta).toBe(meta)
      expect(matches[0].confidence).toBeGreaterThan(0.98)
      const confidences = matches.map((match: { confidence: number }) => match.confidence)
      expect(confidences).toEqual([...confidences].sort((a: number, b: number) => b - a))
    }
  })

  it('searches the faces in the boxes of the request, at every path', async () => {
    const search = { threshold: 'medium' }
    for (const path of ['/v0/identify', '/v1/face/gallery/default/identify']) {
      const one = await identify({ ...search, bbox: JSON.stringify(faces[1]) }, path)
      expect(Object.keys(one.body.results)).toEqual([key(1)])
      expect(one.body.results[key(1)][0].face.meta).toBe('second')
      const bbox = JSON.stringify([faces[2], Object.values(faces[0]!)])
      const two = await identify({ ...search, bbox, mf_selector: 'reject' }, path)
      expect(Object.keys(two.body.results)).toEqual([key(2), key(0)])
    }
  })

  it('searches only the named gallery, by parameter or by path', async () => {
    const search = { mf_selector: 'all', threshold: 'none', n: '0' }
    for (const answer of [
      await identify({ ...search, gallery: 'friends' }),
      await identify(search, '/face/gallery/friends/identify'),
      await identify({ ...search, gallery: 'friends' }, '/v0/faces/gallery/friends/identify/'),
    ]) {
      expect(answer.status).toBe(200)
      const found = (Object.values(answer.body.results) as { face: { meta: string } }[][]).flat()
      expect(new Set(found.map(match => match.face.meta))).toEqual(new Set(['second']))
    }
  })

  it('bounds false alarms on request, and says by which threshold', async () => {
    const { body } = await identify({ fpir: '0.001' })
    expect(body.search).toMatchObject({ fpir: 0.001, people: 3, threshold: expect.any(Number) })
    expect(Object.values(body.results)[0]).toMatchObject([{ verdict: 'certain' }])
    expect((await identify({ target: 'persons' })).body).toMatchObject({ search: { fpir: 0.01 } })
  })

  it('answers n matches, one by default, all when n is 0', async () => {
    for (const [n, count] of [
      ['2', 2],
      ['', 1],
      ['0', 3],
    ] as const) {
      const { body } = await identify({ threshold: 'none', n })
      expect(Object.values(body.results)[0], `n=${n}`).toHaveLength(count)
    }
  })
})
