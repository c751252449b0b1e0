/** Gender, age and emotions of faces. */
import { beforeAll, describe, expect, it } from 'vitest'
import { form, sample } from '#bench/harness/client.ts'
import { EMOTIONS } from '#contract/model/attributes.ts'
import { freshApi, isBox } from '../shared.ts'

const ALL = { age: 'true', gender: 'true', emotions: 'true' }
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

  it('answers attributes for boxes of the request', async () => {
    const { faces } = (await api('POST', '/v0/detect', form({ photo }))).body
    const bbox = JSON.stringify([faces[2], faces[0]])
    const told = (await api('POST', '/v1/detect', form({ photo, bbox, ...ALL }))).body.faces
    expect(told).toMatchObject([faces[2], faces[0]])
    expect(told.map(isAttributed)).toEqual([true, true])
  })
})
