import * as fc from 'fast-check'
import * as z from 'zod'
import { PHOTO_LIMITS } from '#contract/limits/photos.ts'
import { REQUEST_LIMITS } from '#contract/limits/requests.ts'
import { cameraIds, galleries } from '#contract/parameters/ids.ts'
import { boxes, photo, Upload } from '#contract/parameters/photos.ts'
import { admission } from '#edge/admission/admission.ts'
import { knownParameters } from '#edge/parameters/known-parameters.ts'
import { readParameters } from '#edge/parameters/read-parameters.ts'

const once = z.string().optional()
const KNOWN = knownParameters(
  z.object({
    photo,
    meta: once,
    n: once,
    threshold: once,
    max_id: once,
    bbox: boxes,
    galleries,
    cam_ids: cameraIds,
  }),
  ['face0'],
)

const read = async (request: Request, known = KNOWN) =>
  readParameters(request, await admission().acquire('a token', 0), known)

const parametersOf = async (request: Request) => (await read(request)).parameters

const URL_ = 'http://mien.test/v0/face'
const post = (body: BodyInit, type?: string, query = '') =>
  new Request(URL_ + query, { method: 'POST', body, ...(type ? { headers: { 'content-type': type } } : {}) })

/** Each character is a byte. */
const bytesOf = (text: string) => Uint8Array.from(text, character => character.charCodeAt(0))

const form = (fields: Record<string, string | Blob>) => {
  const data = new FormData()
  for (const [name, value] of Object.entries(fields)) data.append(name, value)
  return data
}

