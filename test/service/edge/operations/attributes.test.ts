/** Gender, age and emotions of faces. */
import { beforeAll, describe, expect, it } from 'vitest'
import { form, sample } from '#bench/harness/client.ts'
import { EMOTIONS } from '#contract/model/attributes.ts'
import { FaceSchema } from '#contract/model/face.ts'
import { freshApi, isBox } from '../shared.ts'

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

describe('attributes', { tags: 'long' }, () => {
  const api = freshApi()

  describe('POST /v1/detect', () => {
    it('adds the attributes to each box of v0, in the same order', async () => {
      const { status, body } = await api('POST', '/v1/detect', form({ photo, ...ALL }))
      expect(status).toBe(200)
      expect(body.faces.every(isAttributed)).toBe(true)
      const boxes = body.faces.map(({ age, gender, emotions, ...box }: Record<string, unknown>) => box)
      expect(boxes.every(isBox)).toBe(true)
      const plain = (await api('POST', '/v0/detect', form({ photo }))).body
      expect({ faces: boxes, orientation: body.orientation }).toEqual(plain)
      // A path without a version is a path of v1.
      const asked = { emotions: 'TRUE', age: '1', gender: 'no' }
      const { faces } = (await api('POST', '/detect', form({ photo, ...asked }))).body
      for (const face of faces) expect(Object.keys(face).sort()).toEqual(['age', 'emotions', ...BOX])
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
