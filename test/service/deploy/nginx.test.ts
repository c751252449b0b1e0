import { once } from 'node:events'
import type { IncomingMessage, RequestListener } from 'node:http'
import { type RequestOptions, request } from 'node:https'
import { text } from 'node:stream/consumers'
import { connect, getCACertificates, setDefaultCACertificates } from 'node:tls'
import { inject } from 'vitest'
import { type ErrorCode, errorAnswer, ServiceError, tooLarge } from '#contract/errors.ts'
import { EDGE_LIMITS } from '#contract/limits/edge.ts'
import { REQUEST_LIMITS } from '#contract/limits/requests.ts'
import {
  isChange,
  RPC_OPERATIONS,
  type RpcOperation,
  rpcPath,
  STREAMS,
  type StreamName,
  streamPath,
} from '#contract/operations/messages.ts'
import { FRAME_TYPE } from '#contract/rpc/frame.ts'
import { clientOf, form, sample } from '#test/support/client.ts'
import { hasNginx, type Nginx, nginxFile, startNginx } from '#test/support/servers/nginx.ts'
import { serve } from '#test/support/servers/served.ts'
import { startEdge } from '../edge/edge-process.ts'

const hostOf = (url: string) => new URL(url).host

const trusted = getCACertificates()

/** Starts nginx, which stops with the test. Clients trust its certificate until then. */
async function before(name: string, upstreams: Parameters<typeof startNginx>[1]) {
  const nginx = await startNginx(name, upstreams)
  onTestFinished(async () => {
    setDefaultCACertificates(trusted)
    await nginx.stop()
  })
  setDefaultCACertificates([nginx.certificate])
  return nginx
}

/** nginx in front of these edges (`host:port`) and of the shared core. */
async function service(edges = [hostOf(inject('edge'))]) {
  const nginx = await before('mien.conf', { edges, core: hostOf(inject('core')) })
  return { nginx, api: clientOf(nginx.origin, inject('token')) }
}

/** A server of the test as upstream. */
const upstream = async (listener: RequestListener) => hostOf(await serve(listener))

/** Expects `nginx -t` to accept the configuration without a warning. */
function expectAccepted(nginx: Nginx) {
  const { status, stderr } = nginx.parsed()
  expect(stderr).toContain('test is successful')
  expect(stderr).not.toMatch(/warn|deprecated/)
  expect(status).toBe(0)
}

/** Sends a request whose path is not normalised. */
async function raw({ port, certificate }: Nginx, options: RequestOptions) {
  const asked = request({ host: '127.0.0.1', port, ca: certificate, agent: false, ...options }).end()
  const [answer] = (await once(asked, 'response')) as [IncomingMessage]
  answer.resume()
  return answer
}

/** Sends a request that clients of Node would refuse; resolves with the whole answer. */
async function rawText({ port, certificate }: Nginx, options: RequestOptions) {
  const socket = connect({ host: '127.0.0.1', port, ca: certificate })
  await once(socket, 'secureConnect')
  const headers = Object.entries({ host: 'a', ...options.headers }).map(
    ([name, value]) => `${name}: ${value}`,
  )
  socket.write(
    [`${options.method ?? 'GET'} ${options.path} HTTP/1.1`, ...headers, 'Connection: close', '', ''].join(
      '\r\n',
    ),
  )
  return { text: await text(socket) }
}

/** Paths of core for operators and edges, plain and in disguise. */
const PATHS_OF_CORE = [
  '/internal/caller?x=/pictures/',
  '/stat/list/1/100',
  '/readyz',
  '/v1/galleries/list/0/10',
  '/pictures/../stat/list/1/100',
  '/pictures/%2e%2e/stat/list/1/100',
  '/pictures//..//stat/list/1/100',
  '/stat/list/..%2f..%2fpictures/1',
  '/internal/caller/..%2f..%2fpictures/0/1/thumbnail.jpg?expires=1',
  '/pictures/0/1/thumbnail.jpg/..%2f..%2f..%2f..%2fstat/list/1/1?expires=1',
]

describe('the nginx configurations', () => {
  it('refuse with the texts of the service', () => {
    const refusals = [...nginxFile('mien.conf').matchAll(/return (\d{3}) '(\{.*\})';/g)]
    expect(refusals).toHaveLength(8)
    for (const [, status, json] of refusals) {
      const { request_id, ...body } = JSON.parse(json!) as { code: ErrorCode; request_id: string }
      const { code } = body
      const own =
        code === 'PHOTO_TOO_LARGE'
          ? tooLarge('The request body', REQUEST_LIMITS.bodyBytes)
          : new ServiceError(code)
      expect({ status: Number(status), body }).toEqual(errorAnswer(own))
      expect(request_id).toBe('$request_id')
    }
  })

  it.each(['mien.conf', 'mien-core.conf'])(
    'accept bodies and durations up to the limits of the service: %s',
    name => {
      const [, megabytes] = /client_max_body_size (\d+)m;/.exec(nginxFile(name)) ?? []
      expect(Number(megabytes) * 2 ** 20).toBe(REQUEST_LIMITS.bodyBytes)
      const [, seconds] = /proxy_read_timeout (\d+)s;/.exec(nginxFile(name)) ?? []
      const longest = name === 'mien.conf' ? EDGE_LIMITS.permitMs : EDGE_LIMITS.coreChangeMs
      expect(Number(seconds) * 1000).toBeGreaterThan(longest)
    },
  )
})

