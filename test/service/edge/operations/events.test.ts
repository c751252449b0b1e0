/** Live events at the edge: filters, limits, revoked tokens, and what happens when an edge or core stops. */
import { inject } from 'vitest'
import { type EventConnection, MienClient } from '#clients/typescript/src/index.ts'
import { EVENT_LIMITS } from '#contract/limits/events.ts'
import { startForwarder } from '#test/recovery/forwarder.ts'
import { clientOf, form, type Send, sample } from '#test/support/client.ts'
import { newToken } from '#test/support/tokens.ts'
import { startEdge, startEdgeProcess } from '../edge-process.ts'
import { apiOf } from '../shared.ts'

let owners = 0

interface Visitor {
  api: Send
  mien: MienClient
  token: string
  owner: string
  /** Posts a face; its id. */
  post(fields?: Record<string, string>): Promise<number>
  camera: string
}

/** A new owner with a camera. */
async function visitor(edge = inject('edge')): Promise<Visitor> {
  const owner = `events ${process.pid} ${owners++}`
  const token = newToken(inject('data'), owner)
  const api = clientOf(edge, token)
  const camera = (await api('POST', '/v0/camera', { meta: 'door' })).body.id
  const photo = await sample(1)
  return {
    api,
    token,
    owner,
    camera,
    mien: new MienClient({ url: edge, token, retryDelayMs: 20 }),
    async post(fields = { cam_id: camera }) {
      const { status, body } = await api('POST', '/v0/face', form({ photo, ...fields }))
      expect(status).toBe(200)
      return body.results[0].id
    },
  }
}

/** Follows events until the end of the test. `seen` has the ids of their faces, `live` resolves with the first connection. */
function follow(mien: MienClient, options: Parameters<MienClient['events']>[0] = {}) {
  const stop = new AbortController()
  onTestFinished(() => stop.abort())
  const seen: number[] = []
  let last = ''
  const live = Promise.withResolvers<void>()
  const onConnection = (state: EventConnection) => state === 'live' && live.resolve()
  const run = async () => {
    for await (const { id, face } of mien.events({ ...options, signal: stop.signal, onConnection })) {
      last = id
      seen.push(face.id)
    }
  }
  let failure: unknown
  const ended = run().catch(error => {
    failure = error
    live.reject(error)
  })
  live.promise.catch(() => {})
  return {
    seen,
    live: live.promise,
    last: () => last,
    failure: () => failure,
    leave: async () => {
      stop.abort()
      await ended
    },
  }
}

const until = (isSo: () => unknown) => expect.poll(isSo, { timeout: 30_000, interval: 20 })

/** The response of a stream, which the test closes. */
async function open({ token }: Visitor, query = '', headers: HeadersInit = {}, edge = inject('edge')) {
  const stop = new AbortController()
  onTestFinished(() => stop.abort())
  return fetch(`${edge}/v1/events${query}`, {
    headers: { authorization: `Token ${token}`, ...headers },
    signal: stop.signal,
  })
}

describe('GET /events', () => {
  it('sends a face that a camera posts, as GET /face/id answers it', async () => {
    const one = await visitor()
    const events = one.mien.events()
    const next = events.next()
    const response = await open(one)
    expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
    await one.post({})
    const id = await one.post()
    const { value } = await next
    const { body } = await one.api('GET', `/v1/face/id/${id}`)
    const unsigned = ({ thumbnail, normalized, ...face }: typeof body) => face
    expect(unsigned(value!.face)).toEqual(unsigned(body))
    await expect(fetch(value!.face.thumbnail)).toAnswer(200)
    await events.return()
  })

  it('resumes after the last event of a receiver, by header or parameter', async () => {
    const one = await visitor()
    const first = follow(one.mien, { lastEventId: '0' })
    const [a, b] = [await one.post(), await one.post()]
    await until(() => first.seen).toEqual([a, b])
    await first.leave()
    const missed = await one.post()
    const again = follow(one.mien, { lastEventId: first.last() })
    await until(() => again.seen).toEqual([missed])
    for (const response of [
      await open(one, `?last_event_id=${first.last()}`),
      await open(one, '?last_event_id=0', { 'last-event-id': first.last() }),
    ]) {
      const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
      let text = ''
      while (!text.includes('event: face')) text += (await reader.read()).value ?? ''
      expect(/"id":(\d+)/.exec(text)?.[1]).toBe(String(missed))
      await reader.cancel()
    }
  })

  it('refuses an owner more streams than the limit, with Retry-After', async () => {
    const one = await visitor()
    for (let i = 0; i < EVENT_LIMITS.streamsPerOwner; i++) await expect(open(one)).toAnswer(200)
    const refused = await open(one)
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([
      429,
      String(EVENT_LIMITS.streamRetrySeconds),
    ])
    const other = await visitor()
    await expect(open(other)).toAnswer(200)
    // A stream does not take a place among the requests in progress.
    await expect(one.api('GET', '/v1/galleries')).toAnswer(200)
  })

  it('ends the streams of a revoked token', { tags: 'long' }, async () => {
    const one = await visitor()
    const following = follow(one.mien)
    await following.live
    const { id } = (await one.api('GET', '/v1/token')).body
    const other = apiOf(one.owner)
    await expect(other('DELETE', `/v1/tokens/${id}`)).toAnswer(204)
    await until(following.failure).toMatchObject({ code: 'AUTH_FAILED' })
  })
})

describe('a client that follows events', { tags: 'long' }, () => {
  it('resumes at another core when its core breaks off', async () => {
    const cores = [await startForwarder(inject('core')), await startForwarder(inject('core'))]
    const edge = await startEdge(
      inject('data'),
      cores.map(({ url }) => url),
    )
    const one = await visitor(edge)
    const following = follow(one.mien)
    await following.live
    const path = '/internal/stream/events.follow'
    const first = cores.find(({ asked }) => asked.includes(path))!
    await first.cut()
    const id = await one.post()
    await until(() => following.seen).toEqual([id])
  })

  it('is told the end of its stream by an edge that stops', async () => {
    const { origin, stop } = await startEdgeProcess(inject('data'), [inject('core')])
    const one = await visitor(origin)
    const { body } = await open(one, '', {}, origin)
    const reader = body!.pipeThrough(new TextDecoderStream()).getReader()
    let text = ''
    while (!text.includes('id: ')) text += (await reader.read()).value
    const ended = stop()
    // An edge that waits for the stream breaks it off after some seconds, and this rejects.
    while (!(await reader.read()).done);
    await ended
  })
})
