import type { EventConnection } from '#clients/typescript/src/index.ts'
import { type Reply, refusal, type ScriptedServer, scriptedServer } from '../scripted-server.ts'

const STREAM = { 'content-type': 'text/event-stream; charset=utf-8' }

/** A stream that ends after these events. */
const stream = (...ids: number[]): Reply => ({
  headers: STREAM,
  body: `retry: 1000\n\n${ids.map(id => `id: ${id}\nevent: face\ndata: {"id":${id * 10}}\n\n`).join('')}`,
})

/** The first events, and the states of the connection until then. */
async function first(count: number, server: ScriptedServer, options = {}) {
  const seen: [string, number][] = []
  const states: EventConnection[] = []
  for await (const { id, face } of server.client.events({
    onConnection: state => states.push(state),
    ...options,
  })) {
    seen.push([id, face.id])
    if (seen.length >= count) break
  }
  return { seen, states }
}

const positions = ({ asked }: ScriptedServer) => asked.map(({ headers }) => headers['last-event-id'])

describe('events', () => {
  it('come in the order of the stream, and resume after the last one when a stream ends', async () => {
    await using server = await scriptedServer(stream(1, 2), stream(3))
    const { seen, states } = await first(3, server)
    expect(seen).toEqual([
      ['1', 10],
      ['2', 20],
      ['3', 30],
    ])
    expect(states).toEqual(['live'])
    expect(positions(server)).toEqual([undefined, '2'])
  })

  it('come with alerts on request, and without messages of other types', async () => {
    const body =
      'id: 1\nevent: face\ndata: {"id":10}\n\nid: 2\nevent: news\ndata: {}\n\nid: 3\nevent: alert\ndata: {"alert":{"name":"do\u2028or"}}\n\n'
    await using server = await scriptedServer({ headers: STREAM, body }, stream(4))
    const seen: unknown[] = []
    for await (const item of server.client.events({ alerts: true })) {
      seen.push('alert' in item ? [item.id, item.alert.alert.name] : [item.id, item.face.id])
      if (seen.length === 3) break
    }
    expect(seen).toEqual([
      ['1', 10],
      ['3', 'do\u2028or'],
      ['4', 10 * 4],
    ])
    expect(server.asked[0]!.path).toContain('alerts=true')
    expect(positions(server)).toEqual([undefined, '3'])
  })

  it('tell each position, also the position of a heartbeat', async () => {
    await using server = await scriptedServer({ headers: STREAM, body: ':\nid: 7\n\n' }, stream(8))
    const told: string[] = []
    await first(1, server, { onPosition: (id: string) => told.push(id) })
    expect(told).toEqual(['7', '8'])
  })

  it.each<[string, Reply]>([
    ['a 429', refusal(429, 'RATE_LIMITED', { 'retry-after': '0' })],
    ['a 502 of a proxy', { status: 502, body: '<html>' }],
    ['a broken connection', 'break'],
  ])('resume after %s, and say that they are reconnecting', async (_, lost) => {
    await using server = await scriptedServer(stream(1), lost, lost, stream(2))
    const { seen, states } = await first(2, server)
    expect(seen.map(([id]) => id)).toEqual(['1', '2'])
    expect(states).toEqual(['live', 'reconnecting', 'live'])
    expect(positions(server)).toEqual([undefined, '1', '1', '1'])
  })

  it('drop an event that breaks off, and the next stream repeats it', async () => {
    const broken: Reply = {
      headers: STREAM,
      body: 'id: 1\nevent: face\ndata: {"id":10}\n\nid: 2\nevent: face\ndata: {"i',
    }
    await using server = await scriptedServer(broken, stream(2))
    expect((await first(2, server)).seen).toEqual([
      ['1', 10],
      ['2', 20],
    ])
    expect(positions(server)).toEqual([undefined, '1'])
  })

  it('end with a refusal', async () => {
    await using server = await scriptedServer(stream(1), refusal(401, 'AUTH_FAILED'))
    await expect(first(2, server)).rejects.toMatchObject({ status: 401, code: 'AUTH_FAILED' })
    expect(server.asked).toHaveLength(2)
  })

  it('end when the answer is not a stream', async () => {
    await using server = await scriptedServer({ body: '<html>' })
    await expect(first(1, server)).toBeRefused('UNEXPECTED_ANSWER')
  })

  it('end with the reason of the signal', async () => {
    await using server = await scriptedServer('silence')
    const signal = AbortSignal.abort(new Error('enough'))
    await expect(first(1, server, { signal })).rejects.toThrow('enough')
    await expect(first(1, server, { signal: AbortSignal.timeout(20) })).rejects.toThrow(/timeout/)
  })

  it('are asked for with the filter and the position of the caller', async () => {
    await using server = await scriptedServer(stream(9))
    await first(1, server, { cam_ids: ['a', 'b'], friend: true, lastEventId: '5' })
    const [{ path, headers }] = server.asked as [ScriptedServer['asked'][number]]
    expect(Object.fromEntries(new URL(path, server.url).searchParams)).toEqual({
      cam_ids: '["a","b"]',
      friend: 'true',
    })
    expect([headers['last-event-id'], headers.accept]).toEqual(['5', 'text/event-stream'])
  })
})
