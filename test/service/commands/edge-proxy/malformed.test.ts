/** Malformed requests: each is refused in the form of the API, and none reaches a worker. */
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import fc from 'fast-check'
import { ERRORS } from '#contract/errors.ts'
import { REQUEST_LIMITS } from '#contract/limits/requests.ts'
import { exchange, proxyBefore } from './behind.ts'

const HOST = 'Host: faces.example.com\r\n'
const POST = `POST /v0/detect HTTP/1.1\r\n${HOST}`
const GET = `GET /healthz HTTP/1.1\r\n${HOST}`

/** Name, bytes and expected error code. */
const REFUSED: [string, string, keyof typeof ERRORS][] = [
  ['CONNECT', 'CONNECT core:8788 HTTP/1.1\r\nHost: core:8788\r\n\r\n', 'METHOD_NOT_ALLOWED'],
  ['an unknown method', `FETCH /v0/detect HTTP/1.1\r\n${HOST}\r\n`, 'METHOD_NOT_ALLOWED'],
  ['no Host', 'GET /healthz HTTP/1.1\r\n\r\n', 'BAD_REQUEST'],
  ['two Hosts', 'GET /healthz HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n', 'BAD_REQUEST'],
  ['a Host with a space', 'GET /healthz HTTP/1.1\r\nHost: a b\r\n\r\n', 'BAD_REQUEST'],
  ['a Host with an invalid port', 'GET /healthz HTTP/1.1\r\nHost: a:http\r\n\r\n', 'BAD_REQUEST'],
  ['an absolute target without a host', `GET http:///healthz HTTP/1.1\r\n${HOST}\r\n`, 'BAD_REQUEST'],
  ['an asterisk', `OPTIONS * HTTP/1.1\r\n${HOST}\r\n`, 'BAD_REQUEST'],
  [
    'a length and chunks',
    `${POST}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    'BAD_REQUEST',
  ],
  ['two lengths', `${POST}Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello`, 'BAD_REQUEST'],
  ['another transfer encoding', `${POST}Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n`, 'BAD_REQUEST'],
  ['chunks in HTTP/1.0', `POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`, 'BAD_REQUEST'],
  ['a folded header', `${GET}X-A: a\r\n b\r\n\r\n`, 'BAD_REQUEST'],
  ['a NUL in a header', `${GET}X-A: a\0b\r\n\r\n`, 'BAD_REQUEST'],
  ['a space before the colon', `${GET}X-A : a\r\n\r\n`, 'BAD_REQUEST'],
  ['a header that is too long', `${GET}X-A: ${'a'.repeat(70_000)}\r\n\r\n`, 'HEADERS_TOO_LARGE'],
  ['a line that is too long', `GET /${'a'.repeat(70_000)} HTTP/1.1\r\n${HOST}\r\n`, 'HEADERS_TOO_LARGE'],
  ['HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 'BAD_REQUEST'],
  ['TLS', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', 'BAD_REQUEST'],
  ['a WebSocket', `${GET}Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n`, 'BAD_REQUEST'],
  ['another expectation', `${POST}Expect: a-miracle\r\nContent-Length: 2\r\n\r\n{}`, 'EXPECTATION_FAILED'],
]

/** Paths of Cloudflare and of its development tools. */
const DEVELOPMENT = [
  '/cdn-cgi/mf/scheduled',
  '/CDN-cgi',
  '/%63dn-cgi/handler/email',
  '//cdn-cgi/x',
  '/x/../cdn-cgi/x',
  '/./%2e/cdn-cgi?x',
  '/\\cdn-cgi\\x',
  'http://x/cdn-cgi/mf/scheduled',
  'HTTP://x//CDN-CGI/',
]

describe('openEdgeProxy with malformed requests', { tags: 'long' }, () => {
  const worker = vi.fn()
  beforeEach(() => void worker.mockReset())
  const open = () =>
    proxyBefore([
      (request, response) => {
        worker(request.url)
        request.resume().on('end', () => response.end('{}'))
      },
    ])

  it.each(REFUSED)('refuses %s', async (_, bytes, code) => {
    const { proxy } = await open()
    const { statuses, body, text, isClosed } = await exchange(proxy.port, bytes, 500)
    expect({ statuses, code: body.code }).toEqual({ statuses: [ERRORS[code].status], code })
    expect(body.reason).toMatch(/\.$/)
    expect(text).toMatch(new RegExp(`x-request-id: ${body.request_id}\r\n`, 'i'))
    expect(text).toMatch(/content-type: application\/json/i)
    expect(worker).not.toHaveBeenCalled()
    if (code === 'BAD_REQUEST' || code === 'HEADERS_TOO_LARGE') expect(isClosed).toBe(true)
  })

  it('answers 404 at the paths of development tools', async () => {
    const { proxy } = await open()
    const answers = DEVELOPMENT.map(async target => {
      const { statuses, body } = await exchange(proxy.port, `GET ${target} HTTP/1.1\r\n${HOST}\r\n`)
      return { target, statuses, code: body.code }
    })
    expect(await Promise.all(answers)).toEqual(
      DEVELOPMENT.map(target => ({ target, statuses: [404], code: 'NOT_FOUND' })),
    )
    expect(worker).not.toHaveBeenCalled()
  })

  it.each(['zz\r\nabc\r\n', '5\r\nhelloXX\r\n', '-1\r\n\r\n'])(
    "aborts the worker's request when its chunks break off as %j",
    async chunk => {
      const broken = vi.fn()
      const ended = vi.fn()
      const { proxy } = await proxyBefore([
        request =>
          void request
            .resume()
            .on('end', ended)
            .on('close', broken)
            .on('error', () => {}),
      ])
      const { statuses, body, isClosed } = await exchange(
        proxy.port,
        `${POST}Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n${chunk}0\r\n\r\n`,
      )
      expect({ statuses, code: body.code, isClosed }).toEqual({
        statuses: [400],
        code: 'BAD_REQUEST',
        isClosed: true,
      })
      expect(ended).not.toHaveBeenCalled()
    },
  )

  it('refuses headers that do not arrive within 20 seconds, and serves a connection that was silent for as long', async () => {
    expect(REQUEST_LIMITS.headerArrivalMs + REQUEST_LIMITS.headerCheckMs).toBeLessThanOrEqual(20_000)
    const { proxy } = await open()
    const silent = connect(proxy.port, '127.0.0.1')
    const halves = ['GET /healthz HTTP/1.1\r\nHo', 'GET /healthz\r\n']
    const answers = halves.map(async bytes => {
      const { statuses, body, isClosed } = await exchange(proxy.port, bytes, 40_000)
      return { bytes, statuses, code: body.code, isClosed }
    })
    expect(await Promise.all(answers)).toEqual(
      halves.map(bytes => ({ bytes, statuses: [408], code: 'REQUEST_TIMEOUT', isClosed: true })),
    )
    silent.write('GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n')
    expect(await text(silent)).toMatch(/^HTTP\/1\.1 200 /)
  })

  it('answers a valid request before it refuses a malformed one on the same connection', async () => {
    const { proxy } = await open()
    const { statuses, isClosed } = await exchange(proxy.port, `${GET}\r\nGARBAGE\r\n\r\n`)
    expect(statuses).toEqual([200, 400])
    expect(isClosed).toBe(true)
  })

  it.each([
    ['Accept-Encoding: identity;q=0\r\n', [200]],
    [
      'Upgrade: h2c\r\nConnection: Upgrade, HTTP2-Settings\r\nHTTP2-Settings: AAMAAABkAAQAoAAAAAIAAAAA\r\n',
      [200],
    ],
    ['Expect: 100-continue\r\nContent-Length: 0\r\n', [100, 200]],
    [`X-A: ${'a'.repeat(50_000)}\r\n`, [200]],
    ['X-A: b\r\n'.repeat(500), [200]],
  ])('accepts unusual but valid headers: %#', async (headers, statuses) => {
    const { proxy } = await open()
    const bytes = `${GET}${headers}Connection: close\r\n\r\n`
    expect((await exchange(proxy.port, bytes)).statuses).toEqual(statuses)
  })

  it('answers or closes on any input, and passes on only complete requests', {
    timeout: 120_000,
  }, async () => {
    const { proxy } = await open()
    const token = fc.string({ unit: 'grapheme-ascii', maxLength: 12 })
    const junk = fc.oneof(token, fc.string({ unit: 'binary-ascii', maxLength: 8 }), fc.constantFrom(...JUNK))
    const line = fc
      .tuple(fc.oneof(fc.constantFrom('GET', 'POST', 'CONNECT', ''), junk), junk, junk)
      .map(parts => parts.join(' '))
    const head = fc.tuple(
      line,
      fc.array(
        fc.tuple(fc.constantFrom(...NAMES), junk).map(pair => pair.join(': ')),
        { maxLength: 5 },
      ),
    )
    await fc.assert(
      fc.asyncProperty(head, junk, async ([first, headers], body) => {
        worker.mockReset()
        const bytes = [first, ...headers, '', body].join('\r\n')
        const { statuses, isClosed } = await exchange(proxy.port, latin1(bytes), 250)
        // An incomplete request is neither answered nor closed yet.
        if (statuses.length === 0) expect(worker).not.toHaveBeenCalled()
        for (const status of statuses) expect([100, 200, 400, 404, 405, 417, 431]).toContain(status)
        if (statuses.includes(400) && !/content-length/i.test(bytes)) expect(isClosed).toBe(true)
        for (const [path] of worker.mock.calls) expect(path).toMatch(/^\//)
      }),
      { numRuns: 40 },
    )
  })
})

const NAMES = [
  'Host',
  'Content-Length',
  'Transfer-Encoding',
  'Connection',
  'Upgrade',
  'Expect',
  'MF-Original-URL',
  '',
]

const JUNK = [
  '/',
  'HTTP/1.1',
  'HTTP/1.0',
  'http://a/',
  'chunked',
  '5',
  '0',
  'a',
  'a b',
  '\0',
  '\r',
  '\n',
  '%',
  '*',
  '//',
  'close',
]

const latin1 = (text: string) => text.replace(/[^\0-\xff]/g, '?')
