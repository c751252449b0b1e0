import { describe, expect, it } from 'vitest'
import { MienError, MienNetworkError, MienTimeoutError } from '#clients/typescript/src/index.ts'
import { delayMs } from '#clients/typescript/src/send.ts'
import { type Reply, refused, scriptedServer } from '../scripted-server.ts'

const photo = new Uint8Array([1, 2, 3])
const unavailable = refused(503, 'SERVICE_UNAVAILABLE')
const limited = refused(429, 'RATE_LIMITED', { 'retry-after': '0' })

describe('a repeatable request', () => {
  it.each<[string, Reply]>([
    ['429', limited],
    ['502 of a proxy', { status: 502, body: '<html>' }],
    ['503', unavailable],
    ['broken connection', 'break'],
    ['answer that breaks off', 'break off'],
  ])('is repeated after a %s', async (_, first) => {
    await using server = await scriptedServer(first, first, { body: { faces: [], orientation: 1 } })
    expect(await server.client.detect(photo)).toEqual({ faces: [], orientation: 1 })
    const sent = server.asked.map(({ method, path, body }) => [method, path, body.includes('\x01\x02\x03')])
    expect(sent).toEqual(new Array(3).fill(['POST', '/v1/detect', true]))
  })

  it.each([
    [400, 'BAD_PARAM'],
    [500, 'INTERNAL_ERROR'],
  ])('is not repeated after a %i', async (status, code) => {
    await using server = await scriptedServer(refused(status, code))
    await expect(server.client.faces.get(1)).rejects.toMatchObject({ status, code })
    expect(server.asked).toHaveLength(1)
  })

  it('fails with the last error after five attempts', async () => {
    await using server = await scriptedServer(unavailable)
    await expect(server.client.faces.get(1)).rejects.toBeInstanceOf(MienError)
    expect(server.asked).toHaveLength(5)
  })

  it('is not repeated when Retry-After exceeds the time limit', async () => {
    await using server = await scriptedServer(refused(429, 'RATE_LIMITED', { 'retry-after': '3600' }))
    await expect(server.client.faces.get(1)).rejects.toMatchObject({ status: 429, retryAfter: 3600 })
    expect(server.asked).toHaveLength(1)
  })
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

describe('the creation of a gallery or a camera', () => {
  it.each<[string, Reply]>([
    ['503', unavailable],
    ['broken connection', 'break'],
  ])('is not repeated after a %s: it may be done', async (_, reply) => {
    await using server = await scriptedServer(reply)
    await expect(server.client.galleries.create('staff')).rejects.toThrow()
    await expect(server.client.cameras.create()).rejects.toThrow()
    expect(server.asked).toHaveLength(2)
  })

  it('is repeated after a 429', async () => {
    await using server = await scriptedServer(limited, { status: 201, body: { name: 'staff' } })
    expect(await server.client.galleries.create('staff')).toEqual({ name: 'staff' })
  })
})

describe('a deletion', () => {
  const missing = refused(404, 'NOT_FOUND')

  it('succeeds when its repetition finds nothing', async () => {
    await using server = await scriptedServer('break', missing)
    expect(await server.client.faces.delete(1)).toBeUndefined()
  })

  it.each<[string, Reply]>([
    ['one attempt', missing],
    ['a 429', limited],
  ])('of a missing face fails after %s', async (_, first) => {
    await using server = await scriptedServer(first, missing)
    await expect(server.client.faces.delete(1)).rejects.toMatchObject({ code: 'NOT_FOUND' })
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
