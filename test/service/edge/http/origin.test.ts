/** Which origin links start with, and that no hostile Host or forwarded header gets into one. */
import * as fc from 'fast-check'
import { describe, expect, inject, it } from 'vitest'
import { originOf } from '../../../../edge/http/origin.ts'
import { startEdge } from '../edge-process.ts'

const originAt = (url: string, headers: Record<string, string> = {}, options = {}): string =>
  originOf({ url, headers: new Headers(headers) }, { publicUrl: '', trustForwarded: false, ...options })

const TRUST = { trustForwarded: true }

describe('the origin of links', () => {
  it.each([
    ['http://127.0.0.1:8787/v0/faces?x=1', 'http://127.0.0.1:8787'],
    ['https://Faces.Example.com/', 'https://faces.example.com'],
    ['https://faces.example.com:443/', 'https://faces.example.com'],
    ['http://mien_edge_1:8787/', 'http://mien_edge_1:8787'],
    ['http://[::1]:8787/docs', 'http://[::1]:8787'],
  ])('is that of the request: %s', (url, origin) => expect(originAt(url)).toBe(origin))

  const forwarded = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'faces.example.com' }

  it('is what a trusted proxy says, and nobody else', () => {
    expect(originAt('http://10.0.0.1:8787/', forwarded, TRUST)).toBe('https://faces.example.com')
    expect(originAt('http://10.0.0.1:8787/', forwarded)).toBe('http://10.0.0.1:8787')
  })

  it.each([
    [{ 'x-forwarded-proto': 'https' }, 'https://inside:8787'],
    [{ 'x-forwarded-host': 'a.test:8443' }, 'http://a.test:8443'],
    [{ 'x-forwarded-proto': 'HTTPS, http', 'x-forwarded-host': 'a.test, b.test' }, 'https://a.test'],
    [{ 'x-forwarded-proto': 'javascript' }, 'http://inside:8787'],
    [{ 'x-forwarded-host': 'a.test/path' }, 'http://inside:8787'],
    [{ 'x-forwarded-host': 'user@a.test' }, 'http://inside:8787'],
    [{ 'x-forwarded-host': 'a.test:99999' }, 'http://inside:8787'],
    [{ 'x-forwarded-host': '' }, 'http://inside:8787'],
  ])('takes of %j what is an origin', (headers, origin) =>
    expect(originAt('http://inside:8787/', headers, TRUST)).toBe(origin),
  )

  it('is the configured one before all others', () => {
    const options = { ...TRUST, publicUrl: 'https://public.example.com' }
    expect(originAt('http://10.0.0.1:8787/', forwarded, options)).toBe('https://public.example.com')
  })

  it.each([
    'evil"><script>',
    'user@host',
    'a b',
    'ex%41mple',
    "a'b",
    'host:99999',
    '',
    'a\\b',
    '[::1',
    'h:1:2',
  ])('refuses the host %j', host => {
    const bad = expect.objectContaining({
      code: 'BAD_PARAM',
      detail: expect.objectContaining({ param: 'Host' }),
    })
    expect(() => originAt(`http://${host}/docs`)).toThrow(bad)
  })

  it('refuses a Host header that the runtime has mended for its URL', () => {
    expect(() => originAt('http://host/docs', { host: 'user@host' })).toThrow('BAD_PARAM')
  })

  it('is a plain origin, whatever headers say', () => {
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
          get: (name: string) =>
            name === 'x-forwarded-proto' ? proto : name === 'host' ? host : forwardedHost,
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
      { numRuns: 2_000 },
    )
  })
})

it('is in the links of an edge that trusts the proxy in front of it', async () => {
  const headers = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'faces.example.com' }
  const overviewAt = async (edge: string) =>
    (await (await fetch(`${edge}/docs`, { headers })).json()).results[0].overview
  const trusting = await startEdge(inject('data'), [inject('core')], {}, 'loopback')
  expect(await overviewAt(trusting)).toBe('https://faces.example.com/v0/docs/v0/overview.html')
  const wary = await startEdge(inject('data'), [inject('core')])
  expect(new URL(await overviewAt(wary)).host).toBe(new URL(wary).host)
})
