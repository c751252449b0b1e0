/** Failover between cores: which core is asked next, and which requests are never repeated. */
import type { RequestListener } from 'node:http'
import { RPC_LIMITS } from '#contract/limits/rpc.ts'
import { DRAINING_HEADER } from '#contract/rpc/message-headers.ts'
import { keyId } from '#contract/rpc/signature.ts'
import { OWNER } from '#test/support/sample-faces.ts'
import {
  client,
  frame,
  type Kind,
  nowhere,
  place,
  QUESTIONS,
  SECRET,
  told,
  until,
  well,
} from '../core-places.ts'

const REPEATABLE: Kind[] = ['read', 'enrolment with a key']
const ALL = Object.keys(QUESTIONS) as Kind[]

const unavailable = { code: 'SERVICE_UNAVAILABLE', detail: {} }

const hangsUp: RequestListener = ({ socket }) => void socket.destroy()

/** A core that answers with a status alone. */
const answers =
  (status: number): RequestListener =>
  (_, response) =>
    void response.writeHead(status).end()

const FAILURES: { when: string; behave: RequestListener; repeated: Kind[] }[] = [
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
    behave: (_, response) => frame(response, 503, unavailable),
    repeated: REPEATABLE,
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

describe('coreClient with several cores', { tags: 'long' }, () => {
  it.each(CASES)(
    'after a first core that $when, asks the second core $times: $kind',
    async ({ when, behave, kind, times }) => {
      const [first, second] = [await place(behave), await place()]
      const asked = QUESTIONS[kind](client([first.url, second.url]))
      // After SERVICE_UNAVAILABLE nothing was changed.
      const code = when === 'reports SERVICE_UNAVAILABLE' ? 'SERVICE_UNAVAILABLE' : 'OUTCOME_UNKNOWN'
      if (times === 'never') await expect(asked).toBeRefused(code)
      else await asked
      expect([first.asked.length, second.asked.length]).toEqual([1, times === 'once' ? 1 : 0])
    },
  )

  it.each(ALL)('asks the second core when nothing listens at the first: %s', async kind => {
    const second = await place()
    await QUESTIONS[kind](client([await nowhere(), second.url]))
    expect(second.asked).toHaveLength(1)
  })

  it('answers SERVICE_UNAVAILABLE after asking each core once', async () => {
    const places = await Promise.all([1, 2, 3].map(() => place(hangsUp)))
    const core = client(places.map(({ url }) => url))
    await expect(QUESTIONS.read(core)).toBeRefused('SERVICE_UNAVAILABLE')
    expect(places.map(({ asked }) => asked.length)).toEqual([1, 1, 1])
  })

  it('signs a request with the secret of the core that it asks', async () => {
    const [first, second] = [await place(), await place()]
    const core = client([first.url, second.url], 5_000, [SECRET, `${SECRET}!`])
    await until(async () => {
      await QUESTIONS.read(core)
      return first.asked.length > 0 && second.asked.length > 0
    })
    expect(first.headers[0]).toMatchObject({ 'x-mien-key': await keyId(SECRET) })
    expect(second.headers[0]).toMatchObject({ 'x-mien-key': await keyId(`${SECRET}!`) })
  })

  it('does not repeat at another core a request that the first core refused', async () => {
    const [first, second] = [
      await place((_, response) => frame(response, 404, { code: 'NOT_FOUND', detail: {} })),
      await place(),
    ]
    await expect(QUESTIONS.read(client([first.url, second.url]))).toBeRefused('NOT_FOUND')
    expect(second.asked).toHaveLength(0)
  })

  it('repeats a read at the next core when the first core stops answering readiness probes', async () => {
    const [frozen, second] = [await place(() => {}), await place()]
    const answer = QUESTIONS.read(client([frozen.url, second.url], 20_000))
    await until(() => frozen.asked.length > 0)
    frozen.ready = () => {}
    await answer
    expect([frozen.asked.length, second.asked.length]).toEqual([1, 1])
  })

  it('waits for a slow core that answers readiness probes', async () => {
    const slow = await place((request, response) => void setTimeout(() => well(request, response), 2_500))
    const second = await place()
    await QUESTIONS.read(client([slow.url, second.url]))
    expect([slow.asked.length, second.asked.length]).toEqual([1, 0])
    expect(slow.probes).toBeGreaterThan(1)
  })

  it('waits for a silent core when no other core is reachable', async () => {
    const [slow, second] = [await place(), await place(hangsUp)]
    second.ready = hangsUp
    const core = client([slow.url, second.url], 20_000)
    await QUESTIONS.read(core)
    await until(() => second.probes > 0)
    slow.behave = (request, response) => void setTimeout(() => well(request, response), 4_500)
    slow.ready = () => {}
    await QUESTIONS.read(core)
    expect(slow.asked).toHaveLength(2)
  })

  it('sends a change to the last core once it reports ready', async () => {
    const slow = await place()
    slow.ready = (request, response) => void setTimeout(() => well(request, response), 500)
    await QUESTIONS.change(client([await nowhere(), slow.url], 20_000))
    expect(slow.asked).toHaveLength(1)
  })

  it('does not repeat a change at another core when the first core falls silent', async () => {
    const [frozen, second] = [await place(() => {}), await place()]
    const answer = expect(QUESTIONS.change(client([frozen.url, second.url], 4_000))).rejects.toThrow()
    await until(() => frozen.asked.length > 0)
    frozen.ready = () => {}
    await answer
    expect([frozen.asked.length, second.asked.length]).toEqual([1, 0])
    expect(frozen.questions).toBeGreaterThan(0)
  })

  it('sends a change to the second core when the first lost it and will not execute it', async () => {
    const [first, second] = [await place(hangsUp), await place()]
    first.outcome = told('not executed')
    await QUESTIONS.change(client([first.url, second.url]))
    expect([first.asked.length, second.asked.length]).toEqual([1, 1])
  })

  it('answers OUTCOME_UNKNOWN to a keyed enrolment that one core may have stored and the others refuse', async () => {
    const first = await place(hangsUp)
    const second = await place((_, response) => frame(response, 503, unavailable))
    const asked = QUESTIONS['enrolment with a key'](client([first.url, second.url]))
    await expect(asked).toBeRefused('OUTCOME_UNKNOWN')
  })

  it('sends a change to a ready core instead of one that reports unavailable', async () => {
    const [gone, second] = [await place(), await place()]
    gone.ready = (_, response) => frame(response, 503, unavailable)
    await QUESTIONS.change(client([gone.url, second.url]))
    expect([gone.asked.length, second.asked.length]).toEqual([0, 1])
  })
})

describe('coreClient after a failure of one core', () => {
  it('skips a failed core until a readiness probe succeeds', async () => {
    const [failing, second] = [await place(), await place()]
    const core = client([failing.url, second.url])
    await QUESTIONS.read(core)
    await until(() => failing.probes + second.probes === 2)
    Object.assign(failing, { behave: hangsUp, ready: hangsUp })
    const before = failing.asked.length
    for (let i = 0; i < 10; i++) await QUESTIONS.read(core)
    expect(failing.asked.length).toBe(before + 1)
    Object.assign(failing, { behave: well, ready: well })
    await until(async () => {
      await QUESTIONS.read(core)
      return failing.asked.length > before + 1
    })
  })

  it('does not ask a failed core when another core reports SERVICE_UNAVAILABLE', async () => {
    const [failing, second] = [await place(hangsUp), await place()]
    failing.ready = hangsUp
    const core = client([failing.url, second.url])
    await QUESTIONS.read(core)
    second.behave = (_, response) => frame(response, 503, unavailable)
    await expect(QUESTIONS.read(core)).toBeRefused('SERVICE_UNAVAILABLE')
    expect(failing.asked).toHaveLength(1)
  })

  it('neither asks nor probes a draining core', async () => {
    const [leaving, second] = [
      await place(FAILURES.find(({ when }) => when === 'drains')!.behave),
      await place(),
    ]
    // The first readiness probe runs concurrently with the first request.
    leaving.ready = leaving.behave
    const core = client([leaving.url, second.url])
    for (let i = 0; i < 10; i++) await QUESTIONS.read(core)
    expect([leaving.asked.length, second.asked.length]).toEqual([1, 10])
  })
})

describe('coreClient with one core', () => {
  it('asks its only core after any failure', async () => {
    const only = await place(hangsUp)
    const core = client([only.url])
    for (const kind of ALL) await expect(QUESTIONS[kind](core)).rejects.toThrow()
    only.behave = well
    for (const kind of ALL) await QUESTIONS[kind](core)
    expect(only.asked).toHaveLength(2 * ALL.length)
  })

  it('passes on the answer to a change that core gives when asked again', async () => {
    const only = await place(hangsUp)
    let questions = 0
    const gallery = { gallery: { name: 'new' } }
    only.outcome = (request, response) =>
      (questions++ < 2 ? hangsUp : told('answered', 200, gallery))(request, response)
    expect((await QUESTIONS.change(client([only.url]))).response).toEqual(gallery)
    expect(only.asked).toHaveLength(1)
  })

  it.each([
    ['a refusal of core', 'GALLERY_EXISTS', told('answered', 409, { code: 'GALLERY_EXISTS', detail: {} })],
    ['a change that core never executes', 'SERVICE_UNAVAILABLE', told('not executed')],
    ['a core that does not know', 'OUTCOME_UNKNOWN', told('unknown')],
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
      const only = await place(hangsUp)
      only.outcome = outcome
      await expect(QUESTIONS.change(client([only.url], 1_000))).toBeRefused(code)
    },
  )

  it('answers SERVICE_UNAVAILABLE to a change that it did not send, because nothing listens', async () => {
    await expect(QUESTIONS.change(client([await nowhere()]))).toBeRefused('SERVICE_UNAVAILABLE')
  })

  it('tells core how long it may begin to write a change, and signs it', async () => {
    const only = await place()
    let url = ''
    only.behave = (request, response) => {
      url = request.url ?? ''
      well(request, response)
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
    const [first, second] = [await place(hangsUp), await place()]
    second.behave = (_, response) => void response.end(LINES)
    const items = await client([first.url, second.url]).stream('persons.list', { owner: OWNER })
    expect(await items.next()).toEqual({ done: false, value: [] })
    expect(await items.next()).toEqual({ done: true, value: {} })
  })

  it('does not restart a list that breaks off after its first part', async () => {
    const [first, second] = [await place(), await place()]
    first.behave = ({ socket }, response) =>
      void response.write(LINES.slice(0, 13), () => setTimeout(() => socket.destroy(), 100))
    const items = await client([first.url, second.url]).stream('persons.list', { owner: OWNER })
    await items.next()
    await expect(items.next()).toBeRefused('SERVICE_UNAVAILABLE')
    expect(second.asked).toHaveLength(0)
  })
})

describe('coreClient.picture with several cores', () => {
  it.each([502, 521])('reads a picture from the second core when the first answers %i', async status => {
    const [first, second] = [await place(answers(status)), await place()]
    const { status: answered } = await client([first.url, second.url]).picture('/pictures/a')
    expect([answered, second.asked]).toEqual([200, ['/pictures/a']])
  })

  it('does not ask the second core for a picture that the first does not have', async () => {
    const [first, second] = [await place(answers(404)), await place()]
    await expect(client([first.url, second.url]).picture('/pictures/a')).toAnswer(404)
    expect(second.asked).toHaveLength(0)
  })
})
