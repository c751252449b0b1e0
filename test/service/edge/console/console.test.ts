/** GET / in a browser and for API clients, and the files of the console. */
import { type IncomingHttpHeaders, request } from 'node:http'
import { gunzipSync } from 'node:zlib'
import sharp from 'sharp'
import { inject } from 'vitest'
import { anonymous, api } from '../shared.ts'

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8'

const get = (origin: string, accept: string) => fetch(`${origin}/`, { headers: { accept } })

/** Paths of the script and the style sheet of the page. */
const filesOf = (page: string) =>
  [...page.matchAll(/(?:src|href)="(console\/[^"]+)"/g)].map(([, path]) => `/${path}`)

/** The bytes of a response as they are sent. */
const bytesOf = (path: string, encoding: string, { method = 'GET', body = '' } = {}) =>
  new Promise<{ headers: IncomingHttpHeaders; bytes: Buffer }>((resolve, reject) => {
    const headers = { 'accept-encoding': encoding, 'content-length': body.length }
    const sent = request(inject('edge') + path, { method, headers }, async response =>
      resolve({ headers: response.headers, bytes: Buffer.concat(await response.toArray()) }),
    )
    sent.on('error', reject).end(body)
  })

describe('GET / in a browser', { tags: 'long' }, () => {
  it('answers the console with the state of core', async () => {
    const response = await get(inject('edge'), BROWSER)
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(response.headers.get('cache-control')).toBe('no-cache')
    expect(response.headers.get('vary')).toContain('Accept')
    expect(await response.text()).toContain('data-core="ready"')
  })

  it('allows scripts, styles and connections of its origin only, and no frame around it', async () => {
    const { headers } = await get(inject('edge'), BROWSER)
    const policy = headers.get('content-security-policy')?.split('; ')
    expect(policy).toEqual([
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "img-src 'self' blob: data:",
      "media-src 'self'",
      "connect-src 'self'",
      "require-trusted-types-for 'script'",
      'trusted-types service-worker',
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ])
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('referrer-policy')).toBe('no-referrer')
    expect(headers.get('x-frame-options')).toBe('DENY')
  })
})

describe('a file of the console', () => {
  it('has a hash in its name and is cached for ever', async () => {
    const files = filesOf(await (await get(inject('edge'), BROWSER)).text())
    expect(files).toHaveLength(3)
    for (const file of files) {
      expect(file).toMatch(/^\/console\/(?:main|theme)-[A-Z0-9]{8}\.(?:css|js)$/)
      const { status, headers } = await fetch(inject('edge') + file)
      expect(status).toBe(200)
      expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
      expect(headers.get('content-type')).toMatch(/^text\/(?:css|javascript); charset=utf-8$/)
    }
  })

  it('is compressed for a caller that accepts gzip, as are the pages of the API', async () => {
    const page = await (await get(inject('edge'), BROWSER)).text()
    for (const path of [...filesOf(page), '/docs/v1/swagger-ui-bundle.js', '/docs/v1/swagger-ui.css']) {
      const plain = await bytesOf(path, 'identity, gzip;q=0')
      const small = await bytesOf(path, 'br, gzip')
      expect(plain.headers).toMatchObject({ vary: 'Accept-Encoding' })
      expect(plain.headers['content-encoding']).toBeUndefined()
      expect(small.headers).toMatchObject({ vary: 'Accept-Encoding', 'content-encoding': 'gzip' })
      expect(gunzipSync(small.bytes)).toEqual(plain.bytes)
      expect(await bytesOf(path, 'gzip', { body: '{}' }), 'beside a body').toMatchObject({
        bytes: small.bytes,
      })
      const head = await bytesOf(path, 'gzip', { method: 'HEAD' })
      expect(head).toMatchObject({ bytes: Buffer.alloc(0), headers: { 'content-encoding': 'gzip' } })
    }
  })

  it('is a page of the documentation, and a browser asks for it again', async () => {
    const { headers, status } = await fetch(`${inject('edge')}/console/backup.md`)
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('text/markdown; charset=utf-8')
    expect(headers.get('cache-control')).toBe('no-cache')
  })

  it('is a sample photo, small and without a hash', async () => {
    for (const number of [1, 3, 4]) {
      const response = await fetch(`${inject('edge')}/console/sample${number}.jpg`)
      expect(response.headers.get('content-type')).toBe('image/jpeg')
      expect(response.headers.get('cache-control')).toBe('public, max-age=86400')
      const bytes = await response.arrayBuffer()
      expect(bytes.byteLength).toBeLessThan(90_000)
      expect((await sharp(Buffer.from(bytes)).metadata()).width).toBe(1120)
    }
  })

  it.each([
    '/console',
    '/console/sample2.jpg',
    '/console/index.html',
    '/console/toString',
    '/console/main-00000000.js',
  ])('is not %s: the path is unknown', async path => {
    expect(await anonymous('GET', path)).toMatchObject({ status: 401, body: { code: 'AUTH_FAILED' } })
    expect(await api('GET', path)).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } })
  })
})

it.each(['*/*', 'application/json', '', 'application/json, text/html', 'text/html;q=0.5, application/json'])(
  'GET / of an API client answers JSON: Accept: %s',
  async accept => {
    const refused = await anonymous('GET', '/', undefined, { accept })
    expect(refused).toMatchObject({ status: 401, body: { code: 'AUTH_FAILED' } })
    const unknown = await api('GET', '/', undefined, { accept })
    expect(unknown).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } })
  },
)