describe.skipIf(!hasNginx)('mien.conf in nginx', { tags: ['long', 'nginx'] }, () => {
  const [edge, core] = [hostOf(inject('edge')), hostOf(inject('core'))]

  it('passes nginx -t without warnings', async () => expectAccepted((await service()).nginx))

  it('forwards photos to the edge and picture links to core, and logs no signatures', async () => {
    const { nginx, api } = await service()
    const posted = await api('POST', '/v0/face', form({ photo: await sample(1), meta: 'behind nginx' }))
    expect(posted.status).toBe(200)
    const id = posted.headers.get('x-request-id')
    expect(id).toMatch(/^[0-9a-f]{32}$/)
    const { pathname, search } = new URL(posted.body.results[0].thumbnail)
    const picture = await fetch(nginx.origin + pathname + search)
    expect(picture.headers.get('content-type')).toBe('image/jpeg')
    expect(picture.headers.get('strict-transport-security')).toMatch(/^max-age=/)
    const [post, get] = await nginx.log(2)
    expect(post).toContain(`POST /v0/face `)
    expect(post).toContain(edge)
    expect(post).toContain(id)
    expect(get).toContain(`GET ${pathname} `)
    expect(get).toContain(core)
    expect(`${post}${get}`).not.toMatch(/signature|expires|mien_/)
  })

  it('streams a long answer', async () => {
    let goOn = () => {}
    const slow = await upstream(async (_, response) => {
      const arrived = new Promise<void>(resolve => (goOn = resolve))
      response.write('first')
      await arrived
      response.end('second')
    })
    const { nginx } = await service([slow])
    const answer = await fetch(`${nginx.origin}/v0/history`)
    const reader = answer.body!.pipeThrough(new TextDecoderStream()).getReader()
    expect((await reader.read()).value).toBe('first')
    goOn()
    expect((await reader.read()).value).toBe('second')
  })

  it('refuses a body above the limit before it is sent', async () => {
    const { nginx } = await service()
    const headers = {
      'content-length': REQUEST_LIMITS.bodyBytes + 1,
      authorization: `Token ${inject('token')}`,
    }
    const asked = request({
      port: nginx.port,
      ca: nginx.certificate,
      method: 'POST',
      path: '/v0/detect',
      headers,
    })
    asked.on('error', () => {}).flushHeaders()
    const [answer] = (await once(asked, 'response')) as [IncomingMessage]
    expect(answer.statusCode).toBe(413)
    const text = (await answer.setEncoding('utf8').toArray()).join('')
    expect(JSON.parse(text)).toMatchObject({ code: 'PHOTO_TOO_LARGE' })
    asked.destroy()
  })

  it('skips an unreachable edge, also for a photo and a deletion', async () => {
    const closed = '127.0.0.1:9'
    const { api } = await service([closed, edge])
    for (let i = 0; i < 2; i++) {
      const { status } = await api('POST', '/v0/detect', form({ photo: await sample(1) }))
      expect(status).toBe(200)
      await expect(api('DELETE', '/v0/face/id/1')).toAnswer(404)
    }
  })

  it.each([
    { method: 'POST', times: 1, status: 504, code: 'OUTCOME_UNKNOWN', retryAfter: null },
    { method: 'GET', times: 2, status: 503, code: 'SERVICE_UNAVAILABLE', retryAfter: '1' },
  ])(
    'sends a $method $times times to edges that break off',
    async ({ method, times, status, code, retryAfter }) => {
      let heard = 0
      const breaking = () =>
        upstream(asked => {
          heard++
          asked.resume().on('end', () => asked.socket.destroy())
        })
      const { api } = await service([await breaking(), await breaking()])
      const answer = await api(method, '/v0/galleries/new', method === 'POST' ? { a: 1 } : undefined)
      expect(answer).toMatchObject({ status, body: { code } })
      expect(answer.headers.get('retry-after')).toBe(retryAfter)
      expect(heard).toBe(times)
    },
  )

  it('forwards none of the other paths of core', async () => {
    const { nginx } = await service()
    for (const path of PATHS_OF_CORE) {
      const { statusCode } = await raw(nginx, { path })
      expect([400, 401, 404], path).toContain(statusCode)
    }
    expect((await nginx.log(PATHS_OF_CORE.length)).join('\n')).not.toContain(core)
  })

  it('refuses changes of pictures', async () => {
    const { nginx } = await service()
    const path = '/pictures/0/1/thumbnail.jpg?expires=1'
    expect((await raw(nginx, { method: 'DELETE', path })).statusCode).toBe(403)
    expect((await raw(nginx, { path })).statusCode).toBe(404)
    expect((await nginx.log(1))[0]).not.toContain(core)
  })

  it('answers 404 at paths and to headers of development tools without asking an edge', async () => {
    const heard = vi.fn()
    const { nginx } = await service([await upstream((_, response) => void heard(response.end()))])
    for (const path of ['/CDN-CGI', '/%63dn-cgi/x', '//cdn-cgi//x', '/v0/../cdn-cgi/x']) {
      const answer = await raw(nginx, { path })
      expect(answer.statusCode, path).toBe(404)
      expect(answer.headers['content-type']).toBe('application/json')
    }
    for (const name of ['MF-Original-URL', 'mf-cf-blob', 'MF-Op']) {
      const options = { path: '/healthz', headers: { [name]: 'http://x/v0/galleries' } }
      expect((await raw(nginx, options)).statusCode, name).toBe(404)
    }
    expect(heard).not.toHaveBeenCalled()
  })

  it('refuses requests with the texts of the service', async () => {
    const { nginx } = await service()
    for (const [options, status, code] of [
      [{ path: '/', headers: { host: 'a b' } }, 400, 'BAD_REQUEST'],
      [{ method: 'TRACE', path: '/' }, 405, 'METHOD_NOT_ALLOWED'],
      [{ path: `/${'a'.repeat(100_000)}` }, 431, 'HEADERS_TOO_LARGE'],
    ] as const) {
      const { text } = await rawText(nginx, options)
      expect(text).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
      expect(JSON.parse(text.slice(text.indexOf('{')))).toMatchObject({ code })
    }
  })

  it('sets the origin of picture links at edges that trust it, and only there', async () => {
    const data = inject('data')
    const [trusting, other] = await Promise.all([
      startEdge(data, [inject('core')], {}, 'loopback'),
      startEdge(data, [inject('core')]),
    ])
    for (const [upstreamEdge, origin] of [
      [trusting, (nginx: Nginx) => nginx.origin],
      [other, () => `http://127.0.0.1`],
    ] as const) {
      const { nginx, api } = await service([hostOf(upstreamEdge)])
      const { body } = await api('POST', '/v0/face', form({ photo: await sample(1), meta: 'linked' }))
      expect(new URL(body.results[0].thumbnail).origin).toBe(origin(nginx))
    }
    const forged = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'evil.example' }
    const { body } = await clientOf(other, inject('token'))('GET', '/docs', undefined, forged)
    expect(body.results[0].openapi).toContain(other)
  })
})

