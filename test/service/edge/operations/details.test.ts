/** Optional details of a face over HTTP, quality and liveness: on request, and as a minimum. Answers without them are unchanged. */
import sharp from 'sharp'
import { LivenessScore, type Quality, QualitySchema } from '#contract/model/face-details.ts'
import { form, sample } from '#test/support/client.ts'
import { printedFace } from '#test/support/photos/printed.ts'
import { freshApi, isBox } from '../shared.ts'

const api = freshApi()
const ASKED = { quality: '1', liveness: 'true' }
let people: Uint8Array<ArrayBuffer>
let group: Uint8Array<ArrayBuffer>
let print: Uint8Array<ArrayBuffer>
beforeAll(async () => {
  people = await sample(1)
  group = await sample(3)
  print = await printedFace()
})

describe('POST /detect', { tags: 'long' }, () => {
  it('adds the requested details to each box', async () => {
    const { status, body } = await api('POST', '/v0/detect', form({ photo: people, ...ASKED }))
    expect(status).toBe(200)
    expect(body.faces).toHaveLength(3)
    for (const { quality, liveness, ...box } of body.faces) {
      expect(isBox(box)).toBe(true)
      expect(QualitySchema.parse(quality).quality).toBeGreaterThan(0.5)
      expect(LivenessScore.parse(liveness)).toBeGreaterThan(0.9)
    }
  })

  it('reports nearly the same quality for a photo that does not fit the isolate', async () => {
    const large = await sharp(group).resize(3840).jpeg({ progressive: true, quality: 80 }).toBuffer()
    const asked = { photo: new Uint8Array(large), quality: '1' }
    const { faces } = (await api('POST', '/v0/detect', form(asked))).body
    const [first] = (await api('POST', '/v0/detect', form({ photo: group, quality: '1' }))).body.faces
    const { yaw, pitch, roll, size }: Quality = first.quality
    expect(faces).toHaveLength(3)
    expect(faces[0].quality).toMatchObject({
      yaw: expect.closeTo(yaw, -1),
      pitch: expect.closeTo(pitch, -1),
      roll: expect.closeTo(roll, -1),
      size: expect.closeTo(2 * size, -2),
    })
  })
})

it('POST /face stores the requested details, and answers them now, later and for a repeated Idempotency-Key', {
  tags: 'long',
}, async () => {
  const owner = freshApi()
  const key = { 'idempotency-key': 'details' }
  const send = (asked: object) => owner('POST', '/v0/face', form({ photo: people, ...asked }), key)
  const [face] = (await send(ASKED)).body.results
  expect(QualitySchema.parse(face.quality).score).toBeGreaterThan(0.5)
  expect(LivenessScore.parse(face.liveness)).toBeGreaterThan(0.9)
  const { quality, liveness } = face
  expect((await owner('GET', `/v0/face/id/${face.id}`)).body).toMatchObject({ quality, liveness })
  expect((await send(ASKED)).body.results).toMatchObject([{ id: face.id, quality, liveness }])
  expect(await send({})).toMatchObject({ status: 400, body: { code: 'BAD_PARAM' } })
})

it('identify answers liveness under the box keys of its matches, and verify beside its boxes', async () => {
  const search = { photo: people, mf_selector: 'all' }
  const { body } = await api('POST', '/v0/identify', form({ ...search, liveness: '1' }))
  expect(Object.keys(body.liveness)).toEqual(Object.keys(body.results))
  for (const liveness of Object.values(body.liveness)) expect(liveness).toBeGreaterThan(0.9)
  expect((await api('POST', '/v0/identify', form(search))).body).not.toHaveProperty('liveness')
  const pair = { photo1: people, photo2: print }
  const [scored] = (await api('POST', '/v0/verify', form({ ...pair, liveness: '1' }))).body.results
  expect(scored.liveness1).toBeGreaterThan(0.9)
  expect(scored.liveness2).toBeLessThan(0.1)
  const [plain] = (await api('POST', '/v0/verify', form(pair))).body.results
  expect(Object.keys(plain)).toEqual(['bbox1', 'bbox2', 'confidence', 'verified'])
})

describe('min_quality', { tags: 'long' }, () => {
  const owner = freshApi()

  it('refuses a face that is too dark, reports its box and a remedy, and stores nothing', async () => {
    const dark = new Uint8Array(await sharp(group).linear(0.1, 0).jpeg({ quality: 90 }).toBuffer())
    const { status, body } = await owner('POST', '/v0/face', form({ photo: dark, min_quality: '0.98' }))
    expect(status).toBe(400)
    expect(body).toMatchObject({ code: 'LOW_QUALITY', param: 'photo' })
    expect(body.reason).toMatch(
      /^The face at \[\d+, \d+, \d+, \d+\] is too dark\. [A-Z].* min_quality is 0\.98\.$/,
    )
    expect((await owner('GET', '/v0/faces')).body.results).toEqual([])
  })

  it('refuses all faces of a photo when one is below the minimum', async () => {
    const all = (await api('POST', '/v0/detect', form({ photo: group, quality: '1' }))).body.faces
    const best = Math.max(...all.map((face: { quality: Quality }) => face.quality.quality!))
    const sent = form({ photo: group, mf_selector: 'all', min_quality: String(best) })
    expect((await owner('POST', '/v0/face', sent)).body.code).toBe('LOW_QUALITY')
    expect((await owner('GET', '/v0/faces')).body.results).toEqual([])
  })
})
