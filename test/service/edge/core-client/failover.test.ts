/** Failover between cores: which core is asked next, and which requests are never repeated. */
import type { RequestListener } from 'node:http'
import { RPC_LIMITS } from '#contract/limits/rpc.ts'
import { DRAINING_HEADER } from '#contract/rpc/message-headers.ts'
import { keyId } from '#contract/rpc/signature.ts'
import { OWNER } from '#test/support/sample-faces.ts'
import {
  client,
  frame,
  healthyCore,
  type Kind,
  nowhere,
  outcome,
  QUESTIONS,
  SECRET,
  startPlace,
  until,
} from '../core-places.ts'

const REPEATABLE: Kind[] = ['read', 'enrolment with a key']
const ALL = Object.keys(QUESTIONS) as Kind[]

const unavailable = { code: 'SERVICE_UNAVAILABLE', detail: {} }

const isUnavailable: RequestListener = (_, response) => frame(response, 503, unavailable)

const hangsUp: RequestListener = ({ socket }) => void socket.destroy()

/** A healthy core that answers after some milliseconds. */
const delayed =
  (ms: number): RequestListener =>
  (...exchange) =>
    void setTimeout(() => healthyCore(...exchange), ms)

/** A core that answers with a status alone. */
const answers =
  (status: number): RequestListener =>
  (_, response) =>
    void response.writeHead(status).end()

/** After SERVICE_UNAVAILABLE and NOT_FOUND nothing was changed. */
const FAILURES: { when: string; behave: RequestListener; repeated: Kind[]; code?: string }[] = [
  { when: 'hangs up', behave: hangsUp, repeated: REPEATABLE },
  { when: 'answers garbage', behave: (_, response) => void response.end('<html>'), repeated: REPEATABLE },
  { when: 'is a proxy without a core', behave: answers(502), repeated: REPEATABLE },
  {
    when: 'breaks off its answer',
    behave: ({ socket }, response) => {
      response.writeHead(200, { 'content-length': 100 })
      response.write('abc', () => socket.destroy())
    },
    repeated: REPEATABLE,
  },
  {
    when: 'reports SERVICE_UNAVAILABLE',
    behave: isUnavailable,
    repeated: REPEATABLE,
    code: 'SERVICE_UNAVAILABLE',
  },
  {
    when: 'refuses the request',
    behave: (_, response) => frame(response, 404, { code: 'NOT_FOUND', detail: {} }),
    repeated: [],
    code: 'NOT_FOUND',
  },
  {
    when: 'drains',
    behave: (_, response) => frame(response, 503, unavailable, { [DRAINING_HEADER]: '1' }),
    repeated: ALL,
  },
  {
    when: 'refuses the signature',
    behave: (_, response) => frame(response, 401, { code: 'AUTH_FAILED', detail: { param: 'signature' } }),
    repeated: ALL,
  },
  ...[521, 526].map(status => ({
    when: `was not reached by Cloudflare (${status})`,
    behave: answers(status),
    repeated: ALL,
  })),
  ...[520, 530].map(status => ({
    when: `may have been reached by Cloudflare (${status})`,
    behave: answers(status),
    repeated: REPEATABLE,
  })),
]

const CASES = FAILURES.flatMap(({ repeated, ...failure }) =>
  ALL.map(kind => ({ ...failure, kind, times: repeated.includes(kind) ? 'once' : 'never' })),
)

/** A client of two cores. The second one is healthy by default. `counts` is how often each was asked. */
async function pair(behave = healthyCore, answerMs?: number, other?: RequestListener) {
  const [first, second] = [await startPlace(behave), await startPlace(other)]
  const core = client([first.url, second.url], answerMs)
  return { first, second, core, counts: () => [first.asked.length, second.asked.length] }
}

