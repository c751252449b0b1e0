/** Treatment of answers by each client: repetitions and errors. */
import { expect, it } from 'vitest'
import { type Reply, refusal, scriptedServer, TOKEN } from './scripted-server.ts'

/** Calls that each client makes in its language. */
export type Call =
  | 'detect a photo'
  | 'enrol a photo'
  | 'get a face'
  | 'delete a face'
  | 'create a camera'
  | 'create a gallery'

interface Outcome {
  /** `answered`, the status and code of a refusal, or `no answer`. */
  ended: string
  /** Everything that the error shows. */
  shown: string
}

const unavailable = refusal(503, 'SERVICE_UNAVAILABLE')
const limited = refusal(429, 'RATE_LIMITED', { 'retry-after': '0' })
const missing = refusal(404, 'NOT_FOUND')
const done: Reply = { body: {} }
const proxy: Reply = { status: 502, body: '<html>' }

/** The call, the answers, the end, and the number of requests. */
const SCENARIOS: [call: Call, replies: [Reply, ...Reply[]], ended: string, requests: number][] = [
  ['detect a photo', [limited, limited, done], 'answered', 3],
  ['detect a photo', [proxy, proxy, done], 'answered', 3],
  ['detect a photo', [unavailable, unavailable, done], 'answered', 3],
  ['detect a photo', ['break', 'break', done], 'answered', 3],
  ['detect a photo', ['break off', 'break off', done], 'answered', 3],
  ['get a face', [unavailable], '503 SERVICE_UNAVAILABLE', 5],
  ['get a face', [refusal(429, 'RATE_LIMITED', { 'retry-after': '3600' })], '429 RATE_LIMITED', 1],
  ['get a face', [missing], '404 NOT_FOUND', 1],
  ['get a face', [refusal(400, 'BAD_PARAM')], '400 BAD_PARAM', 1],
  ['get a face', [refusal(500, 'INTERNAL_ERROR')], '500 INTERNAL_ERROR', 1],
  ['get a face', [refusal(401, 'AUTH_FAILED')], '401 AUTH_FAILED', 1],
  ['get a face', ['break'], 'no answer', 5],
  ['get a face', [{ status: 404, body: '<html>' }], '404 UNEXPECTED_ANSWER', 1],
  ['get a face', [{ body: '<html>Welcome</html>' }], '200 UNEXPECTED_ANSWER', 1],
  ['get a face', [{ status: 302, headers: { location: 'http://127.0.0.1:9/' } }], '302 UNEXPECTED_ANSWER', 1],
  ['create a camera', [unavailable], '503 SERVICE_UNAVAILABLE', 1],
  ['create a camera', ['break'], 'no answer', 1],
  ['create a gallery', [unavailable], '503 SERVICE_UNAVAILABLE', 1],
  ['create a gallery', ['break'], 'no answer', 1],
  ['create a gallery', [limited, done], 'answered', 2],
  ['delete a face', ['break', missing], 'answered', 2],
  ['delete a face', [limited, missing], '404 NOT_FOUND', 2],
]

/** Tests a client: `run` makes a call to this server, whose answers are numbered from the first. */
export function clientScenarios(run: (url: string, call: Call) => Promise<Outcome>): void {
  it.each(SCENARIOS)(
    '%s after %j: %s, after %i requests, without the token in an error',
    async (call, replies, ended, requests) => {
      await using server = await scriptedServer(...replies)
      const outcome = await run(server.url, call)
      expect([outcome.ended, server.asked.length]).toEqual([ended, requests])
      expect(outcome.shown).not.toContain(TOKEN)
      if (call === 'detect a photo')
        for (const { body } of server.asked) expect(body).toContain('\x01\x02\x03')
    },
  )

  it('enrols under one Idempotency-Key for all attempts, and another one the next time', async () => {
    await using server = await scriptedServer(unavailable, 'break', { body: { results: [] } })
    for (const _ of [1, 2]) await run(server.url, 'enrol a photo')
    const [a, b, c, next] = server.asked.map(({ headers }) => headers['idempotency-key'])
    expect(a).toMatch(/^[0-9a-f-]{36}$/)
    expect([b, c]).toEqual([a, a])
    expect(next).not.toBe(a)
  })
}
