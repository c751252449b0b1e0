/** The edge in workerd whose core shows a certificate of a private authority, which expires and is renewed. */
import { inject } from 'vitest'
import { clientOf, form, sample } from '#test/support/client.ts'
import { newToken } from '#test/support/tokens.ts'
import { temporaryFolder } from '#test/unit/core/folder.ts'
import { startLoggedEdge } from '../logged-edge.ts'
import { makeCertificates, startTlsProxy } from './tls-proxy.ts'

/** The edge logs and connects again when its machine has time. */
const POLL = { timeout: 30_000 }

it('answers 503 with Retry-After while the certificate of core is expired, and 200 once it is renewed', {
  tags: 'long',
}, async () => {
  const address = '127.0.0.1'
  const certificates = makeCertificates(await temporaryFolder(), address)
  const proxy = await startTlsProxy({ address, certificates, target: inject('core') })
  onTestFinished(proxy.stop)
  const edge = await startLoggedEdge({
    MIEN_CORE_URL: proxy.origin,
    SSL_CERT_FILE: certificates.authority,
  })
  const api = clientOf(edge.origin, newToken(inject('data'), `expired certificate ${process.pid}`))
  const enrol = async () => api('POST', '/v0/face', form({ photo: await sample(1) }))
  const list = async () => api('GET', '/v0/faces')
  await expect(enrol()).toAnswer(200)

  proxy.expire()
  for (const { status, headers, body } of [await enrol(), await list(), await enrol()]) {
    expect({ status, code: body.code }).toEqual({ status: 503, code: 'SERVICE_UNAVAILABLE' })
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
  }
  const isTold = () => edge.lines().some(({ why }) => why === 'certificate')
  await expect.poll(isTold, POLL).toBe(true)

  proxy.renew()
  await expect.poll(async () => (await enrol()).status, POLL).toBe(200)
  expect((await list()).body.results).toHaveLength(2)
})