describe('coreClient with several cores', { tags: 'long' }, () => {
  it.each(CASES)(
    'after a first core that $when, asks the second core $times: $kind',
    async ({ behave, kind, times, code = 'OUTCOME_UNKNOWN' }) => {
      const { core, counts } = await pair(behave)
      const asked = QUESTIONS[kind](core)
      if (times === 'never') await expect(asked).toBeRefused(code)
      else await asked
      expect(counts()).toEqual([1, times === 'once' ? 1 : 0])
    },
  )

  it.each(ALL)('asks the second core when nothing listens at the first: %s', async kind => {
    const second = await startPlace()
    await QUESTIONS[kind](client([await nowhere(), second.url]))
    expect(second.asked).toHaveLength(1)
  })

  it('answers SERVICE_UNAVAILABLE after asking each core once', async () => {
    const places = await Promise.all([1, 2, 3].map(() => startPlace(hangsUp)))
    const core = client(places.map(({ url }) => url))
    await expect(QUESTIONS.read(core)).toBeRefused('SERVICE_UNAVAILABLE')
    expect(places.map(({ asked }) => asked.length)).toEqual([1, 1, 1])
  })

  it('signs a request with the secret of the core that it asks', async () => {
    const [first, second] = [await startPlace(), await startPlace()]
    const core = client([first.url, second.url], 5_000, [SECRET, `${SECRET}!`])
    await until(async () => {
      await QUESTIONS.read(core)
      return first.asked.length > 0 && second.asked.length > 0
    })
    expect(first.headers[0]).toMatchObject({ 'x-mien-key': await keyId(SECRET) })
    expect(second.headers[0]).toMatchObject({ 'x-mien-key': await keyId(`${SECRET}!`) })
  })

  it('repeats a read at the next core when the first core stops answering readiness probes', async () => {
    const { first, core, counts } = await pair(() => {}, 20_000)
    const answer = QUESTIONS.read(core)
    await until(() => first.asked.length > 0)
    first.ready = () => {}
    await answer
    expect(counts()).toEqual([1, 1])
  })

  it('waits for a slow core that answers readiness probes', async () => {
    const { first, core, counts } = await pair(delayed(2_500))
    await QUESTIONS.read(core)
    expect(counts()).toEqual([1, 0])
    expect(first.probes).toBeGreaterThan(1)
  })

  it('waits for a silent core when no other core is reachable', async () => {
    const { first, second, core, counts } = await pair(healthyCore, 20_000, hangsUp)
    second.ready = hangsUp
    await QUESTIONS.read(core)
    await until(() => second.probes > 0)
    first.behave = delayed(4_500)
    first.ready = () => {}
    await QUESTIONS.read(core)
    expect(counts()[0]).toBe(2)
  })

  it('sends a change to the last core once it reports ready', async () => {
    const slow = await startPlace()
    slow.ready = delayed(500)
    await QUESTIONS.change(client([await nowhere(), slow.url], 20_000))
    expect(slow.asked).toHaveLength(1)
  })

  it('does not repeat a change at another core when the first core falls silent', async () => {
    const { first, core, counts } = await pair(() => {}, 4_000)
    const answer = expect(QUESTIONS.change(core)).rejects.toThrow()
    await until(() => first.asked.length > 0)
    first.ready = () => {}
    await answer
    expect(counts()).toEqual([1, 0])
    expect(first.questions).toBeGreaterThan(0)
  })

  it('sends a change to the second core when the first lost it and will not execute it', async () => {
    const { first, core, counts } = await pair(hangsUp)
    first.outcome = outcome('not executed')
    await QUESTIONS.change(core)
    expect(counts()).toEqual([1, 1])
  })

  it('answers OUTCOME_UNKNOWN to a keyed enrolment that one core may have stored and the others refuse', async () => {
    const { core } = await pair(hangsUp, 5_000, isUnavailable)
    await expect(QUESTIONS['enrolment with a key'](core)).toBeRefused('OUTCOME_UNKNOWN')
  })

  it('sends a change to a ready core instead of one that reports unavailable', async () => {
    const { first, core, counts } = await pair()
    first.ready = isUnavailable
    await QUESTIONS.change(core)
    expect(counts()).toEqual([0, 1])
  })
})

describe('coreClient after a failure of one core', () => {
  it('skips a failed core until a readiness probe succeeds', async () => {
    const { first, second, core, counts } = await pair()
    await QUESTIONS.read(core)
    await until(() => first.probes + second.probes === 2)
    Object.assign(first, { behave: hangsUp, ready: hangsUp })
    const [before = 0] = counts()
    for (let i = 0; i < 10; i++) await QUESTIONS.read(core)
    expect(counts()[0]).toBe(before + 1)
    Object.assign(first, { behave: healthyCore, ready: healthyCore })
    await until(async () => {
      await QUESTIONS.read(core)
      return first.asked.length > before + 1
    })
  })

  it('does not ask a failed core when another core reports SERVICE_UNAVAILABLE', async () => {
    const { first, second, core, counts } = await pair(hangsUp)
    first.ready = hangsUp
    await QUESTIONS.read(core)
    second.behave = isUnavailable
    await expect(QUESTIONS.read(core)).toBeRefused('SERVICE_UNAVAILABLE')
    expect(counts()[0]).toBe(1)
  })

  it('neither asks nor probes a draining core', async () => {
    const { first, core, counts } = await pair(FAILURES.find(({ when }) => when === 'drains')!.behave)
    // The first readiness probe runs concurrently with the first request.
    first.ready = first.behave
    for (let i = 0; i < 10; i++) await QUESTIONS.read(core)
    expect(counts()).toEqual([1, 10])
  })
})

