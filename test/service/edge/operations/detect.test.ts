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
})
