import sharp from 'sharp'
import { beforeAll, describe, expect, it } from 'vitest'
import { form, sample } from '#bench/harness/client.ts'
import { api, isBox } from '../shared.ts'

describe('POST /verify', () => {
  let one: Uint8Array<ArrayBuffer>
  let other: Uint8Array<ArrayBuffer>
  beforeAll(async () => {
    one = await sample(3)
    other = await sample(4)
  })

  it('verifies a photo against itself with confidence 1', async () => {
    const { status, body } = await api('POST', '/v0/verify', form({ photo1: one, photo2: one }))
    expect(status).toBe(200)
    expect(body).toEqual({
      verified: true,
      results: [{ bbox1: expect.any(Object), bbox2: expect.any(Object), confidence: 1, verified: true }],
    })
    expect(isBox(body.results[0].bbox1) && isBox(body.results[0].bbox2)).toBe(true)
  })

  it('compares all faces with all faces in reading order, and verifies when each face of photo1 has a match', {
    tags: 'long',
  }, async () => {
    const { body } = await api(
      'POST',
      '/v0/verify',
      form({ photo1: one, photo2: one, mf_selector: 'all', threshold: 'strict' }),
    )
    expect(body.results).toHaveLength(9)
    const { faces } = (await api('POST', '/v0/detect', form({ photo: one }))).body
    expect(body.results.map((pair: { bbox1: unknown }) => pair.bbox1)).toEqual(
      [0, 0, 0, 1, 1, 1, 2, 2, 2].map(i => faces[i]),
    )
    expect(body.results.map((pair: { bbox2: unknown }) => pair.bbox2)).toEqual(
      [0, 1, 2, 0, 1, 2, 0, 1, 2].map(i => faces[i]),
    )
    const verified = body.results.map((pair: { verified: boolean }) => pair.verified)
    expect(verified).toEqual([true, false, false, false, true, false, false, false, true])
    expect(body.verified).toBe(true)
  })

  it('answers verified false when a face of photo1 has no match', { tags: 'long' }, async () => {
    const { faces } = (await api('POST', '/v0/detect', form({ photo: one }))).body
    const sent = {
      photo1: one,
      photo2: one,
      mf_selector: 'all',
      bbox2: JSON.stringify(faces[0]),
      threshold: 'strict',
    }
    const { body } = await api('POST', '/v0/verify', form(sent))
    expect(body.results.map((pair: { verified: boolean }) => pair.verified)).toEqual([true, false, false])
    expect(body.verified).toBe(false)
  })

  it('does not verify different people', async () => {
    const { body } = await api(
      'POST',
      '/v0/verify',
      form({ photo1: one, photo2: other, threshold: 'medium' }),
    )
    expect(body.verified).toBe(false)
    expect(body.results[0].confidence).toBeLessThan(0.6616)
  })

  it('gives no verdict at the threshold none, and one at 0', async () => {
    const none = await api('POST', '/v0/verify', form({ photo1: one, photo2: other, threshold: 'none' }))
    expect(Object.keys(none.body)).toEqual(['results'])
    expect(Object.keys(none.body.results[0]).sort()).toEqual(['bbox1', 'bbox2', 'confidence'])
    const zero = await api('POST', '/v0/verify', form({ photo1: one, photo2: other, threshold: '0' }))
    expect(zero.body.verified).toBe(true)
  })

  it('answers the same to the same photos, to four decimals', async () => {
    const ask = async () => (await api('POST', '/v0/verify', form({ photo1: one, photo2: other }))).body
    const first = await ask()
    expect(await ask()).toEqual(first)
    expect(first.results[0].confidence).toBe(Number(first.results[0].confidence.toFixed(4)))
  })

  it.each([
    [{ photo2: undefined }, 'photo2'],
    [{ threshold: 'lax' }, 'threshold'],
    [{ threshold: '2' }, 'threshold'],
    [{ bbox1: '{"x1": 1}' }, 'bbox1'],
    [{ bbox2: '[0, 0, 20, 20]' }, 'bbox2'],
    [{ bbox1: '[-99, 0, -1, 99]' }, 'bbox1'],
    [{ bbox2: '[0, 9000, 99, 9099]' }, 'bbox2'],
    [{ mf_selector: '1' }, 'mf_selector'],
  ])('refuses %j as BAD_PARAM naming %s', async (change, param) => {
    const sent = { photo1: one, photo2: other, ...change }
    const { status, body } = await api('POST', '/v0/verify', form(sent))
    expect(status).toBe(400)
    expect(body).toMatchObject({ code: 'BAD_PARAM', param })
  })

  it('refuses several faces with mf_selector=reject', async () => {
    const { status, body } = await api(
      'POST',
      '/v0/verify',
      form({ photo1: one, photo2: one, mf_selector: 'reject' }),
    )
    expect({ status, code: body.code, reason: body.reason }).toEqual({
      status: 400,
      code: 400,
      reason: 'Too many faces: 3',
    })
  })
})

describe.each([
  { number: 3, count: 3, angles: [-45, -30, -15, 15, 30, 45] },
  { number: 5, count: 5, angles: [-30, 45] },
  { number: 6, count: 4, angles: [-45, 30] },
] as const)('the faces on sample photo $number', { tags: 'long' }, ({ number, count, angles }) => {
  it.each(angles)('are detected and verified at medium when the photo is rotated by %i degrees', async by => {
    // Detectors of upright faces may miss one face at 45 degrees.
    const least = Math.abs(by) < 45 ? count : count - 1
    const upright = await sample(number)
    const turned = new Uint8Array(await sharp(upright).rotate(by).jpeg({ quality: 92 }).toBuffer())
    const pair = { photo1: upright, photo2: turned, mf_selector: 'all', threshold: 'medium' }
    const { status, body } = await api('POST', '/v0/verify', form(pair))
    expect(status).toBe(200)
    expect(body.results.length).toBeGreaterThanOrEqual(count * least)
    if (least === count) expect(body.verified).toBe(true)
    // Each face of the rotated photo matches a face of the upright photo.
    const known = body.results.filter(({ verified }: { verified: boolean }) => verified)
    const boxes = known.map(({ bbox2 }: { bbox2: object }) => JSON.stringify(bbox2))
    expect(new Set(boxes).size).toBeGreaterThanOrEqual(least)
  })
})
