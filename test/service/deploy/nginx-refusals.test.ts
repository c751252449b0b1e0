/** Requests that nginx refuses, and forwarded headers that edges trust. */
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { afterAll, describe, expect, inject, it, vi } from 'vitest'
import { clientOf, form, sample } from '#bench/harness/client.ts'
import { hasNginx, type Nginx } from '#bench/harness/nginx.ts'
import { startEdge } from '../edge/edge-process.ts'
import { hostOf, raw, rawText, service, upstream } from './before-edges.ts'

describe.skipIf(!hasNginx)('mien.conf in nginx', { tags: ['long', 'nginx'] }, () => {
  const trusted = getCACertificates()
  afterAll(() => setDefaultCACertificates(trusted))

  it.each(['/cdn-cgi/mf/scheduled', '/CDN-CGI', '/%63dn-cgi/x', '//cdn-cgi//x', '/v0/../cdn-cgi/x'])(
    'answers 404 at %s without asking an edge',
    async path => {
      const heard = vi.fn()
      const { nginx } = await service([await upstream((_, response) => void heard(response.end()))])
      const answer = await raw(nginx, { path })
      expect(answer.statusCode).toBe(404)
      expect(answer.headers['content-type']).toBe('application/json')
      expect(heard).not.toHaveBeenCalled()
    },
  )

  it.each(['MF-Original-URL', 'mf-cf-blob', 'MF-Op', 'MF-Custom-Fetch-Service'])(
    'refuses a request with the header %s without asking an edge',
    async name => {
      const heard = vi.fn()
      const { nginx } = await service([await upstream((_, response) => void heard(response.end()))])
      const { statusCode } = await raw(nginx, {
        path: '/healthz',
        headers: { [name]: 'http://x/v0/galleries' },
      })
      expect(statusCode).toBe(404)
      expect(heard).not.toHaveBeenCalled()
    },
  )

  it.each([
    {
      what: 'a Host with a space',
      options: { path: '/', headers: { host: 'a b' } },
      status: 400,
      code: 'BAD_REQUEST',
    },
    {
      what: 'TRACE',
      options: { method: 'TRACE', path: '/' },
      status: 405,
      code: 'METHOD_NOT_ALLOWED',
    },
    {
      what: 'a target of 100 KB',
      options: { path: `/${'a'.repeat(100_000)}` },
      status: 431,
      code: 'HEADERS_TOO_LARGE',
    },
  ])('refuses $what with the texts of the service', async ({ options, status, code }) => {
    const { nginx } = await service()
    const { text } = await rawText(nginx, options)
    expect(text).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
    expect(JSON.parse(text.slice(text.indexOf('{')))).toMatchObject({ code })
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
