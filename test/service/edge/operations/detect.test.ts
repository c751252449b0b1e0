import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { form, sample } from '#bench/harness/client.ts'
import { api } from '../shared.ts'

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
    const different = await api('POST', path, form({ photo, ...corners, bbox }))
    expect(different).toMatchObject({ status: 400, body: { code: 'BAD_PARAM', param: 'bbox' } })
  })

  it.each([
    ['a line of 16,384 pixels', 16_384, 1],
    ['a column of 14,000 pixels', 4, 14_000],
    ['a plain picture of 4 pixels', 4, 4],
  ])('finds nothing in %s', async (_, width, height) => {
    const background = { r: 40, g: 70, b: 224 }
    const picture = await sharp({ create: { width, height, channels: 3, background } })
      .png()
      .toBuffer()
    const { status, body } = await api('POST', '/v0/detect', form({ photo: Uint8Array.from(picture) }))
    expect({ status, faces: body.faces }).toEqual({ status: 200, faces: [] })
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
