import sharp from 'sharp'
import { describe, expect, inject, it } from 'vitest'
import { form, sample } from '#bench/harness/client.ts'
import { api, isBox } from '../shared.ts'

const BOX = { x1: expect.any(Number), y1: expect.any(Number), x2: expect.any(Number), y2: expect.any(Number) }

describe('POST /detect', () => {
  it.each([
    [3, 3],
    [4, 4],
    [5, 5],
    [6, 4],
  ] as const)('finds on sample photo %i its %i faces, as integer boxes', async (number, count) => {
    const { status, body } = await api('POST', '/v0/detect', form({ photo: await sample(number) }))
    expect(status).toBe(200)
    expect(body).toEqual({ faces: Array.from({ length: count }, () => BOX), orientation: 1 })
    expect(body.faces.every(isBox)).toBe(true)
  })

  it.each(['/v0/detect', '/v1/detect', '/detect'])(
    'answers the boxes of the request: %s',
    { tags: 'long' },
    async path => {
      const photo = await sample(3)
      const { faces } = (await api('POST', path, form({ photo }))).body
      const empty = { x1: -20, y1: 0, x2: 60, y2: 60 }
      const bbox = JSON.stringify([faces[2], Object.values(empty)])
      const given = await api('POST', path, form({ photo, bbox }))
      expect(given).toMatchObject({ status: 200, body: { faces: [faces[2], empty], orientation: 1 } })
      const quality = (await api('POST', path, form({ photo, bbox, quality: 'true' }))).body.faces
      expect(quality).toMatchObject([faces[2], empty])
      expect(quality[0].quality).toMatchObject({ size: expect.any(Number), yaw: expect.any(Number) })
      const corners = Object.fromEntries(
        Object.entries(faces[1]).map(([name, value]) => [name, String(value)]),
      )
      expect((await api('POST', path, form({ photo, ...corners }))).body.faces).toEqual([faces[1]])
      expect((await api('POST', path, form({ photo, bbox: '[]' }))).body.faces).toEqual(faces)
      const different = await api('POST', path, form({ photo, ...corners, bbox }))
      expect(different).toMatchObject({ status: 400, body: { code: 'BAD_PARAM', param: 'bbox' } })
    },
  )

  it.each(['[1, 2, 3]', '[0, 0, 49, 90]', '[90, 90, 10, 10]', '[9000, 1, 9100, 100]', 'a box'])(
    'refuses the box %s as BAD_PARAM',
    async bbox => {
      const { status, body } = await api('POST', '/v0/detect', form({ photo: await sample(3), bbox }))
      expect(status).toBe(400)
      expect(body).toMatchObject({ code: 'BAD_PARAM', param: 'bbox', reason: expect.any(String) })
    },
  )

  it('answers an empty list for a photo without faces', async () => {
    const sky = await sharp({ create: { width: 640, height: 480, channels: 3, background: '#79b' } })
      .jpeg()
      .toBuffer()
    const { status, body } = await api('POST', '/v0/detect', form({ photo: new Uint8Array(sky) }))
    expect({ status, body }).toEqual({ status: 200, body: { faces: [], orientation: 1 } })
  })

  it.each([
    ['a text', new TextEncoder().encode('a photo, honestly')],
    ['nothing', new Uint8Array()],
    ['a JPEG truncated in its header', null],
    ['a GIF', new TextEncoder().encode('GIF89a\u0001\u0000\u0001\u0000')],
  ])('refuses %s as BAD_IMAGE', async (_, bytes) => {
    const photo = bytes ?? (await sample(1)).slice(0, 300)
    const { status, body } = await api('POST', '/v0/detect', form({ photo }))
    expect(status).toBe(400)
    expect(body).toMatchObject({
      code: 'BAD_IMAGE',
      reason: expect.any(String),
      request_id: expect.any(String),
    })
  })

  it('analyses a photo that does not fit the isolate in core, with the same number of faces', {
    tags: 'long',
  }, async () => {
    const photo = await sharp(await sample(3))
      .resize(5760)
      .jpeg({ progressive: true, quality: 80, chromaSubsampling: '4:4:4' })
      .toBuffer()
    const { status, body } = await api('POST', '/v0/detect', form({ photo: new Uint8Array(photo) }))
    expect(status).toBe(200)
    expect(body.faces).toHaveLength(3)
  })

  it.each([
    ['missing', {}],
    ['empty', { photo: '' }],
    ['null', { photo: null }],
    ['a number', { photo: 5 }],
    ['no URL', { photo: 'a photo' }],
    ['two', { photo: ['http://a.test/1.jpg', 'http://a.test/2.jpg'] }],
  ])('refuses a photo that is %s as BAD_PARAM', async (_, sent) => {
    const { status, body } = await api('POST', '/v0/detect', sent)
    expect(status).toBe(400)
    expect(body).toMatchObject({ code: 'BAD_PARAM', param: 'photo', reason: expect.any(String) })
    expect(typeof body.value).toBe('string')
  })
})

describe('POST /detect by URL', () => {
  it.each(['JSON', 'form', 'multipart', 'query'])('fetches a photo whose URL comes as %s', async encoding => {
    const photo = `http://${inject('photoHost')}/sample3.jpg`
    const bodies = {
      JSON: { photo },
      form: new URLSearchParams({ photo }),
      multipart: form({ photo }),
      query: undefined,
    }
    const path = encoding === 'query' ? `/v0/detect?${new URLSearchParams({ photo })}` : '/v0/detect'
    const { status, body } = await api('POST', path, bodies[encoding as keyof typeof bodies])
    expect(status).toBe(200)
    expect(body.faces).toHaveLength(3)
  })

  it.each([
    'http://127.0.0.1:1/',
    'http://localhost/x.jpg',
    'http://[::1]/x.jpg',
    'file:///etc/passwd',
    'http://169.254.169.254/latest',
  ])('refuses %s as PHOTO_UNREACHABLE', async photo => {
    const { status, body } = await api('POST', '/v0/detect', { photo })
    expect({ status, code: body.code }).toEqual({ status: 400, code: 'PHOTO_UNREACHABLE' })
  })

  it.each(['redirect', 'missing'])(
    'refuses a server that answers with %s, with the same reason as a private address',
    async path => {
      const { body } = await api('POST', '/v0/detect', { photo: `http://${inject('photoHost')}/${path}` })
      const private_ = await api('POST', '/v0/detect', { photo: 'http://10.0.0.1/x.jpg' })
      expect(body.code).toBe('PHOTO_UNREACHABLE')
      expect(body.reason).toBe(private_.body.reason)
    },
  )
})
