import { inspect } from 'node:util'
import { MienClient, MienError, MienNetworkError, MienTimeoutError } from '#clients/typescript/src/index.ts'
import { delayMs } from '#clients/typescript/src/send.ts'
import { type Call, clientScenarios } from '../scenarios.ts'
import { refused, scriptedServer, TOKEN } from '../scripted-server.ts'

const photo = new Uint8Array([1, 2, 3])
const unavailable = refused(503, 'SERVICE_UNAVAILABLE')

const CALLS: Record<Call, (client: MienClient) => Promise<unknown>> = {
  'detect a photo': client => client.detect(photo),
  'get a face': client => client.faces.get(1),
  'delete a face': client => client.faces.delete(1),
  'create a camera': client => client.cameras.create(),
  'create a gallery': client => client.galleries.create('staff'),
}

const endOf = (error: unknown): string => {
  if (error instanceof MienError) return `${error.status} ${error.code}`
  return error instanceof MienNetworkError ? 'no answer' : String(error)
}

describe('the TypeScript client', () => {
  clientScenarios((url, call) =>
    CALLS[call](new MienClient({ url, token: TOKEN, retryDelayMs: 1 })).then(
      () => ({ ended: 'answered', shown: '' }),
      error => ({ ended: endOf(error), shown: inspect(error, { depth: 9, showHidden: true }) }),
    ),
  )
})

describe('an enrolment', () => {
  it('has one Idempotency-Key for all attempts, and another one the next time', async () => {
    await using server = await scriptedServer(unavailable, 'break', { body: { results: [] } })
    await server.client.faces.enrol(photo)
    await server.client.faces.enrol(photo)
    const [a, b, c, next] = server.asked.map(({ headers }) => headers['idempotency-key'])
    expect(a).toMatch(/^[0-9a-f-]{36}$/)
    expect([b, c]).toEqual([a, a])
    expect(next).not.toBe(a)
  })
})

describe('a key that the service would ignore or refuse', () => {
  it.each([' ', 'x'.repeat(256), 'a\nb', 'é'])('is refused: %j', async idempotencyKey => {
    await using server = await scriptedServer({})
    await expect(server.client.faces.enrol(photo, {}, { idempotencyKey })).rejects.toThrow(TypeError)
    expect(server.asked).toEqual([])
  })
})

describe('a call', () => {
  it('ends at its time limit', async () => {
    await using server = await scriptedServer('silence')
    const failed = server.client.faces.get(1, { timeoutMs: 50 })
    await expect(failed).rejects.toBeInstanceOf(MienTimeoutError)
    await expect(failed).rejects.toBeInstanceOf(MienNetworkError)
  })

  it('ends with the reason of the signal, during a request and during a wait', async () => {
    const later = refused(503, 'SERVICE_UNAVAILABLE', { 'retry-after': '60' })
    for (const reply of ['silence', later] as const) {
      await using server = await scriptedServer(reply)
      const abort = new AbortController()
      const failed = expect(server.client.faces.get(1, { signal: abort.signal })).rejects.toThrow('Enough.')
      while (server.asked.length === 0) await new Promise(resolve => setTimeout(resolve, 5))
      abort.abort(new Error('Enough.'))
      await failed
      expect(server.asked).toHaveLength(1)
    }
  })
})

describe('the delay', () => {
  const delay = (retry: number, random: number, retryAfter?: number) =>
    delayMs(new MienError({ status: 503, code: 'SERVICE_UNAVAILABLE', reason: '', retryAfter }), {
      retry,
      random,
      baseMs: 100,
    })

  it('doubles, with jitter of half, to a limit', () => {
    expect([0, 1, 2, 3].map(retry => delay(retry, 1))).toEqual([100, 200, 400, 800])
    expect(delay(2, 0)).toBe(200)
    expect(delay(40, 1)).toBe(10_000)
  })

  it('is never less than Retry-After', () => {
    expect(delay(0, 0, 7)).toBeGreaterThanOrEqual(7_000)
    expect(delay(0, 1, 7)).toBe(7_100)
  })
})
