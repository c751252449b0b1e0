/** Requests that nginx refuses, and forwarded headers that edges trust. */
import { inject } from 'vitest'
import { clientOf, form, sample } from '#test/support/client.ts'
import { hasNginx, type Nginx } from '#test/support/servers/nginx.ts'
import { startEdge } from '../edge/edge-process.ts'
import { hostOf, raw, rawText, service, upstream } from './before-edges.ts'

describe.skipIf(!hasNginx)('mien.conf in nginx', { tags: ['long', 'nginx'] }, () => {
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
