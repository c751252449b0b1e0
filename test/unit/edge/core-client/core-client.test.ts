/** Asking core: signed each time anew, by the way that is bound, and never as the caller's fault. */
import { createServer, type IncomingHttpHeaders, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { OWNER } from '../../../../bench/harness/sample-faces.ts'
import { encodeFrame } from '../../../../core/contract/rpc/frame.ts'
import { rpcPath } from '../../../../core/contract/rpc/operations.ts'
import { readSignature, signingKey, verifySignature } from '../../../../core/contract/rpc/signature.ts'
import { type CoreClientOptions, coreClient } from '../../../../edge/core-client/core-client.ts'

const SECRET = 'a secret of 32 letters or more ...'
const INVALID = { url: 'https://core.invalid', secret: SECRET }
const QUESTION = { owner: OWNER }

let origin = ''
let asked: IncomingHttpHeaders[]
let answer: RequestListener

beforeEach(async () => {
  asked = []
  answer = (_, response) => response.end(encodeFrame({ galleries: ['default'] }))
  const server: Server = createServer((request, response) => {
    asked.push(request.headers)
    request.resume().on('end', () => answer(request, response))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})

const client = (changes: Partial<CoreClientOptions> = {}) =>
  coreClient({ cores: [{ url: origin, secret: SECRET }], answerMs: 5_000, embedder: 'ours', ...changes })

describe('a question', () => {
  it('is signed under the name of its key, and otherwise each time', async () => {
    const core = client()
    for (let time = 0; time < 2; time++) await core.call('galleries.list', QUESTION)
    const key = await signingKey(SECRET)
    const stamps = asked.map(headers => readSignature(name => headers[name] as string | undefined)!)
    const request = { method: 'POST', path: rpcPath('galleries.list'), body: encodeFrame(QUESTION) }
    for (const stamp of stamps) {
      expect(stamp.key).toBe(key.id)
      expect(await verifySignature(key, stamp, request)).toBe(true)
    }
    expect(stamps[0]!.nonce).not.toBe(stamps[1]!.nonce)
  })

  it('goes through the binding where there is one, and so do pictures', async () => {
    const through = {
      fetch: (url: URL, init: RequestInit) => {
        expect(url.origin).toBe('https://core.invalid')
        return fetch(origin + url.pathname + url.search, init)
      },
    }
    const core = client({ cores: [INVALID], through })
    expect((await core.call('galleries.list', QUESTION)).answer).toEqual({ galleries: ['default'] })
    expect((await core.picture('/pictures/a?b=c')).status).toBe(200)
    expect(asked).toHaveLength(2)
    await expect(client({ cores: [INVALID] }).call('galleries.list', QUESTION)).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
    })
  })

  it.each([
    {
      what: 'for its signature is no fault of the caller',
      detail: { param: 'signature' },
      code: 'SERVICE_UNAVAILABLE',
    },
    { what: 'for its token is', detail: {}, code: 'AUTH_FAILED' },
  ])('that is refused $what', async ({ detail, code }) => {
    answer = (_, response) => response.writeHead(401).end(encodeFrame({ code: 'AUTH_FAILED', detail }))
    await expect(client().call('galleries.list', QUESTION)).rejects.toMatchObject({ code })
  })
})