describe('readParameters', () => {
  it('prefers parameters of a multipart body to parameters of the query', async () => {
    expect(await parametersOf(post(form({ n: '2' }), undefined, '?n=1&threshold=low'))).toEqual({
      n: '2',
      threshold: 'low',
    })
  })

  it.each(['null', '0', '[]', '""', 'false', '"x"', '[1]'])(
    'reads no parameters from the JSON body %s of a GET and a DELETE',
    async body => {
      for (const method of ['GET', 'DELETE']) {
        const { url, headers, body: stream } = post(body, 'application/json', '?n=1')
        // Node refuses to make a GET with a body.
        const request = { method, url, headers, body: stream } as Request
        expect(await parametersOf(request)).toEqual({ n: '1' })
      }
    },
  )

  it('reads no parameters from a blank JSON body where all are optional, and from any where there are none', async () => {
    const optional = knownParameters(z.object({ id: z.string(), n: once }), [], ['id'])
    const none = knownParameters(z.object({ id: z.string() }), [], ['id'])
    for (const body of ['null', '0', '[]', '""']) {
      expect((await read(post(body, 'application/json'), optional)).parameters).toEqual({})
      await expect(read(post(body, 'application/json'))).toBeRefused('MALFORMED_JSON')
    }
    expect((await read(post('[1]', 'application/json'), none)).parameters).toEqual({})
    await expect(read(post('[1]', 'application/json'), optional)).toBeRefused('MALFORMED_JSON')
  })

  it('reads an empty multipart body without a boundary', async () => {
    expect(await parametersOf(post('', 'multipart/form-data'))).toEqual({})
  })

  it('takes a parameter that is null in the body from the query', async () => {
    const body = '{"n": null, "photo": null, "meta": ""}'
    expect(
      await parametersOf(post(body, 'application/json', '?n=1&meta=a&photo=http://a.test/x.jpg')),
    ).toEqual({
      n: '1',
      meta: '',
      photo: 'http://a.test/x.jpg',
    })
  })

  it.each(['gzip', 'BR', 'identity, deflate'])(
    'refuses a body with the content encoding %s',
    async encoding => {
      for (const body of [form({ n: '1' }), '{"n": 1}']) {
        const request = post(body, undefined, '')
        request.headers.set('content-encoding', encoding)
        await expect(read(request)).toBeRefused('UNSUPPORTED_MEDIA_TYPE')
      }
      const plain = post('{"n": 1}')
      plain.headers.set('content-encoding', 'Identity')
      expect(await parametersOf(plain)).toEqual({ n: 1 })
    },
  )

  it('takes a photo of PHOTO_LIMITS.bytes', async () => {
    const fits = await parametersOf(post(form({ photo: new Blob([new Uint8Array(PHOTO_LIMITS.bytes)]) })))
    expect((fits.photo as Upload).bytes.length).toBe(PHOTO_LIMITS.bytes)
  })

  it.each([
    [
      'JSON',
      post(
        '{"__proto__": {"polluted": 1}, "constructor": 2, "bbox": {"__proto__": {"polluted": 1}}}',
        'application/json',
      ),
    ],
    ['a query', new Request(`${URL_}?__proto__[polluted]=1&bbox[constructor][prototype][polluted]=1`)],
    ['a multipart body', post(form({ '__proto__[polluted]': '1', 'bbox[][__proto__][polluted]': '1' }))],
  ])('never changes Object.prototype from %s', async (_, request) => {
    const { parameters, unknown } = await read(request)
    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
    expect(Object.keys(parameters)).toEqual(['bbox'])
    expect(unknown).toContain('__proto__')
  })

  it('reads any bytes, or refuses them as MALFORMED_JSON or BAD_PARAM', async () => {
    const types = [
      'application/json',
      'multipart/form-data; boundary=b',
      'application/x-www-form-urlencoded',
      'image/jpeg',
    ]
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 400 }), fc.constantFrom(...types), async (bytes, type) => {
        const outcome = await parametersOf(post(bytes as BodyInit, type)).catch(
          (error: { code: string }) => error.code,
        )
        if (typeof outcome === 'string') expect(['MALFORMED_JSON', 'BAD_PARAM']).toContain(outcome)
      }),
    )
  })

  const large = new Uint8Array(PHOTO_LIMITS.bytes + 1)
  const json = (body: string) => post(bytesOf(body), 'application/json')
  const part = (name: string, content: string) => {
    const head = `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n`
    return post(bytesOf(`${head}${content}\r\n--b--`), 'multipart/form-data; boundary=b')
  }
  const fileAs = (name: string) => post(form({ [name]: new File(['[1]'], 'x.txt') }))
  const query = (text: string) => new Request(`${URL_}?${text}`)

  /** Requests by code, parameter and a part of the reason. */
  const REFUSED: Record<string, Request[]> = {
    MALFORMED_JSON: [json('{"n": 1'), json('[1]'), json('12')],
    'MALFORMED_JSON UTF-8': [json('{"meta": "\xff"}')],
    'BAD_PARAM meta UTF-8': [
      post('meta=%FF', 'application/x-www-form-urlencoded'),
      query('meta=%C3'),
      part('meta', '\xff'),
    ],
    'BAD_PARAM n': [
      query('n=1&n=2'),
      json('{"n": 1, "n": 2}'),
      json('{"n": 1, "\\u006e[]": 2}'),
      fileAs('n'),
    ],
    'BAD_PARAM meta': [fileAs('meta')],
    'BAD_PARAM body': [post('--b--', 'multipart/form-data')],
    'BAD_PARAM bbox': [fileAs('bbox'), fileAs('bbox[0][x1]')],
    'BAD_PARAM galleries': [fileAs('galleries[]')],
    PHOTO_TOO_LARGE: [
      post(form({ photo: new Blob([large]) })),
      part('photo', '\xff'.repeat(large.length)),
      post(large, 'image/png'),
      post(large),
    ],
  }

  it.each(
    Object.entries(REFUSED).flatMap(([answer, requests]) =>
      requests.map((request, i) => ({ answer, i, request })),
    ),
  )('refuses a request with $answer: $i', async ({ answer, request }) => {
    const { code, detail } = await read(request).catch(error => error)
    const [expected, param] = answer.split(' ')
    const isNamed = param !== undefined && param !== 'UTF-8'
    expect([code, isNamed ? detail.param : undefined]).toEqual([expected, isNamed ? param : undefined])
    if (answer.endsWith('UTF-8')) expect(detail.reason).toContain('UTF-8')
  })

  it.each(['image/png', undefined])(
    'refuses a body of the type %s for two photos, and says why',
    async type => {
      const refused = read(post(bytesOf('\xff\xd8{'), type), { ...KNOWN, photos: ['photo1', 'photo2'] })
      const detail = { param: 'photo1', reason: expect.stringContaining('takes two') }
      await expect(refused).rejects.toMatchObject({ code: 'BAD_PARAM', detail })
    },
  )

  it('reports unknown parameters, and not the unused ones', async () => {
    const request = post(
      form({ colour: 'a', 'a[b]': '1', face0: new File(['x'], 'x'), other: new File(['x'], 'x') }),
      undefined,
      '?x=1&/&n=1&%FF=1',
    )
    const { parameters, unknown } = await read(request)
    expect(parameters).toEqual({ n: '1' })
    expect([...unknown]).toEqual(['x', '\ufffd', 'colour', 'a', 'other'])
  })

  describe('with the photo as the body', () => {
    const bytes = new Uint8Array([0xff, 0xd8, 0x7b])
    const image = (query = '', body: BodyInit = bytes) => post(body, 'IMAGE/jpeg; q=1', query)

    it.each([
      'application/octet-stream',
      'Binary/Octet-Stream; x=1',
      undefined,
      'application/x-www-form-urlencoded',
      'application/json',
      'text/plain',
    ])('reads a JPEG of the type %s', async type => {
      const { parameters, unknown } = await read(post(bytes, type, '?n=1'))
      expect({ parameters, unknown: [...unknown] }).toEqual({
        parameters: { n: '1', photo: new Upload(bytes, '') },
        unknown: [],
      })
    })

    it('reads any bytes of an unknown type, except JSON', async () => {
      const other = new Uint8Array([1, 2, 3])
      expect(await parametersOf(post(other))).toEqual({ photo: new Upload(other, '') })
      expect(await parametersOf(post(other, 'text/plain'))).toEqual({})
      for (const type of ['application/octet-stream', 'application/x-www-form-urlencoded'])
        for (const begin of ['', '\r\n ', '\ufeff'])
          expect(await parametersOf(post(new Blob([`${begin}{"n": 1}`]), type))).toEqual({ n: 1 })
      for (const blank of ['', '\r\n'])
        expect(await parametersOf(post(new Blob([blank]), 'application/octet-stream'))).toEqual({})
    })

    it('reads other parameters from the query, and prefers the body as photo', async () => {
      expect(await parametersOf(image('?n=1&photo=http://a.test/x.jpg'))).toEqual({
        n: '1',
        photo: new Upload(bytes, ''),
      })
    })
  })

  describe('a photo in another form', () => {
    const file = new Uint8Array(3_000).fill(0xff)
    const base64 = btoa(String.fromCharCode(...file))
    const bufferOf = (bytes: Uint8Array) => ({ type: 'Buffer', data: [...bytes] })
    const json = (photo: unknown) => post(JSON.stringify({ meta: 'a', photo }), 'application/json')

    it.each([
      ['base64 in JSON', json(base64), 'the base64 alone'],
      ['base64 in JSON as Python prints it', json(`b'${base64}'`), 'the base64 alone'],
      ['a data: URL in quotes', json(`"data:image/jpeg;base64,${base64}"`), 'the base64 alone'],
      ['base64 in a form', post(new URLSearchParams({ photo: base64 })), 'the base64 alone'],
      ['base64 in a multipart field', post(form({ photo: base64 })), 'the base64 alone'],
      ['base64 in lines of 60', json(base64.replace(/.{60}/g, '$&\n')), 'the base64 alone'],
      ['base64 after a type', json(`image/jpeg;base64,${base64}`), 'the base64 alone'],
      ['a Buffer', json(bufferOf(file)), 'a Node.js Buffer'],
      ['a large Buffer', json(bufferOf(new Uint8Array(20_000))), 'a Node.js Buffer'],
      ['signed bytes', json([...new Int8Array(file)]), 'a list of bytes'],
      ['many bytes', json(Array(20_000).fill(7)), 'a list of bytes'],
      ['a Uint8Array', json(new Uint8Array(9)), 'a typed array'],
    ])('is named and not repeated: %s', async (_, request, got) => {
      const { code, detail } = await read(request).catch(error => error)
      expect({ code, param: detail.param }).toEqual({ code: 'BAD_PARAM', param: 'photo' })
      expect(detail.reason).toMatch(/^photo: expected .*data:image\/<type>;base64, /)
      expect(detail.reason).toContain(`got ${got}.`)
      expect(JSON.stringify(detail)).not.toMatch(/255|\/\/\//)
    })

    it('is a data: URL in any encoding, also in a form, where + arrives as a space', async () => {
      const bytes = new Uint8Array([0, 0, 0, 0xfb, 0xef, 0xbe, 0xfb, 0xef, 0xbe])
      const url = `data:image/jpeg;base64,${btoa(String.fromCharCode(...bytes))}`
      expect(url).toMatch(/\+{8}$/)
      for (const request of [
        json(url),
        post(form({ photo: url })),
        post(`photo=${url}`, 'application/x-www-form-urlencoded'),
        query(`photo=${url}`),
      ])
        expect((await parametersOf(request)).photo).toEqual(new Upload(bytes, ''))
    })
  })

  it.each([
    ['JSON', `{"meta": "${'x'.repeat(REQUEST_LIMITS.plainBodyBytes)}"}`, 'application/json'],
    ['a form', `meta=${'x'.repeat(REQUEST_LIMITS.plainBodyBytes)}`, 'application/x-www-form-urlencoded'],
  ])(
    'bounds a body of %s by REQUEST_LIMITS.plainBodyBytes for an operation without a photo',
    async (_, body, type) => {
      await expect(read(post(body, type), { ...KNOWN, photos: [] })).toBeRefused('PHOTO_TOO_LARGE')
      expect((await read(post(body, type))).parameters).toMatchObject({ meta: expect.any(String) })
    },
  )
})
