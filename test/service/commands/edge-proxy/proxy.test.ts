/** Bytes, headers, closed connections and refusals between callers and workers of the edge. */
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { buffer, text } from 'node:stream/consumers'
import { exchange, LARGE, ok, proxyBefore, slowWorker } from './behind.ts'

/** The request that a worker gets when a caller sends these bytes. It is answered. */
async function passedOn(bytes: string): Promise<IncomingMessage> {
  const { listener, seen } = slowWorker()
  const { proxy } = await proxyBefore([listener])
  void exchange(proxy.port, bytes)
  const [heard, answer] = await seen()
  answer.end()
  return heard
}

describe('openEdgeProxy', () => {
  it('streams bodies in both directions', async () => {
    const { listener, seen } = slowWorker()
    const { origin } = await proxyBefore([listener])
    const asked = request(origin, { method: 'POST', path: '/v0/detect' })
    asked.write('first')
    const [heard, answer] = await seen()
    expect(String((await once(heard, 'data'))[0])).toBe('first')
    answer.write('a part of the answer')
    const [response] = (await once(asked, 'response')) as [IncomingMessage]
    expect(String((await once(response, 'data'))[0])).toBe('a part of the answer')
    answer.end()
    asked.destroy()
  })

  it('passes on large bodies unchanged', async () => {
    const { origin } = await proxyBefore([async (asked, answer) => void answer.end(await buffer(asked))])
    const response = await fetch(`${origin}/v0/detect`, { method: 'POST', body: LARGE })
    expect(Buffer.from(await response.arrayBuffer()).equals(LARGE)).toBe(true)
  })

  it('passes on method, target and headers unchanged, without hop-by-hop headers', async () => {
    const path = '/v0//face/%2Fx/meta/a%20b;c=%C3%a9(d)?x=1&x=%zz&=&?y=/../'
    const heard = await passedOn(
      `PUT ${path} HTTP/1.1\r\nhOsT: Faces.example.com:80\r\nX-A: 1\r\nx-a: \xe9 2 \r\nTE: trailers\r\n` +
        'Keep-Alive: 5\r\nX-Hop: 1\r\nConnection: x-hop, keep-alive\r\nContent-Length: 5\r\n\r\nhello',
    )
    expect([heard.method, heard.url, await text(heard)]).toEqual(['PUT', path, 'hello'])
    expect(heard.rawHeaders.slice(0, -2)).toEqual([
      'Host',
      'Faces.example.com:80',
      'X-A',
      '1',
      'x-a',
      '\xe9 2',
      'Content-Length',
      '5',
      'CF-Connecting-IP',
      '127.0.0.1',
    ])
  })

  it.each([
    ['/pictures/../stat/list/1/100', '/stat/list/1/100'],
    ['/pictures/%2e%2E/stat/./list', '/stat/list'],
    ['/pictures\\..\\stat', '/stat'],
    ['/pictures/..%2fstat', '/pictures/..%2fstat'],
  ])('resolves the dot segments of %s', async (path, resolved) => {
    expect((await passedOn(`GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`)).url).toBe(resolved)
  })

  it('percent-encodes raw bytes in a target', async () => {
    const bytes = 'GET /v0/face/meta/Jos\xc3\xa9?x=\xff HTTP/1.1\r\nHost: a\r\nX-A: \xe9\r\n\r\n'
    const { url, headers } = await passedOn(bytes)
    expect([url, headers['x-a']]).toEqual(['/v0/face/meta/Jos%C3%A9?x=%FF', '\xe9'])
  })

  it('removes internal headers of Cloudflare, development tools and untrusted proxies', async () => {
    const internal = [
      'MF-Original-URL',
      'mf-cf-blob',
      'CF-Connecting-IP',
      'X-Forwarded-For',
      'X-Forwarded-Host',
      'Forwarded',
    ]
    const headers = internal.map(name => `${name}: https://x\r\n`).join('')
    const heard = await passedOn(`GET / HTTP/1.1\r\nHost: a\r\n${headers}\r\n`)
    expect(Object.keys(heard.headers)).toEqual(['host', 'cf-connecting-ip', 'connection'])
    expect(heard.headers['cf-connecting-ip']).toBe('127.0.0.1')
  })

  it.each([
    ['198.51.100.7', '198.51.100.7'],
    ['203.0.113.1, 198.51.100.7', '198.51.100.7'],
    ['203.0.113.1, 198.51.100.7, 10.1.2.3, 127.0.0.2', '198.51.100.7'],
    ['198.51.100.7:5050', '198.51.100.7'],
    ['[2001:DB8::7]:443', '2001:db8::7'],
    ['::ffff:198.51.100.7', '198.51.100.7'],
    ['10.1.2.3', '10.1.2.3'],
    ['198.51.100.7, unknown', '127.0.0.1'],
    ['', '127.0.0.1'],
  ])('names the caller by the last address that is no trusted proxy: %s', async (addresses, caller) => {
    const { listener, seen } = slowWorker()
    const { origin } = await proxyBefore([listener], 'loopback,10.0.0.0/8')
    const headers = { 'x-forwarded-for': addresses, 'cf-connecting-ip': '203.0.113.1' }
    const asked = fetch(origin, { headers })
    const [heard, answer] = await seen()
    expect(heard.headers['cf-connecting-ip']).toBe(caller)
    answer.end()
    await asked
  })

  it.each([
    ['https', 'faces.example.com', 'https', 'faces.example.com'],
    ['https, http', 'outer.example.com, inner', 'https', 'outer.example.com'],
    ['javascript', 'a b', undefined, undefined],
    ['https', 'evil.example/path', 'https', undefined],
  ])(
    'passes on valid forwarded headers of a trusted proxy: %s, %s',
    async (proto, host, passedProto, passedHost) => {
      const { listener, seen } = slowWorker()
      const { origin } = await proxyBefore([listener], 'loopback')
      const headers = { 'x-forwarded-proto': proto, 'x-forwarded-host': host, 'x-forwarded-for': '1.2.3.4' }
      const asked = fetch(origin, { headers })
      const [heard, answer] = await seen()
      expect(heard.headers['x-forwarded-proto']).toBe(passedProto)
      expect(heard.headers['x-forwarded-host']).toBe(passedHost)
      expect(heard.headers['x-forwarded-for']).toBeUndefined()
      answer.end()
      await asked
    },
  )

  it('splits an absolute target into host and path', async () => {
    const { url, headers } = await passedOn(
      'GET http://faces.example.com?x=1 HTTP/1.1\r\nHost: other\r\n\r\n',
    )
    expect([url, headers.host]).toEqual(['/?x=1', 'faces.example.com'])
  })

  it("closes the worker's request when the caller disconnects, and the caller's answer when the worker does", async () => {
    const { listener, seen } = slowWorker()
    const { origin } = await proxyBefore([listener])
    const leaving = request(origin).on('error', () => {})
    leaving.end()
    const [left] = await seen()
    left.on('error', () => {})
    const gone = new Promise(resolve => left.once('close', resolve))
    leaving.destroy()
    await gone

    const staying = request(origin).end()
    const [, cut] = await seen()
    cut.write('half of')
    const [response] = (await once(staying, 'response')) as [IncomingMessage]
    cut.destroy()
    await expect(text(response)).rejects.toThrow()
  })

  it('delivers a refusal that arrives while the caller still sends its body', {
    tags: 'long',
  }, async () => {
    const { origin } = await proxyBefore([
      (asked, answer) => {
        answer
          .writeHead(401, { connection: 'close' })
          .end('{"code":"AUTH_FAILED"}', () => asked.socket.destroySoon())
      },
    ])
    for (let i = 0; i < 10; i++) {
      const response = await fetch(`${origin}/v0/detect`, { method: 'POST', body: LARGE })
      expect([response.status, await response.json()]).toEqual([401, { code: 'AUTH_FAILED' }])
    }
  })

  it("answers in the API's form when the runtime refuses a request by itself", async () => {
    const { origin } = await proxyBefore([
      (asked, answer) => {
        answer.removeHeader('x-request-id')
        answer.writeHead(asked.url === '/bad' ? 400 : 500).end('ERROR: at kj/compat/http.c++')
      },
    ])
    for (const [path, code] of [
      ['/bad', 'BAD_REQUEST'],
      ['/', 'INTERNAL_ERROR'],
    ])
      expect(await (await fetch(origin + path)).json()).toMatchObject({ code })
  })

  it('keeps a valid request id in its own refusals', async () => {
    const { origin, servers } = await proxyBefore([ok])
    await new Promise(resolve => servers[0]!.close(resolve))
    const response = await fetch(origin, { headers: { 'x-request-id': 'mine-1' } })
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '1'])
    expect(await response.json()).toMatchObject({ code: 'SERVICE_UNAVAILABLE', request_id: 'mine-1' })
  })
})
