/** Reasons of refusals: they state what was expected and what to do, without texts of the validator. */
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { form, sample } from '#bench/harness/client.ts'
import { PHOTO_LIMITS } from '#contract/limits/photos.ts'
import { REQUEST_LIMITS } from '#contract/limits/requests.ts'
import { api } from './shared.ts'

describe('a missing photo', () => {
  const URL = 'http://a.invalid/x.jpg'
  const file = new Uint8Array(9)

  it.each([
    ['a file', '/v0/face', form({ image: file }), 'photo', 'image'],
    ['a query', `/v0/detect?imageUrl=${URL}`, undefined, 'photo', 'imageUrl'],
    ['the second photo', '/v0/verify', { photo1: URL, image_2: URL }, 'photo2', 'image_2'],
    ['a spelling mistake', '/v0/face', { foto: URL }, 'photo', 'foto'],
  ])('is named with the parameter that was sent in its place, in %s', async (_, path, sent, param, name) => {
    const { body } = await api('POST', path, sent)
    expect(body).toEqual({
      code: 'BAD_PARAM',
      reason: `${param}: missing. Did you mean \`${param}\` instead of \`${name}\`?`,
      param,
      value: '',
      request_id: expect.any(String),
    })
  })

  it('is not compared with an unlike parameter, nor when it is there', async () => {
    expect((await api('POST', '/v0/detect', { colour: URL })).body.reason).toMatch(/got nothing/)
    const { body } = await api('POST', '/v0/detect', { photo: 'no URL', image: URL })
    expect(body.reason).toMatch(/^photo: expected one photo: .* got "no URL"\.$/)
  })
})

it.each([
  ['a file', form({ photo: new Uint8Array(PHOTO_LIMITS.bytes + 1) }), 'photo exceeds the limit of 10 MB.'],
  [
    'a text',
    form({ photo: '', meta: 'a'.repeat(REQUEST_LIMITS.plainBodyBytes + 1) }),
    'meta exceeds the limit of 4 MB.',
  ],
  ['a body', { x: 'a'.repeat(21 * 2 ** 20) }, 'The request body exceeds the limit of 20 MB.'],
])('%s that is too large is refused with the limit', async (_, sent, reason) => {
  const { status, body } = await api('POST', '/v0/face', sent)
  expect([status, body.code, body.reason]).toEqual([413, 'PHOTO_TOO_LARGE', reason])
})

describe('faces that are too small', async () => {
  /** Sample photo 3 with faces of about 32 px. */
  const photo = new Uint8Array(
    await sharp(await sample(3))
      .resize(350)
      .extend({ bottom: 200, background: 'grey' })
      .jpeg()
      .toBuffer(),
  )
  const large = await sample(3)
  const reason = (bbox: string) =>
    expect.stringMatching(
      new RegExp(
        `\\d faces are smaller than 50 px \\(largest [234]\\d px\\)\\. Send a photo of higher resolution, or boxes of at least 50 x 50 px in \`${bbox}\`\\.$`,
      ),
    )

  it.each([
    ['/v0/face', { photo }, 'photo', 'bbox'],
    ['/v0/face', { photo, min_quality: '0.9', min_liveness: '1' }, 'photo', 'bbox'],
    ['/v1/faces', { photo, mf_selector: 'all' }, 'photo', 'bbox'],
    ['/v0/verify', { photo1: large, photo2: photo }, 'photo2', 'bbox2'],
  ])('are counted and measured by %s', async (path, sent, param, bbox) => {
    expect(await api('POST', path, form(sent))).toMatchObject({
      status: 400,
      body: { code: 'NO_FACES', reason: reason(bbox), param },
    })
  })

  it('are counted and measured by detect, with an empty list', async () => {
    const { status, body } = await api('POST', '/v0/detect', form({ photo, quality: 'true' }))
    expect({ status, body }).toEqual({
      status: 200,
      body: { faces: [], orientation: 1, reason: reason('bbox') },
    })
  })
})

describe('a face that is too poor to recognise', async () => {
  /** A face of sample photo 1, out of focus and in fog. */
  const photo = new Uint8Array(
    await sharp(await sample(1))
      .extract({ left: 780, top: 380, width: 300, height: 330 })
      .blur(12)
      .linear(0.5, 70)
      .jpeg()
      .toBuffer(),
  )

  it.each([
    ['/v0/face', { photo }, 'name it by bbox to'],
    ['/v1/identify', { photo, mf_selector: 'all' }, 'name it by bbox to'],
    ['/v0/verify', { photo1: photo, photo2: photo }, 'name it by bbox1 to'],
  ])('is no face for %s', async (path, sent, way) => {
    const { status, body } = await api('POST', path, form(sent))
    expect([status, body.code]).toEqual([400, 'NO_FACES'])
    expect(body.reason).toContain(`1 face is too poor to recognise; ${way}`)
  })

  it('is listed by detect, and stored by its box', async () => {
    const { faces } = (await api('POST', '/v0/detect', form({ photo, quality: 'true' }))).body
    expect(faces).toHaveLength(1)
    const { quality, x1, y1, x2, y2 } = faces[0]
    expect(quality.quality).toBeLessThan(0.05)
    const bbox = JSON.stringify([x1, y1, x2, y2])
    expect((await api('POST', '/v0/face', form({ photo, bbox }))).body.results).toHaveLength(1)
  })
})
