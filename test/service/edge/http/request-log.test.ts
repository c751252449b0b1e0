/** Requests in the edge's log: a line with the request id, a count during a flood, and no text of callers. */
import { describe, expect, inject, it } from 'vitest'
import { form, sample } from '../../../../bench/harness/client.ts'
import { LIMITS } from '../../../../core/contract/limits.ts'
import type { ResponseCode } from '../../../../core/contract/metrics.ts'
import { type RequestLine, requestLog } from '../../../../edge/http/request-log.ts'
import { startLoggedEdge } from '../logged-edge.ts'

const line = (code: ResponseCode, number = 0): RequestLine => ({
  request_id: `request-${number}`,
  status: 400,
  code,
  method: 'POST',
  route: '/v0/detect',
  ms: 3,
})

function world(logsAll = true) {
  const written: Record<string, unknown>[] = []
  const waiting: { at: number; work(): void }[] = []
  let at = 1_000_000
  const note = requestLog({
    write: entry => written.push(entry),
    later: (ms, work) => waiting.push({ at: at + ms, work }),
    logsAll,
    now: () => at,
  })
  const pass = (ms: number) => {
    at += ms
    for (const one of waiting.splice(0)) one.at <= at ? one.work() : waiting.push(one)
  }
  return { written, note, pass }
}

describe('requestLog', () => {
  it('writes one line per request within the burst limit', () => {
    const { written, note } = world()
    for (let i = 0; i < LIMITS.requestLinesAtOnce; i++) note(line('BAD_PARAM', i))
    expect(written).toHaveLength(LIMITS.requestLinesAtOnce)
    expect(written.at(-1)).toEqual({ event: 'refused', ...line('BAD_PARAM', LIMITS.requestLinesAtOnce - 1) })
  })

  it('counts the requests above the limit by code and logs the counts after LIMITS.requestCountMs', () => {
    const { written, note, pass } = world()
    for (let i = 0; i < LIMITS.requestLinesAtOnce + 30; i++) note(line('AUTH_FAILED'))
    for (let i = 0; i < LIMITS.requestLinesAtOnce + 5; i++) note(line('RATE_LIMITED'))
    expect(written).toHaveLength(2 * LIMITS.requestLinesAtOnce)
    pass(LIMITS.requestCountMs)
    expect(written.slice(2 * LIMITS.requestLinesAtOnce)).toEqual([
      {
        event: 'requests not listed',
        since: new Date(1_000_000).toISOString(),
        counts: { AUTH_FAILED: 30, RATE_LIMITED: 5 },
      },
    ])
    pass(LIMITS.requestCountMs)
    note(line('AUTH_FAILED'))
    expect(written.at(-1)).toMatchObject({ event: 'refused' })
  })

  it('logs a refusal of one code during a flood of another code', () => {
    const { written, note } = world()
    for (let i = 0; i < 10 * LIMITS.requestLinesAtOnce; i++) note(line('AUTH_FAILED'))
    note(line('BAD_IMAGE', 7))
    expect(written.at(-1)).toMatchObject({ request_id: 'request-7', code: 'BAD_IMAGE' })
  })

  it('has answered requests beside refusals, unless only refusals are logged', () => {
    const all = world()
    all.note({ ...line('OK'), operation: 'detect', faces: 2 })
    expect(all.written).toEqual([{ event: 'request', ...line('OK'), operation: 'detect', faces: 2 }])
    const refusals = world(false)
    refusals.note(line('OK'))
    refusals.note(line('BAD_PARAM'))
    expect(refusals.written).toEqual([{ event: 'refused', ...line('BAD_PARAM') }])
  })

  it('accounts for every refusal of a long flood', () => {
    const { written, note, pass } = world()
    for (let i = 0; i < 60_000; i++) {
      note(line('AUTH_FAILED'))
      pass(1)
    }
    pass(LIMITS.requestCountMs)
    const listed = written.filter(({ event }) => event === 'refused').length
    const counted = written.map(({ counts }) => (counts as { AUTH_FAILED: number })?.AUTH_FAILED ?? 0)
    expect(listed + counted.reduce((sum, count) => sum + count, 0)).toBe(60_000)
    expect(written.length).toBeLessThan(
      LIMITS.requestLinesAtOnce + 61 * LIMITS.requestLinesPerSecond + 60_000 / LIMITS.requestCountMs + 2,
    )
  })
})

