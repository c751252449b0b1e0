import sharp from 'sharp'
import { EMOTIONS } from '#contract/model/attributes.ts'
import { form, sample } from '#test/support/client.ts'
import { api, isBox } from '../shared.ts'

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
    const answers = Array.from({ length: 5 }, () => api('POST', '/v0/detect', form({ photo })))
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual(Array(5).fill(200))
  })
})
