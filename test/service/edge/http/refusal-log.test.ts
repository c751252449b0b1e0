/** Refusals in the edge's log: each by its request's id, a flood by its number, and nothing that callers wrote. */
import { describe, expect, inject, it } from 'vitest'
import { form } from '../../../../bench/harness/client.ts'
import { LIMITS } from '../../../../core/contract/limits.ts'
import { type RefusalLine, refusalLog } from '../../../../edge/http/refusal-log.ts'
import { startLoggedEdge } from '../logged-edge.ts'

const line = (code: string, number = 0): RefusalLine => ({
  request_id: `request-${number}`,
  status: 400,
  code,
  method: 'POST',
  route: '/v0/detect',
})

function world() {
  const written: Record<string, unknown>[] = []
  const waiting: { at: number; work(): void }[] = []
  let at = 1_000_000
  const note = refusalLog({
    write: entry => written.push(entry),
    later: (ms, work) => waiting.push({ at: at + ms, work }),
    now: () => at,
  })
  const pass = (ms: number) => {
    at += ms
    for (const one of waiting.splice(0)) one.at <= at ? one.work() : waiting.push(one)
  }
  return { written, note, pass }
}

describe('the log of refusals', () => {
  it('has a line for each, as long as there are not too many', () => {
    const { written, note } = world()
    for (let i = 0; i < LIMITS.refusalLinesAtOnce; i++) note(line('BAD_PARAM', i))
    expect(written).toHaveLength(LIMITS.refusalLinesAtOnce)
    expect(written.at(-1)).toEqual({ event: 'refused', ...line('BAD_PARAM', LIMITS.refusalLinesAtOnce - 1) })
  })

  it('counts what is too much, by code, and tells the number when the time is over', () => {
    const { written, note, pass } = world()
    for (let i = 0; i < LIMITS.refusalLinesAtOnce + 30; i++) note(line('AUTH_FAILED'))
    for (let i = 0; i < LIMITS.refusalLinesAtOnce + 5; i++) note(line('RATE_LIMITED'))
    expect(written).toHaveLength(2 * LIMITS.refusalLinesAtOnce)
    pass(LIMITS.refusalCountMs)
    expect(written.slice(2 * LIMITS.refusalLinesAtOnce)).toEqual([
      {
        event: 'refusals suppressed',
        since: new Date(1_000_000).toISOString(),
        counts: { AUTH_FAILED: 30, RATE_LIMITED: 5 },
      },
    ])
    pass(LIMITS.refusalCountMs)
    note(line('AUTH_FAILED'))
    expect(written.at(-1)).toMatchObject({ event: 'refused' })
  })

  it('does not hide refusals of one kind behind a flood of another', () => {
    const { written, note } = world()
    for (let i = 0; i < 10 * LIMITS.refusalLinesAtOnce; i++) note(line('AUTH_FAILED'))
    note(line('BAD_IMAGE', 7))
    expect(written.at(-1)).toMatchObject({ request_id: 'request-7', code: 'BAD_IMAGE' })
  })

  it('accounts for every refusal of a long flood', () => {
    const { written, note, pass } = world()
    for (let i = 0; i < 60_000; i++) {
      note(line('AUTH_FAILED'))
      pass(1)
    }
    pass(LIMITS.refusalCountMs)
    const listed = written.filter(({ event }) => event === 'refused').length
    const counted = written.map(({ counts }) => (counts as { AUTH_FAILED: number })?.AUTH_FAILED ?? 0)
    expect(listed + counted.reduce((sum, count) => sum + count, 0)).toBe(60_000)
    expect(written.length).toBeLessThan(
      LIMITS.refusalLinesAtOnce + 61 * LIMITS.refusalLinesPerSecond + 60_000 / LIMITS.refusalCountMs + 2,
    )
  })
})

describe('an edge', () => {
  it('has every refusal in its log, found by its request_id, and nothing that the caller wrote', async () => {
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
    const photo = { bytes: new TextEncoder().encode(secret), name: `${secret}.jpg` }
    const refused = [
      { ...(await send('GET', `/v0/faces?${secret}=1`)), route: '/v0/faces' },
      {
        ...(await send('GET', '/v0/faces', undefined, { authorization: `Token ${secret}` })),
        route: '/v0/faces',
      },
      { ...(await send('GET', `/v1/${secret}`, undefined, { authorization })), route: '/*' },
      {
        ...(await send('PATCH', `/v0/face/meta/${secret}`, undefined, { authorization })),
        route: '/v0/face/meta/:meta',
      },
      {
        ...(await send('GET', `/v0/person/id/${secret}`, undefined, { authorization })),
        route: '/v0/person/id/:id',
      },
      { ...(await send('POST', '/detect', form({ photo }), { authorization })), route: '/detect' },
      {
        ...(await send('POST', '/v0/identify', form({ threshold: secret }), { authorization })),
        route: '/v0/identify',
      },
    ]
    await expect.poll(() => lines().length).toBeGreaterThanOrEqual(refused.length)
    const written = lines().filter(({ event }) => event === 'refused')
    expect(written).toEqual(refused.map(one => ({ time: expect.any(String), event: 'refused', ...one })))
    expect(JSON.stringify(lines())).not.toContain(secret)
    expect(JSON.stringify(lines())).not.toContain(inject('token'))
  })
})
