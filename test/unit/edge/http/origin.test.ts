/** The origin of links in answers; hostile Host and forwarded headers never get into a link. */
import * as fc from 'fast-check'
import { originOf } from '#edge/http/origin.ts'

const originAt = (url: string, headers: Record<string, string> = {}, options = {}) =>
  originOf({ url, headers: new Headers(headers) }, { publicUrl: '', trustForwarded: false, ...options })

const TRUST = { trustForwarded: true }

describe('originOf', () => {
  it.each([
    ['http://127.0.0.1:8787/v0/faces?x=1', 'http://127.0.0.1:8787'],
    ['https://Faces.Example.com/', 'https://faces.example.com'],
    ['http://mien_edge_1:8787/', 'http://mien_edge_1:8787'],
    ['http://[::1]:8787/docs', 'http://[::1]:8787'],
  ])('takes the origin from the request URL: %s', (url, origin) => expect(originAt(url)).toBe(origin))

  const forwarded = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'faces.example.com' }

  it('uses forwarded headers only behind a trusted proxy', () => {
    expect(originAt('http://10.0.0.1:8787/', forwarded, TRUST)).toBe('https://faces.example.com')
    expect(originAt('http://10.0.0.1:8787/', forwarded)).toBe('http://10.0.0.1:8787')
  })

  it.each([
    [{ 'x-forwarded-proto': 'https' }, 'https://inside:8787'],
    [{ 'x-forwarded-host': 'a.test:8443' }, 'http://a.test:8443'],
    [{ 'x-forwarded-proto': 'HTTPS, http', 'x-forwarded-host': 'a.test, b.test' }, 'https://a.test'],
    [{ 'x-forwarded-proto': 'javascript' }, 'http://inside:8787'],
    [{ 'x-forwarded-host': 'a.test/path' }, 'http://inside:8787'],
    [{ 'x-forwarded-host': 'a.test:99999' }, 'http://inside:8787'],
  ])('takes only valid values of %j', (headers, origin) =>
    expect(originAt('http://inside:8787/', headers, TRUST)).toBe(origin),
  )

  it('prefers the configured public URL to all headers', () => {
    const options = { ...TRUST, publicUrl: 'https://public.example.com' }
    expect(originAt('http://10.0.0.1:8787/', forwarded, options)).toBe('https://public.example.com')
  })

  it.each(['evil"><script>', 'user@host', 'ex%41mple', 'host:99999', '', '[::1'])(
    'refuses the host %j',
    host => {
      const bad = expect.objectContaining({
        code: 'BAD_PARAM',
        detail: expect.objectContaining({ param: 'Host' }),
      })
      expect(() => originAt(`http://${host}/docs`)).toThrow(bad)
    },
  )

  it('refuses an invalid Host header that the runtime corrected in the URL', () => {
    expect(() => originAt('http://host/docs', { host: 'user@host' })).toThrow('BAD_PARAM')
  })

  it('returns a plain origin for any headers', { tags: 'long' }, () => {
    const text = fc.oneof(
      fc.string(),
      fc.webUrl(),
      fc.domain(),
      fc.constantFrom('"', '<', '\\', '@', '/', '#'),
    )
    const header = fc.array(text, { maxLength: 3 }).map(parts => parts.join(''))
    fc.assert(
      fc.property(header, header, header, (host, proto, forwardedHost) => {
        const headers = {
          get: name => (name === 'x-forwarded-proto' ? proto : name === 'host' ? host : forwardedHost),
        } as Headers
        let origin: string
        try {
          origin = originOf({ url: `http://${host}/x`, headers }, { publicUrl: '', trustForwarded: true })
        } catch (error) {
          expect(error).toMatchObject({ code: 'BAD_PARAM' })
          return
        }
        expect(origin).toMatch(/^https?:\/\/[a-z0-9._:[\]-]+$/)
      }),
      { numRuns: 300 },
    )
  })
})