describe('the running edge', { tags: 'long' }, () => {
  it('logs every refusal with its request_id and without text of the caller', async () => {
    const { origin, lines } = await startLoggedEdge()
    const send = async (
      method: string,
      path: string,
      body?: FormData,
      headers: Record<string, string> = {},
    ) => {
      const init = { method, headers, ...(body && { body }) }
      const response = await fetch(origin + path, init)
      const { request_id, code } = (await response.json()) as Record<string, unknown>
      expect(response.headers.get('x-request-id')).toBe(request_id)
      return { request_id, code, status: response.status, method }
    }
    const authorization = `Bearer ${inject('token')}`
    const secret = 'Anna-Secret'
    const owner = expect.stringMatching(/^[0-9a-f]{24}$/)
    const photo = { bytes: new TextEncoder().encode(secret), name: `${secret}.jpg` }
    const refused = [
      { ...(await send('GET', `/v0/faces?${secret}=1`)), route: '/v0/faces', operation: 'listFaces' },
      {
        ...(await send('GET', '/v0/faces', undefined, { authorization: `Token ${secret}` })),
        route: '/v0/faces',
        operation: 'listFaces',
      },
      { ...(await send('GET', `/v1/${secret}`, undefined, { authorization })), route: '/*' },
      {
        ...(await send('PATCH', `/v0/face/meta/${secret}`, undefined, { authorization })),
        route: '/v0/face/meta/:meta',
      },
      {
        ...(await send('GET', `/v0/person/id/${secret}`, undefined, { authorization })),
        route: '/v0/person/id/:id',
        operation: 'getPerson',
        owner,
      },
      {
        ...(await send('POST', '/detect', form({ photo }), { authorization })),
        route: '/detect',
        operation: 'detect',
        owner,
      },
      {
        ...(await send('POST', '/v0/identify', form({ threshold: secret }), { authorization })),
        route: '/v0/identify',
        operation: 'identify',
        owner,
      },
    ]
    await expect.poll(() => lines().length).toBeGreaterThanOrEqual(refused.length)
    const written = lines().filter(({ event }) => event === 'refused')
    const measured = { time: expect.any(String), event: 'refused', ms: expect.any(Number) }
    expect(written).toEqual(refused.map(one => ({ ...measured, ...one })))
    expect(JSON.stringify(lines())).not.toContain(secret)
    expect(JSON.stringify(lines())).not.toContain(inject('token'))
  })

  it.each([
    { logged: true, setting: '' },
    { logged: false, setting: 'false' },
  ])(
    'with MIEN_LOG_REQUESTS=$setting has answered requests in its log: $logged',
    async ({ logged, setting }) => {
      const { origin, lines } = await startLoggedEdge({ MIEN_LOG_REQUESTS: setting })
      const trace = '4bf92f3577b34da6a3ce929d0e0e4736'
      const traceparent = `00-${trace}-00f067aa0ba902b7-01`
      const headers = { authorization: `Bearer ${inject('token')}`, traceparent }
      const body = form({ photo1: await sample(1), photo2: await sample(1), mf_selector: 'biggest' })
      const answered = await fetch(`${origin}/v1/verify`, { method: 'POST', headers, body })
      expect(answered.status).toBe(200)
      expect((await fetch(`${origin}/healthz`)).status).toBe(200)
      expect((await fetch(`${origin}/v1/faces`)).status).toBe(401)
      await expect.poll(() => lines().filter(({ event }) => event === 'refused')).toHaveLength(1)
      const requests = lines().filter(({ event }) => event === 'request')
      const line = {
        event: 'request',
        time: expect.any(String),
        request_id: answered.headers.get('x-request-id'),
        status: 200,
        code: 'OK',
        method: 'POST',
        route: '/v1/verify',
        operation: 'verify',
        owner: expect.stringMatching(/^[0-9a-f]{24}$/),
        ms: expect.any(Number),
        faces: expect.any(Number),
        trace_id: trace,
      }
      expect(requests).toEqual(logged ? [line] : [])
      if (logged) expect(requests[0]!.faces).toBeGreaterThanOrEqual(2)
    },
  )
})