describe('coreClient with one core', () => {
  it('asks its only core after any failure', async () => {
    const only = await startPlace(hangsUp)
    const core = client([only.url])
    for (const kind of ALL) await expect(QUESTIONS[kind](core)).rejects.toThrow()
    only.behave = healthyCore
    for (const kind of ALL) await QUESTIONS[kind](core)
    expect(only.asked).toHaveLength(2 * ALL.length)
  })

  it('passes on the answer to a change that core gives when asked again', async () => {
    const only = await startPlace(hangsUp)
    let questions = 0
    const gallery = { gallery: { name: 'new' } }
    only.outcome = (request, response) =>
      (questions++ < 2 ? hangsUp : outcome('answered', 200, gallery))(request, response)
    expect((await QUESTIONS.change(client([only.url]))).response).toEqual(gallery)
    expect(only.asked).toHaveLength(1)
  })

  it.each([
    ['a refusal of core', 'GALLERY_EXISTS', outcome('answered', 409, { code: 'GALLERY_EXISTS', detail: {} })],
    ['a change that core never executes', 'SERVICE_UNAVAILABLE', outcome('not executed')],
    ['a core that does not know', 'OUTCOME_UNKNOWN', outcome('unknown')],
    ['a core that is gone', 'OUTCOME_UNKNOWN', hangsUp],
    [
      'a core of an earlier version',
      'OUTCOME_UNKNOWN',
      (_, response) =>
        void response.writeHead(404, { 'content-type': 'application/json' }).end('{"code":"NOT_FOUND"}'),
    ],
  ] satisfies [string, string, RequestListener][])(
    'after a lost answer: %s is %s',
    async (_, code, outcome) => {
      const only = await startPlace(hangsUp)
      only.outcome = outcome
      await expect(QUESTIONS.change(client([only.url], 1_000))).toBeRefused(code)
    },
  )

  it('answers SERVICE_UNAVAILABLE to a change that it did not send, because nothing listens', async () => {
    await expect(QUESTIONS.change(client([await nowhere()]))).toBeRefused('SERVICE_UNAVAILABLE')
  })

  it('tells core how long it may begin to write a change, and signs it', async () => {
    const only = await startPlace()
    let url = ''
    only.behave = (request, response) => {
      url = request.url ?? ''
      healthyCore(request, response)
    }
    await QUESTIONS.change(client([only.url], 20_000))
    const within = Number(new URL(url, only.url).searchParams.get('within'))
    expect(within).toBeGreaterThan(0)
    expect(within).toBeLessThanOrEqual(20_000 - RPC_LIMITS.commitMs)
  })
})

describe('coreClient.stream with several cores', () => {
  const LINES = '{"items":[]}\n{"end":{}}\n'

  it('reads a list from the second core when the first fails', async () => {
    const { core } = await pair(hangsUp, 5_000, (_, response) => void response.end(LINES))
    const items = await core.stream('persons.list', { owner: OWNER })
    expect(await items.next()).toEqual({ done: false, value: [] })
    expect(await items.next()).toEqual({ done: true, value: {} })
  })

  it('does not restart a list that breaks off after its first part', async () => {
    const { core, counts } = await pair(
      ({ socket }, response) =>
        void response.write(LINES.slice(0, 13), () => setTimeout(() => socket.destroy(), 100)),
    )
    const items = await core.stream('persons.list', { owner: OWNER })
    await items.next()
    await expect(items.next()).toBeRefused('SERVICE_UNAVAILABLE')
    expect(counts()).toEqual([1, 0])
  })
})

describe('coreClient.picture with several cores', () => {
  it.each([502, 521])('reads a picture from the second core when the first answers %i', async status => {
    const { second, core } = await pair(answers(status))
    const { status: answered } = await core.picture('/pictures/a')
    expect([answered, second.asked]).toEqual([200, ['/pictures/a']])
  })

  it('does not ask the second core for a picture that the first does not have', async () => {
    const { core, counts } = await pair(answers(404))
    await expect(core.picture('/pictures/a')).toAnswer(404)
    expect(counts()).toEqual([1, 0])
  })
})
