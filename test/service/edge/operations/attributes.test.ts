/** Gender, age and emotions, on a service with MIEN_GAE and on one without. */
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { clientOf, form, type Send, sample } from '#bench/harness/client.ts'
import { type Service, startService } from '#bench/harness/service.ts'
import { EMOTIONS } from '#contract/model/attributes.ts'
import { FaceSchema } from '#contract/model/face.ts'
import { api as apiWithout, isBox } from '../shared.ts'

const ALL = { age: 'true', gender: 'true', emotions: 'true' }
const ATTRIBUTES = ['age', 'emotions', 'gender']
const BOX = ['x1', 'x2', 'y1', 'y2']

const isAttributed = ({ age, gender, emotions }: { age: number; gender: string; emotions: string[] }) =>
  age > 10 &&
  age < 60 &&
  gender === 'female' &&
  new Set(emotions).size === 2 &&
  emotions.every(emotion => (EMOTIONS as readonly string[]).includes(emotion))

let photo: Uint8Array<ArrayBuffer>
beforeAll(async () => {
  photo = await sample(3)
})

describe('a service with MIEN_GAE', { tags: 'long' }, () => {
  let service: Service
  let api: Send
  beforeAll(async () => {
    service = await startService({ env: { MIEN_GAE: 'true' } })
    api = clientOf(service.edge, service.token)
  })
  afterAll(async () => {
    await service.stop()
    await service.remove()
  })

  describe('POST /v1/detect', () => {
    it('adds the attributes to each box of v0, in the same order', async () => {
      const { status, body } = await api('POST', '/v1/detect', form({ photo, ...ALL }))
      expect(status).toBe(200)
      expect(body.faces.every(isAttributed)).toBe(true)
      const boxes = body.faces.map(({ age, gender, emotions, ...box }: Record<string, unknown>) => box)
      expect(boxes.every(isBox)).toBe(true)
      const plain = (await api('POST', '/v0/detect', form({ photo }))).body
      expect({ faces: boxes, orientation: body.orientation }).toEqual(plain)
    })

    it.each([
      [{ age: '1' }, ['age']],
      [{ gender: 'yes', age: 'false' }, ['gender']],
      [{ emotions: 'TRUE' }, ['emotions']],
      [{ emotions: 'true', age: 'true' }, ['age', 'emotions']],
      [{}, []],
    ])('adds for %o only the requested attributes', async (asked, fields) => {
      const { body } = await api('POST', '/v1/detect', form({ photo, ...asked }))
      expect(body.faces).toHaveLength(3)
      for (const face of body.faces) expect(Object.keys(face).sort()).toEqual([...fields, ...BOX])
    })

    it('answers the attributes for a photo that does not fit the isolate', async () => {
      const large = await sharp(photo).resize(5760).jpeg({ progressive: true, quality: 80 }).toBuffer()
      const { status, body } = await api('POST', '/v1/detect', form({ photo: new Uint8Array(large), ...ALL }))
      expect(status).toBe(200)
      expect(body.faces).toHaveLength(3)
      expect(body.faces.every(isAttributed)).toBe(true)
    })
  })

  describe('POST /v1/face', () => {
    it('stores the requested attributes with each face and answers them now and later', async () => {
      const { status, body } = await api('POST', '/v1/face', form({ photo, mf_selector: 'all', ...ALL }))
      expect(status).toBe(200)
      expect(body.results).toHaveLength(3)
      for (const result of body.results) {
        const face = FaceSchema.parse(result)
        expect(isAttributed(face as Required<typeof face>)).toBe(true)
        for (const version of ['v0', 'v1']) {
          const { age, gender, emotions } = (await api('GET', `/${version}/face/id/${face.id}`)).body
          expect({ age, gender, emotions }).toEqual({
            age: face.age,
            gender: face.gender,
            emotions: face.emotions,
          })
        }
      }
    })

    it('answers the attributes that detect answers', async () => {
      const [face] = (await api('POST', '/v1/face', form({ photo, mf_selector: 'all', ...ALL }))).body.results
      const [found] = (await api('POST', '/v1/detect', form({ photo, ...ALL }))).body.faces
      expect(face).toMatchObject({ ...found, age: expect.closeTo(found.age, 1) })
    })

    it('stores no attribute that was not requested', async () => {
      const { body } = await api('POST', '/v1/face', form({ photo, gender: 'true' }))
      const keys = Object.keys(body.results[0])
      expect(ATTRIBUTES.filter(name => keys.includes(name))).toEqual(['gender'])
    })

    it('answers a repeated Idempotency-Key with the first answer, and refuses other attributes under it', async () => {
      const key = { 'idempotency-key': 'attributes' }
      const first = await api('POST', '/v1/face', form({ photo, age: 'true' }), key)
      const repeat = await api('POST', '/v1/face', form({ photo, age: 'true' }), key)
      expect(repeat.body.results[0]).toMatchObject({
        id: first.body.results[0].id,
        age: first.body.results[0].age,
      })
      const other = await api('POST', '/v1/face', form({ photo, gender: 'true' }), key)
      expect({ status: other.status, code: other.body.code }).toEqual({ status: 400, code: 'BAD_PARAM' })
    })
  })

  it.each(['/v1', ''])('answers attributes at "%s/detect" and "%s/face"', async prefix => {
    const { faces } = (await api('POST', `${prefix}/detect`, form({ photo, ...ALL }))).body
    expect(faces.map(isAttributed)).toEqual([true, true, true])
    const { results } = (await api('POST', `${prefix}/face/`, form({ photo, ...ALL }))).body
    expect(results.map(isAttributed)).toEqual([true])
  })

  it('answers attributes for boxes of the request', async () => {
    const { faces } = (await api('POST', '/v0/detect', form({ photo }))).body
    const bbox = JSON.stringify([faces[2], faces[0]])
    const told = (await api('POST', '/v1/detect', form({ photo, bbox, ...ALL }))).body.faces
    expect(told).toMatchObject([faces[2], faces[0]])
    expect(told.map(isAttributed)).toEqual([true, true])
  })

  it('ignores the attributes at /v0/detect and /v0/face', async () => {
    const wishes = { ...ALL, age: 'perhaps' }
    const { faces } = (await api('POST', '/v0/detect', form({ photo, ...wishes }))).body
    expect(faces).toHaveLength(3)
    const { results } = (await api('POST', '/v0/face', form({ photo, ...wishes }))).body
    expect(results).toHaveLength(1)
    for (const face of [...faces, ...results])
      expect(ATTRIBUTES.filter(name => Object.keys(face).includes(name))).toEqual([])
  })
})

describe('a service without MIEN_GAE', () => {
  it.each([
    ['/detect', 'age'],
    ['/face', 'emotions'],
    ['/v1/detect', 'age'],
    ['/v1/detect', 'gender'],
    ['/v1/detect', 'emotions'],
    ['/v1/face', 'age'],
    ['/v1/face', 'gender'],
    ['/v1/face', 'emotions'],
  ])('%s refuses %s with a reason, before it reads the photo', async (path, param) => {
    const noPhoto = new TextEncoder().encode('a photo, honestly')
    const { status, body } = await apiWithout('POST', path, form({ photo: noPhoto, [param]: 'true' }))
    expect(status).toBe(400)
    expect(body).toMatchObject({ code: 'BAD_PARAM', param, reason: expect.stringContaining('gae') })
  })

  it.each(['/v1/detect', '/v1/face'])('%s accepts attributes that are false', async path => {
    const none = { age: 'false', gender: '0', emotions: 'no' }
    expect((await apiWithout('POST', path, form({ photo, ...none }))).status).toBe(200)
  })
})
