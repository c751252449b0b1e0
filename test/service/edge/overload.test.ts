/** An overloaded isolate over HTTP: slow and large bodies of one token, beside requests of another token. */

import { type ClientRequest, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { inject } from 'vitest'
import { EDGE_LIMITS } from '#contract/limits/edge.ts'
import { clientOf, form, type Send } from '#test/support/client.ts'
import { descendantOf, memoryOf } from '#test/support/processes.ts'
import { times } from '#test/support/times.ts'
import { newToken } from '#test/support/tokens.ts'
import { photos } from '../../contract/requests.ts'
import { until } from './core-places.ts'
import { apiOf } from './shared.ts'

const MB = 2 ** 20

let flooding: string
let other: Send
let photo: Uint8Array<ArrayBuffer>
let sent: ClientRequest[] = []

beforeAll(async () => {
  flooding = newToken(inject('data'), `flood ${process.pid}`)
  other = apiOf(`beside ${process.pid}`)
  photo = (await photos())[0]!
})

afterEach(() => {
  for (const one of sent) one.destroy()
  sent = []
})

interface Slow {
  asked: ClientRequest
  /** The answer, when there is one. */
  answer: { status: number; retryAfter: string | undefined; code: string } | undefined
}

/** Announces `bytes` bytes, sends `sends`, and stalls. */
function slow(bytes: number, sends = Buffer.alloc(0)): Slow {
  const headers = {
    authorization: `Token ${flooding}`,
    'content-type': 'multipart/form-data; boundary=b',
    'content-length': bytes,
  }
  const asked = request(`${inject('edge')}/v0/detect`, { method: 'POST', headers })
  const slow: Slow = { asked, answer: undefined }
  asked.on('error', () => {})
  asked.on('response', response => {
    let text = ''
    response.on('data', chunk => {
      text += chunk
    })
    response.on('end', () => {
      const retryAfter = response.headers['retry-after']
      slow.answer = { status: response.statusCode ?? 0, retryAfter, code: JSON.parse(text).code }
    })
  })
  asked.flushHeaders()
  asked.write(sends)
  sent.push(asked)
  return slow
}

/** The first `count` parts of an unfinished multipart body, 1 MB each. */
const megabytes = (count: number) =>
  Buffer.concat(
    times(count, () => [
      Buffer.from('--b\r\nContent-Disposition: form-data; name="x"; filename="x"\r\n\r\n'),
      Buffer.alloc(MB),
      Buffer.from('\r\n'),
    ]).flat(),
  )

const answersOf = (all: Slow[]) => all.flatMap(({ answer }) => answer ?? [])

const detects = async () => (await other('POST', '/v0/detect', form({ photo }))).status

describe('a token that floods an edge with slow bodies', () => {
  it('gets 503 with Retry-After before its bodies are read, while another token is served', async () => {
    const more = 5
    const inAndWaiting = EDGE_LIMITS.requests / 2 + EDGE_LIMITS.waiting / 2
    const flood = times(inAndWaiting + more, () => slow(1_000))
    await until(() => answersOf(flood).length >= more)
    expect(answersOf(flood)).toEqual(
      Array(more).fill({ status: 503, retryAfter: '1', code: 'SERVICE_UNAVAILABLE' }),
    )
    expect(await detects()).toBe(200)
  })

  it('is served again after it closes its connections', async () => {
    const flood = times(EDGE_LIMITS.requests / 2 + 5, () => slow(1_000))
    expect(await detects()).toBe(200)
    for (const { asked } of flood) asked.destroy()
    // The edge notices a closed connection a moment later; until then it may refuse and close.
    const again = clientOf(inject('edge'), flooding)
    const served = async () =>
      (await again('POST', '/v0/detect', form({ photo })).catch(() => undefined))?.status === 200
    await vi.waitUntil(served, { timeout: 5_000, interval: 50 })
  })

  it('does not raise the memory of the edge above its limit', { tags: 'long' }, async () => {
    const workerd = await descendantOf(inject('launcher'), 'workerd')
    await detects()
    const before = await memoryOf(workerd, 'VmRSS')
    const flood = times(30, () => slow(20 * MB, megabytes(19)))
    for (let i = 0; i < 5; i++) {
      expect(await detects()).toBe(200)
      await sleep(200)
    }
    // 570 MB are in transit; buffers of the operating system do not count as memory of the edge.
    expect((await memoryOf(workerd, 'VmRSS')) - before).toBeLessThan(250)
    expect(flood.some(({ answer }) => answer?.status === 200)).toBe(false)
  })
})
