/** The edge in workerd whose core shows a certificate of a private authority, which expires and is renewed. */

import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { request } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { inject } from 'vitest'
import { clientOf, form, sample } from '#test/support/client.ts'
import { newToken } from '#test/support/tokens.ts'
import { temporaryFolder } from '#test/unit/core/folder.ts'
import { startLoggedEdge } from '../logged-edge.ts'

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

interface Certificates {
  /** PEM file of the authority. */
  authority: string
  valid: { key: Buffer; cert: Buffer }
  expired: { key: Buffer; cert: Buffer }
}

interface TlsProxy {
  origin: string
  /** Shows the expired certificate, and closes the connections that were made with the valid one. */
  expire(): void
  /** Shows the valid certificate again. */
  renew(): void
  stop(): void
}

interface TlsProxyOptions {
  address: string
  certificates: Certificates
  /** Origin of the server behind the proxy. */
  target: string
}

/** Listens on a free port of the address. Method, path, headers and body stay as they are: they are signed. */
async function startTlsProxy({ address, certificates, target }: TlsProxyOptions): Promise<TlsProxy> {
  const { hostname, port } = new URL(target)
  const server = createServer(certificates.valid, async (incoming, answer) => {
    const body = await buffer(incoming).catch(() => undefined)
    if (!body) return
    const { method, url, rawHeaders } = incoming
    const passed = request({ hostname, port, method, path: url, headers: rawHeaders as never })
    passed.on('error', () => answer.destroy())
    passed.on('response', told => {
      answer.writeHead(told.statusCode!, told.headers)
      told.pipe(answer)
    })
    passed.end(body)
  }).listen(0, address)
  await once(server, 'listening')
  return {
    origin: `https://${address}:${(server.address() as AddressInfo).port}`,
    expire() {
      server.setSecureContext(certificates.expired)
      server.closeAllConnections()
    },
    renew: () => server.setSecureContext(certificates.valid),
    stop() {
      server.close()
      server.closeAllConnections()
    },
  }
}

/** Makes an authority, and a valid and an expired certificate of it for this address. The files are in the folder. */
function makeCertificates(folder: string, address: string): Certificates {
  const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' })
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes']
  openssl(
    'req',
    '-x509',
    ...key,
    '-days',
    '2',
    '-subj',
    '/CN=authority',
    '-keyout',
    'ca.key',
    '-out',
    'ca.pem',
  )
  openssl(
    'req',
    ...key,
    '-subj',
    '/CN=server',
    '-addext',
    `subjectAltName=IP:${address}`,
    '-keyout',
    'server.key',
    '-out',
    'server.csr',
  )
  const read = (name: string) => readFileSync(join(folder, name))
  const signed = (name: string, days: string) => {
    openssl(
      'x509',
      '-req',
      '-in',
      'server.csr',
      '-CA',
      'ca.pem',
      '-CAkey',
      'ca.key',
      '-CAcreateserial',
      '-copy_extensions',
      'copyall',
      '-days',
      days,
      '-out',
      name,
    )
    return { key: read('server.key'), cert: read(name) }
  }
  return {
    authority: join(folder, 'ca.pem'),
    valid: signed('valid.pem', '2'),
    expired: signed('expired.pem', '-1'),
  }
}
