/** nginx with the shipped configuration in front of edges of a test, and raw requests to it. */
import { once } from 'node:events'
import type { IncomingMessage, RequestListener } from 'node:http'
import { type RequestOptions, request } from 'node:https'
import { text } from 'node:stream/consumers'
import { connect, getCACertificates, setDefaultCACertificates } from 'node:tls'
import { inject } from 'vitest'
import { clientOf, type Send } from '#test/support/client.ts'
import { type Nginx, startNginx } from '#test/support/servers/nginx.ts'
import { served } from '#test/support/servers/served.ts'

export const hostOf = (url: string): string => new URL(url).host

const trusted = getCACertificates()

/** Starts nginx, which stops with the test. Clients trust its certificate until then. */
export async function before(name: string, upstreams: Parameters<typeof startNginx>[1]): Promise<Nginx> {
  const nginx = await startNginx(name, upstreams)
  onTestFinished(async () => {
    setDefaultCACertificates(trusted)
    await nginx.stop()
  })
  setDefaultCACertificates([nginx.certificate])
  return nginx
}

/** nginx in front of these edges (`host:port`) and of the shared core. */
export async function service(edges = [hostOf(inject('edge'))]): Promise<{ nginx: Nginx; api: Send }> {
  const nginx = await before('mien.conf', { edges, core: hostOf(inject('core')) })
  return { nginx, api: clientOf(nginx.origin, inject('token')) }
}

/** A server of the test as upstream. */
export const upstream = async (listener: RequestListener): Promise<string> => hostOf(await served(listener))

/** Expects `nginx -t` to accept the configuration without a warning. */
export function expectAccepted(nginx: Nginx): void {
  const { status, stderr } = nginx.parsed()
  expect(stderr).toContain('test is successful')
  expect(stderr).not.toMatch(/warn|deprecated/)
  expect(status).toBe(0)
}

/** Sends a request whose path is not normalised. */
export async function raw({ port, certificate }: Nginx, options: RequestOptions): Promise<IncomingMessage> {
  const asked = request({ host: '127.0.0.1', port, ca: certificate, agent: false, ...options }).end()
  const [answer] = (await once(asked, 'response')) as [IncomingMessage]
  answer.resume()
  return answer
}

/** Sends a request that clients of Node would refuse; resolves with the whole answer. */
export async function rawText(
  { port, certificate }: Nginx,
  options: RequestOptions,
): Promise<{ text: string }> {
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
