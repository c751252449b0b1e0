/** Operations on photos: detect, face, identify and verify. */

import sharp from 'sharp'
import { EMOTIONS } from '#contract/model/attributes.ts'
import { MatchSchema } from '#contract/model/face.ts'
import { type Field, form, type Send, sample } from '#test/support/client.ts'
import { times } from '#test/support/times.ts'
import { api, freshApi, isBox } from '../shared.ts'

describe('POST /face', () => {
  let photo: Uint8Array<ArrayBuffer>
  beforeAll(async () => {
    photo = await sample(3)
  })
  const post = (fields: Record<string, Field> = {}) => api('POST', '/v0/face', form({ photo, ...fields }))

  it('says how many faces it saw when it takes one of several', async () => {
    const several = await sample(1)
    const seen = async (photo: Uint8Array<ArrayBuffer>, fields: Record<string, Field> = {}) =>
      (await post({ photo, ...fields })).headers.get('x-faces-seen')
    expect(await seen(several)).toBe('3')
    expect(await seen(several, { mf_selector: 'all' })).toBeNull()
    expect(await seen(several, { bbox: '[426, 372, 605, 604]' })).toBeNull()
    const portrait = sharp(several).extract({ left: 1266, top: 43, width: 600, height: 600 })
    expect(await seen(new Uint8Array(await portrait.jpeg().toBuffer()))).toBeNull()
  })

  it('answers signed picture links that load without a token', async () => {
    const { body } = await post()
    for (const [link, type] of [
      [body.results[0].thumbnail, 'image/jpeg'],
      [body.results[0].normalized, 'image/png'],
    ]) {
      const picture = await fetch(link)
      expect(picture.status).toBe(200)
      expect(picture.headers.get('content-type')).toBe(type)
      expect(picture.headers.get('x-content-type-options')).toBe('nosniff')
      expect(picture.headers.get('cache-control')).toBe('private, no-store')
      expect((await picture.arrayBuffer()).byteLength).toBeGreaterThan(1000)
    }
  })
})

const ATTRIBUTES = { age: 'true', gender: 'true', emotions: 'true' }

const isAttributed = ({ age, gender, emotions }: { age: number; gender: string; emotions: string[] }) =>
  age > 10 &&
  age < 60 &&
  gender === 'female' &&
  new Set(emotions).size === 2 &&
  emotions.every(emotion => (EMOTIONS as readonly string[]).includes(emotion))

describe('POST /detect', () => {
  it('answers the boxes of the request', { tags: 'long' }, async () => {
    const path = '/v0/detect'
    const photo = await sample(3)
    const { faces } = (await api('POST', path, form({ photo }))).body
    const empty = { x1: -20, y1: 0, x2: 60, y2: 60 }
    const bbox = JSON.stringify([faces[2], Object.values(empty)])
    const given = await api('POST', path, form({ photo, bbox }))
    expect(given).toMatchObject({ status: 200, body: { faces: [faces[2], empty], orientation: 1 } })
    const quality = (await api('POST', path, form({ photo, bbox, quality: 'true' }))).body.faces
    expect(quality).toMatchObject([faces[2], empty])
    expect(quality[0].quality).toMatchObject({ size: expect.any(Number), yaw: expect.any(Number) })
    const corners = Object.fromEntries(Object.entries(faces[1]).map(([name, value]) => [name, String(value)]))
    expect((await api('POST', path, form({ photo, ...corners }))).body.faces).toEqual([faces[1]])
    expect((await api('POST', path, form({ photo, bbox: '[]' }))).body.faces).toEqual(faces)
  })

  it('adds attributes to the boxes in v1 and without a version, in the order of v0', {
    tags: 'long',
  }, async () => {
    const photo = await sample(3)
    const plain = (await api('POST', '/v0/detect', form({ photo }))).body
    const { faces, orientation } = (await api('POST', '/v1/detect', form({ photo, ...ATTRIBUTES }))).body
    expect(faces.every(isAttributed)).toBe(true)
    const boxes = faces.map(({ age, gender, emotions, ...box }: Record<string, unknown>) => box)
    expect(boxes.every(isBox)).toBe(true)
    expect({ faces: boxes, orientation }).toEqual(plain)
    const asked = { emotions: 'TRUE', age: '1', gender: 'no', bbox: JSON.stringify([boxes[2], boxes[0]]) }
    const some = (await api('POST', '/detect', form({ photo, ...asked }))).body.faces
    expect(some).toMatchObject([boxes[2], boxes[0]])
    for (const { age, gender, emotions } of some)
      expect([age > 10, gender, emotions.length]).toEqual([true, undefined, 2])
  })

  it('answers all large photos of a token that come at once', { tags: 'long' }, async () => {
    const large = await sharp(await sample(3))
      .resize(4_000)
      .jpeg({ progressive: true })
      .toBuffer()
    const photo = Uint8Array.from(large)
    const answers = times(5, () => api('POST', '/v0/detect', form({ photo })))
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual(Array(5).fill(200))
  })
})

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
    expect((await identify({ fpir: '1' })).body).toMatchObject({ search: { fpir: 1 } })
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

describe('POST /verify', () => {
  let one: Uint8Array<ArrayBuffer>
  let other: Uint8Array<ArrayBuffer>
  beforeAll(async () => {
    one = await sample(3)
    other = await sample(4)
  })

  const verify = (fields: Record<string, Field> = {}) =>
    api('POST', '/v0/verify', form({ photo1: one, photo2: one, ...fields }))

  it('does not verify different people', async () => {
    const { body } = await verify({ photo2: other, threshold: 'medium' })
    expect(body.verified).toBe(false)
    const [{ confidence }] = body.results
    expect(confidence).toBeLessThan(0.6616)
    expect(confidence).toBe(Number(confidence.toFixed(4)))
  })

  it('gives no verdict at the threshold none, and one at 0', async () => {
    const none = await verify({ photo2: other, threshold: 'none' })
    expect(Object.keys(none.body)).toEqual(['results'])
    expect(Object.keys(none.body.results[0]).sort()).toEqual(['bbox1', 'bbox2', 'confidence'])
    const zero = await verify({ photo2: other, threshold: '0' })
    expect(zero.body.verified).toBe(true)
  })

  it('compares a photo with a person', async () => {
    const fresh = freshApi()
    await fresh('POST', '/v0/face', form({ photo: one, person: 'Ann' }))
    const withPerson = (fields: Record<string, Field>) =>
      fresh('POST', '/v0/verify', form({ photo1: one, ...fields }))
    const { body } = await withPerson({ person_id: '1', mf_selector: 'all', threshold: 'strict' })
    const person = { id: 1, meta: 'Ann' }
    expect(body.results[0]).toEqual({
      bbox1: expect.any(Object),
      person,
      confidence: expect.any(Number),
      verified: expect.any(Boolean),
    })
    const verified = body.results.map((result: { verified: boolean }) => result.verified)
    expect(verified.toSorted()).toEqual([false, false, true])
    const verdicts = body.results.flatMap((result: { verdict?: string }) => result.verdict ?? [])
    expect(verdicts).toEqual(['certain'])
    expect(body.verified).toBe(false)
    const untouched = form({ photo1: one, person_id: '1' })
    untouched.append('photo2', new File([], ''))
    await expect(fresh('POST', '/v0/verify', untouched)).toAnswer(200)
  })
})