describe.skipIf(!hasNginx)('mien-core.conf in nginx', { tags: ['long', 'nginx'] }, () => {
  const core = () => before('mien-core.conf', { core: hostOf(inject('core')) })
  const shown = ({ certificate, key }: Nginx) => ({ cert: certificate, key })

  it('passes nginx -t without warnings', async () => expectAccepted(await core()))

  it('forwards every operation between edge and core', async () => {
    const nginx = await core()
    const paths = [
      ...(Object.keys(RPC_OPERATIONS) as RpcOperation[]).map(
        name => rpcPath(name) + (isChange(name) ? '?within=37000' : ''),
      ),
      ...(Object.keys(STREAMS) as StreamName[]).map(streamPath),
    ]
    for (const path of paths) {
      const { statusCode } = await raw(nginx, { method: 'POST', path, ...shown(nginx) })
      expect({ path, statusCode }).toEqual({ path, statusCode: 401 })
    }
  })

  it('refuses a client without a certificate', async () => {
    const nginx = await core()
    const answer = await raw(nginx, { method: 'POST', path: '/internal/caller' })
    expect(answer.headers['content-type']).not.toBe(FRAME_TYPE)
    expect(answer.statusCode).toBe(400)
  })

  it('answers 404 at other paths of core', async () => {
    const nginx = await core()
    for (const path of ['/stat/list/1/100', '/readyz', '/', '/internal/..%2fstat/list/1/1']) {
      const method = path.startsWith('/internal') ? 'POST' : 'GET'
      const answer = await raw(nginx, { method, path, ...shown(nginx) })
      expect(answer.statusCode, path).toBe(404)
      expect(answer.headers['content-type']).toBe('text/html')
    }
  })
})
