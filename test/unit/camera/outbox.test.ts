/** Events on their way to a service that is away, refuses them, or forgets its answer. */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { openOutbox } from '#camera/outbox.ts'
import type { VisitEvent } from '#camera/visit-event.ts'
import { MienClient } from '#clients/typescript/src/index.ts'

const servers: Server[] = []

afterEach(() => {
  for (const server of servers.splice(0)) server.close().closeAllConnections()
})

interface Answer {
  status: number
  body?: object
  headers?: Record<string, string>
}

const TAKEN: Answer = { status: 200, body: { results: [{ id: 7 }] } }
const refusal = (status: number, code: string): Answer => ({ status, body: { code, reason: 'Because.' } })

/** A service with these answers, the last one again and again, and a client of it. */
async function service(...answers: Answer[]) {
  const keys: string[] = []
  const server = createServer(async (request: IncomingMessage, response) => {
    request.resume()
    await once(request, 'end')
    keys.push(String(request.headers['idempotency-key']))
    const { status, body, headers } = answers[Math.min(keys.length, answers.length) - 1]!
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
  })
  servers.push(server)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { keys, client: new MienClient({ url, token: 'mien_test', retries: 0 }), server }
}

const event = (track: string, bytes = 100): VisitEvent => {
  const box = { x1: 0, y1: 0, x2: 60, y2: 60 }
  const details = { track, frames: 2, first_seen: '', last_seen: '', box, quality: 0.5 }
  return { camera: 'c', track, photo: new Uint8Array(bytes), box, time: '2026-01-01T00:00:00Z', details }
}

/** A log that is kept. */
function lines() {
  const kept: Record<string, unknown>[] = []
  return { kept, log: (name: string, facts = {}) => void kept.push({ name, ...facts }) }
}

const GRACE_MS = 20_000

describe('the outbox', () => {
  it('posts each event once, in order, with the track as its key', async () => {
    const { client, keys } = await service(TAKEN)
    const { kept, log } = lines()
    const outbox = openOutbox(client, log)
    for (const track of ['a', 'b', 'c']) outbox.add(event(track))
    expect(await outbox.close(GRACE_MS)).toBe(0)
    expect(keys).toEqual(['a', 'b', 'c'])
    expect(kept).toMatchObject([{ name: 'visit posted', camera: 'c', track: 'a', face: 7 }, {}, {}])
  })

  it.each([
    ['overload', refusal(503, 'SERVICE_UNAVAILABLE')],
    ['a rate limit', { ...refusal(429, 'RATE_LIMITED'), headers: { 'retry-after': '1' } }],
    ['an internal error', refusal(500, 'INTERNAL_ERROR')],
    ['a revoked token, which the operator replaces', refusal(401, 'AUTH_FAILED')],
    ['an answer of a proxy', { status: 502, body: {} }],
  ])('repeats an event after %s, with the same key', async (_, answer) => {
    const { client, keys } = await service(answer, TAKEN)
    const { kept, log } = lines()
    const outbox = openOutbox(client, log)
    outbox.add(event('a'))
    outbox.add(event('b'))
    expect(await outbox.close(GRACE_MS)).toBe(0)
    expect(keys).toEqual(['a', 'a', 'b'])
    expect(kept.map(({ name }) => name)).toEqual(['service away', 'visit posted', 'visit posted'])
  })

  it('gives up an event that the service refuses, and goes on', async () => {
    const { client, keys } = await service(refusal(400, 'BAD_PARAM'), TAKEN)
    const { kept, log } = lines()
    const outbox = openOutbox(client, log)
    outbox.add(event('a'))
    outbox.add(event('b'))
    expect(await outbox.close(GRACE_MS)).toBe(0)
    expect(keys).toEqual(['a', 'b'])
    expect(kept).toMatchObject([{ name: 'visit refused', track: 'a', code: 'BAD_PARAM' }, { track: 'b' }])
  })

  it('keeps events while the service is away, and drops the oldest beyond the limits with a line each', async () => {
    const { client, server } = await service(TAKEN)
    server.close()
    const { kept, log } = lines()
    const outbox = openOutbox(client, log, { events: 3, bytes: 1_000 })
    for (const track of ['a', 'b', 'c', 'd']) outbox.add(event(track))
    outbox.add(event('large', 900))
    const dropped = () => kept.filter(({ name }) => name === 'visit dropped').map(({ track }) => track)
    expect(dropped()).toEqual(['a', 'b', 'c'])
    await vi.waitFor(() => expect(kept.some(({ name }) => name === 'service away')).toBe(true))
    expect(await outbox.close(0)).toBe(2)
  })
})
