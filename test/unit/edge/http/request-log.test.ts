/** Requests in the edge's log: a line for each, and a count during a flood. */
import { EDGE_LIMITS } from '#contract/limits/edge.ts'
import type { ResponseCode } from '#contract/metrics.ts'
import { type RequestLine, requestLog } from '#edge/http/request-log.ts'

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
    for (let i = 0; i < EDGE_LIMITS.requestLinesAtOnce; i++) note(line('BAD_PARAM', i))
    expect(written).toHaveLength(EDGE_LIMITS.requestLinesAtOnce)
    expect(written.at(-1)).toEqual({
      event: 'refused',
      ...line('BAD_PARAM', EDGE_LIMITS.requestLinesAtOnce - 1),
    })
  })

  it('counts the requests above the limit by code and logs the counts after EDGE_LIMITS.requestCountMs', () => {
    const { written, note, pass } = world()
    for (let i = 0; i < EDGE_LIMITS.requestLinesAtOnce + 30; i++) note(line('AUTH_FAILED'))
    for (let i = 0; i < EDGE_LIMITS.requestLinesAtOnce + 5; i++) note(line('RATE_LIMITED'))
    expect(written).toHaveLength(2 * EDGE_LIMITS.requestLinesAtOnce)
    pass(EDGE_LIMITS.requestCountMs)
    expect(written.slice(2 * EDGE_LIMITS.requestLinesAtOnce)).toEqual([
      {
        event: 'requests not listed',
        since: new Date(1_000_000).toISOString(),
        counts: { AUTH_FAILED: 30, RATE_LIMITED: 5 },
      },
    ])
    pass(EDGE_LIMITS.requestCountMs)
    note(line('AUTH_FAILED'))
    expect(written.at(-1)).toMatchObject({ event: 'refused' })
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
})
