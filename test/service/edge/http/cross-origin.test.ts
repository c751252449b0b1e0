/** CORS: answers to pages of other origins. */
import { inject } from 'vitest'
import { startLoggedEdge } from '../logged-edge.ts'

const APP = 'https://app.example.com'

const preflight = (edge: string, origin: string) =>
  fetch(`${edge}/v0/face`, {
    method: 'OPTIONS',
    headers: {
      origin,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization,content-type,idempotency-key',
    },
  })

const get = (edge: string, origin: string, path = '/v0/galleries') =>
  fetch(edge + path, { headers: { origin, authorization: `Token ${inject('token')}` } })

const allowed = ({ headers }: Response) => headers.get('access-control-allow-origin')

it('an edge with MIEN_CORS_ORIGINS allows only the configured origins, and answers their preflight requests without a token', {
  tags: 'long',
}, async () => {
  const { origin: edge } = await startLoggedEdge({ MIEN_CORS_ORIGINS: `${APP}, http://localhost:3000` })
  for (const page of [APP, 'http://localhost:3000']) {
    const asked = await preflight(edge, page)
    expect({ status: asked.status, origin: allowed(asked) }).toEqual({ status: 204, origin: page })
    expect(asked.headers.get('access-control-allow-headers')).toContain(
      'Authorization,Content-Type,Idempotency-Key',
    )
    expect(asked.headers.get('access-control-allow-methods')).toBe('GET,HEAD,POST,PUT,DELETE')
    expect(asked.headers.get('access-control-allow-credentials')).toBeNull()
    expect(asked.headers.get('vary')).toContain('Origin')
    expect(asked.headers.get('x-request-id')).toBeTruthy()
    const script = await get(edge, page, '/docs/v0/overview.js')
    expect(script.headers.get('vary')).toBe('Accept-Encoding, Origin')
    expect(await script.text()).toContain('SwaggerUIBundle')
    for (const path of ['/v0/galleries', '/docs', '/nowhere']) {
      const answered = await get(edge, page, path)
      expect(allowed(answered), path).toBe(page)
      expect(answered.headers.get('vary'), path).toContain('Origin')
      expect(answered.headers.get('access-control-expose-headers')?.split(',')).toEqual(
        expect.arrayContaining([
          'X-Request-Id',
          'X-Live-Servers',
          'X-Faces-Seen',
          'X-Detection',
          'X-Ignored-Parameters',
          'Retry-After',
        ]),
      )
      await answered.text()
    }
  }
  for (const page of ['https://app.example.com.evil.test', 'null']) {
    expect(allowed(await preflight(edge, page))).toBeNull()
    const answered = await get(edge, page)
    expect({ status: answered.status, origin: allowed(answered) }).toEqual({ status: 200, origin: null })
    expect(answered.headers.get('vary')).toContain('Origin')
  }
  const unauthorized = await fetch(`${edge}/v0/faces`, { headers: { origin: APP } })
  expect({ status: unauthorized.status, origin: allowed(unauthorized) }).toEqual({
    status: 401,
    origin: APP,
  })
  const options = await fetch(`${edge}/v0/face`, { method: 'OPTIONS', headers: { origin: APP } })
  expect(options.status).toBe(401)
})

it('an edge without MIEN_CORS_ORIGINS sends no CORS headers', async () => {
  const asked = await preflight(inject('edge'), APP)
  expect(asked.status).toBe(401)
  const answered = await get(inject('edge'), APP)
  for (const { headers } of [asked, answered])
    expect([...headers.keys()].filter(name => name.startsWith('access-control'))).toEqual([])
})
