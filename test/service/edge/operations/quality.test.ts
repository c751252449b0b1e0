/** The parameters `quality` and `min_quality`: what they add, and that answers without them are unchanged. */
import sharp, { type Sharp } from 'sharp'
import { beforeAll, describe, expect, it } from 'vitest'
import { form, sample } from '#bench/harness/client.ts'
import { FaceSchema } from '#contract/model/face.ts'
import { type Quality, QualitySchema } from '#contract/model/quality.ts'
import { api, freshApi, isBox } from '../shared.ts'

let photo: Uint8Array<ArrayBuffer>
beforeAll(async () => {
  photo = await sample(3)
})

const near = ({ score, size, yaw, pitch, roll }: Quality) => ({
  score: expect.closeTo(score!, 1),
  size: expect.closeTo(size, -1),
  yaw: expect.closeTo(yaw, -1),
  pitch: expect.closeTo(pitch, -1),
  roll: expect.closeTo(roll, -1),
})

describe.each(['/v0', '/v1', ''])('POST %s/detect', { tags: 'long' }, prefix => {
  it.each(['1', 'true', 'yes'])('with quality=%s adds the quality to each box', async quality => {
    const { status, body } = await api('POST', `${prefix}/detect`, form({ photo, quality }))
    expect(status).toBe(200)
    expect(body.faces).toHaveLength(3)
    for (const { quality, ...box } of body.faces) {
      expect(isBox(box)).toBe(true)
      expect(QualitySchema.parse(quality).score).toBeGreaterThan(0.5)
      expect(quality.quality).toBeGreaterThan(0.5)
    }
  })

  it.each([{}, { quality: '0' }, { quality: 'false' }, { quality: '' }])(
    'with %o answers boxes alone',
    async asked => {
      const { body } = await api('POST', `${prefix}/detect`, form({ photo, ...asked }))
      expect(body.faces).toHaveLength(3)
      expect(body.faces.every(isBox)).toBe(true)
    },
  )

  it('refuses a quality that is neither true nor false', async () => {
    const { status, body } = await api('POST', `${prefix}/detect`, form({ photo, quality: 'good' }))
    expect(status).toBe(400)
    expect(body).toMatchObject({ code: 'BAD_PARAM', param: 'quality', value: 'good' })
  })
})

describe('POST /detect', { tags: 'long' }, () => {
  it('reports the same quality for a photo that does not fit the isolate', async () => {
    const large = await sharp(photo).resize(5760).jpeg({ progressive: true, quality: 80 }).toBuffer()
    const asked = { photo: new Uint8Array(large), quality: '1' }
    const { faces } = (await api('POST', '/v0/detect', form(asked))).body
    const [first] = (await api('POST', '/v0/detect', form({ photo, quality: '1' }))).body.faces
    expect(faces).toHaveLength(3)
    const scaled = { ...first.quality, size: 3 * first.quality.size }
    expect({ ...faces[0].quality, size: faces[0].quality.size }).toMatchObject({
      ...near(scaled),
      size: expect.closeTo(scaled.size, -2),
    })
  })

  it('answers an empty list for a photo without faces', async () => {
    const sky = await sharp({ create: { width: 640, height: 480, channels: 3, background: '#79b' } })
      .jpeg()
      .toBuffer()
    const { body } = await api('POST', '/v0/detect', form({ photo: new Uint8Array(sky), quality: '1' }))
    expect(body).toEqual({ faces: [], orientation: 1 })
  })
})

