/** GET requests with a body. */
import { request } from 'node:http'
import type { Service } from '#bench/harness/service.ts'

/** The JSON answer to a GET with a body, which fetch refuses to send. */
export function getWithBody(
  service: Pick<Service, 'edge' | 'token'>,
  path: string,
  sent: object,
): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const body = JSON.stringify(sent)
    const headers = {
      authorization: `Token ${service.token}`,
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
    }
    const sending = request(service.edge + path, { method: 'GET', headers }, async response => {
      resolve(JSON.parse(Buffer.concat(await response.toArray()).toString()))
    })
    sending.on('error', reject)
    sending.end(body)
  })
}
