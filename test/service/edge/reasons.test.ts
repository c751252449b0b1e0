/** Reasons of refusals: they state what was expected and what to do, without texts of the validator. */
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { form, sample } from '#bench/harness/client.ts'
import { LIMITS } from '#contract/limits.ts'
import { api } from './shared.ts'

it.each([
  ['POST', '/v0/detect', {}, 'photo', /^photo: expected one photo: .*, got nothing\.$/],
  [
    'POST',
    '/v0/face',
    { photo: 'http://a.test', bbox: [10, 20, 5, 40] },
    'bbox',
    /^bbox: expected 4 numbers x1,y1,x2,y2 with x2 > x1 and y2 > y1, got \[10,20,5,40\]\.$/,
  ],
  ['POST', '/v0/galleries/a%20b', {}, 'gallery', /^gallery: expected a gallery name of .*, got "a b"\.$/],
  [
    'GET',
    '/v0/faces?max_id=x',
    undefined,
    'max_id',
    /^max_id: expected a whole number from 0 to \d+, got "x"\.$/,
  ],
  [
    'POST',
    '/v0/history/search',
    { cam_ids: Array.from({ length: 1001 }, () => 'a') },
    'cam_ids',
    /^cam_ids: expected at most 1000 UUIDs of cameras, got \["a",.*\.$/,
  ],
])('%s %s with %j answers BAD_PARAM with a reason about %s', async (method, path, values, param, reason) => {
  const { status, body } = await api(method, path, values)
  expect(status).toBe(400)
  expect(body).toMatchObject({ code: 'BAD_PARAM', param, reason: expect.stringMatching(reason) })
})

describe('a missing photo', () => {
  const URL = 'http://a.invalid/x.jpg'
  const file = new Uint8Array(9)

  it.each([
    ['a file', '/v0/face', form({ image: file }), 'photo', 'image'],
    ['a form', '/v1/identify', new URLSearchParams({ picture: URL }), 'photo', 'picture'],
    ['JSON', '/detect', { photo_url: URL }, 'photo', 'photo_url'],
    ['a query', `/v0/detect?imageUrl=${URL}`, undefined, 'photo', 'imageUrl'],
    ['an empty photo', '/v0/detect', { photo: '', file: URL }, 'photo', 'file'],
    ['another number', '/v0/verify', form({ image1: file, photo2: URL }), 'photo1', 'image1'],
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
  ['/v0/detect', 'GET', 'Use POST.'],
  ['/v0/faces', 'PUT', 'Use POST or GET.'],
  ['/v1/face/id/1', 'POST', 'Use GET, PUT or DELETE.'],
  ['/docs', 'POST', 'Use GET.'],
])('%s answers %s with the methods that it has', async (path, method, methods) => {
  const { status, body } = await api(method, path)
  expect([status, body.reason]).toEqual([405, `This path does not have this method. ${methods}`])
})

it.each([
  ['a file', form({ photo: new Uint8Array(LIMITS.photoBytes + 1) }), 'photo exceeds the limit of 10 MB.'],
  [
    'a data: URL',
    { photo: `data:image/jpeg;base64,${'A'.repeat(LIMITS.dataUrlBytes - 100)}` },
    'photo exceeds the limit of 10 MB.',
  ],
  [
    'a text',
    form({ photo: '', meta: 'a'.repeat(LIMITS.plainBodyBytes + 1) }),
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
    ['/v0/identify', { photo, mf_selector: 'reject' }, 'photo', 'bbox'],
    ['/v1/faces/gallery/default/identify', { photo }, 'photo', 'bbox'],
    ['/v0/verify', { photo1: photo, photo2: large }, 'photo1', 'bbox1'],
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

  it('are used with boxes', async () => {
    const { faces } = (await api('POST', '/v0/detect', form({ photo: large }))).body
    const { width } = await sharp(large).metadata()
    const bbox = JSON.stringify(
      faces.map(({ x1, y1, x2, y2 }: Record<string, number>) => {
        const [x, y] = [x1! + x2!, y1! + y2!].map(sum => Math.round((sum / 2) * (350 / width)))
        return [x! - 25, y! - 25, x! + 25, y! + 25]
      }),
    )
    const { results } = (await api('POST', '/v0/face', form({ photo, bbox }))).body
    expect(results).toHaveLength(3)
  })
})