describe('POST /face', { tags: 'long' }, () => {
  it('stores the quality with each face on request and answers it now and later', async () => {
    const { body } = await api('POST', '/v0/face', form({ photo, mf_selector: 'all', quality: '1' }))
    const detected = (await api('POST', '/v0/detect', form({ photo, quality: '1' }))).body.faces
    expect(body.results).toHaveLength(3)
    for (const [i, result] of body.results.entries()) {
      const face = FaceSchema.parse(result)
      expect(face.quality).toEqual(detected[i].quality)
      expect((await api('GET', `/v0/face/id/${face.id}`)).body.quality).toEqual(face.quality)
    }
  })

  it('stores no detection score for a box of the request', async () => {
    const [{ x1, y1, x2, y2 }] = (await api('POST', '/v0/detect', form({ photo }))).body.faces
    const bbox = JSON.stringify([x1, y1, x2, y2])
    const { body } = await api('POST', '/v0/face', form({ photo, bbox, quality: '1' }))
    expect(QualitySchema.parse(body.results[0].quality)).not.toHaveProperty('score')
  })

  it('neither stores nor answers the quality without the parameter', async () => {
    const { body } = await api('POST', '/v0/face', form({ photo }))
    expect(body.results[0]).not.toHaveProperty('quality')
    expect((await api('GET', `/v0/face/id/${body.results[0].id}`)).body).not.toHaveProperty('quality')
  })

  it('answers a repeated Idempotency-Key with the first answer and its quality', async () => {
    const key = { 'idempotency-key': 'quality' }
    const first = await api('POST', '/v0/face', form({ photo, quality: '1' }), key)
    const repeat = await api('POST', '/v0/face', form({ photo, quality: '1' }), key)
    expect(repeat.body.results[0].id).toBe(first.body.results[0].id)
    expect(repeat.body.results[0].quality).toEqual(first.body.results[0].quality)
    const other = await api('POST', '/v0/face', form({ photo }), key)
    expect({ status: other.status, code: other.body.code }).toEqual({ status: 400, code: 'BAD_PARAM' })
  })
})

describe('min_quality', { tags: 'long' }, () => {
  const owner = freshApi()
  const changed = async (change: (original: Sharp) => Sharp): Promise<Uint8Array<ArrayBuffer>> =>
    new Uint8Array(await change(sharp(photo)).jpeg({ quality: 90 }).toBuffer())

  it.each([
    { fault: 'is blurred', change: (original: Sharp) => original.blur(8) },
    { fault: 'is too dark', change: (original: Sharp) => original.linear(0.06, 0) },
  ])('refuses a face that $fault, reports its box and a remedy, and stores nothing', async one => {
    const sent = form({ photo: await changed(one.change), min_quality: '0.9' })
    const { status, body } = await owner('POST', '/v0/face', sent)
    expect(status).toBe(400)
    expect(body).toMatchObject({ code: 'LOW_QUALITY', param: 'photo' })
    expect(body.reason).toMatch(
      /^The face at \[\d+, \d+, \d+, \d+\] is [a-z ]+\. [A-Z].* min_quality is 0\.9\.$/,
    )
    expect(body.reason).toContain(one.fault)
    expect((await owner('GET', '/v0/faces')).body.results).toEqual([])
  })

  it('accepts a good face without adding its quality to the answer', async () => {
    const { status, body } = await freshApi()('POST', '/v0/face', form({ photo, min_quality: '0.8' }))
    expect(status).toBe(200)
    expect(body.results[0]).not.toHaveProperty('quality')
  })

  it('refuses all faces of a photo when one is below the minimum', async () => {
    const all = (await api('POST', '/v0/detect', form({ photo, quality: '1' }))).body.faces
    const best = Math.max(...all.map((face: { quality: Quality }) => face.quality.quality!))
    const sent = form({ photo, mf_selector: 'all', min_quality: String(best) })
    expect((await owner('POST', '/v0/face', sent)).body.code).toBe('LOW_QUALITY')
    expect((await owner('GET', '/v0/faces')).body.results).toEqual([])
  })

  it.each(['-0.1', '1.1', 'NaN', 'good', '[0.5]', '{}', 'Infinity'])(
    'refuses the value %s',
    async min_quality => {
      const { status, body } = await owner('POST', '/v0/face', form({ photo, min_quality }))
      expect(status).toBe(400)
      expect(body).toMatchObject({ code: 'BAD_PARAM', param: 'min_quality' })
    },
  )

  it.each(['detect', 'identify'])('is ignored by %s', async operation => {
    const { status, headers } = await owner('POST', `/v0/${operation}`, form({ photo, min_quality: '1' }))
    expect(status).toBe(200)
    expect(headers.get('x-ignored-parameters')).toMatch(/^min_quality/)
  })
})
