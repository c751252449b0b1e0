/** The Worker in workerd with a core that is unreachable, silent, or answers no valid frame. */
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestHarness } from 'wrangler'
import { clientOf, form, type Send, sample } from '#bench/harness/client.ts'
import { newToken } from '#contract/model/token.ts'

const ROOT = join(import.meta.dirname, '..', '..', '..', '..')

const cores: Record<string, RequestListener> = {
  'never answers': () => {},
  'answers garbage': (_, response) => void response.end('<html>It works!</html>'),
  'answers half a frame': (_, response) => void response.end(Buffer.from([200, 0, 0, 0, 1, 2, 3])),
  'hangs up': request => void request.socket.destroy(),
  'answers with a redirect': (_, response) =>
    void response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end(),
  'is a proxy with an error page': (_, response) => void response.writeHead(502).end('Bad gateway'),
}

describe('the edge without a working core', () => {
  let core: Server
  let behave: RequestListener | undefined
  let api: Send
  const harness = createTestHarness()

  beforeAll(async () => {
    core = createServer((request, response) =>
      behave ? behave(request, response) : request.socket.destroy(),
    )
    await new Promise<void>(resolve => core.listen(0, '127.0.0.1', resolve))
    const { port } = core.address() as AddressInfo
    const vars = {
      CORE_URL: `http://127.0.0.1:${port}`,
      EDGE_SECRET: 'a secret of 32 letters or more ...',
      CORE_ANSWER_MS: '500',
    }
    await harness.update({
      workers: [
        { configPath: join(ROOT, 'wrangler.toml'), prebuiltWorkerDir: join(ROOT, 'dist', 'edge'), vars },
      ],
    })
    const { url } = await harness.listen()
    api = clientOf(url.origin, await newToken())
  })
  afterAll(async () => {
    await harness.close()
    core.closeAllConnections()
    core.close()
  })

  it.each(Object.entries(cores))(
    'answers 503 SERVICE_UNAVAILABLE with Retry-After when core %s',
    async (_, behaviour) => {
      behave = behaviour
      for (const [method, path, body] of [
        ['POST', '/v0/detect', form({ photo: await sample(3) })],
        ['GET', '/v0/galleries', undefined],
      ] as const) {
        const answer = await api(method, path, body)
        expect({ status: answer.status, code: answer.body.code }).toEqual({
          status: 503,
          code: 'SERVICE_UNAVAILABLE',
        })
        expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
      }
    },
  )

  it('answers 503 when nothing listens at the address of core', async () => {
    await new Promise(resolve => {
      core.close(resolve)
      core.closeAllConnections()
    })
    const { status, body } = await api('GET', '/v0/galleries')
    expect({ status, code: body.code }).toEqual({ status: 503, code: 'SERVICE_UNAVAILABLE' })
  })

  it('answers 401 to a malformed token without asking core', async () => {
    const { status, body } = await api('GET', '/v0/galleries', undefined, { authorization: 'Token garbage' })
    expect({ status, code: body.code }).toEqual({ status: 401, code: 'AUTH_FAILED' })
  })
})
