/** Events on their way to a service that is away, refuses them, or forgets its answer. */
import { openOutbox } from '#camera/outbox.ts'
import type { VisitEvent } from '#camera/visit-event.ts'
import { MienClient } from '#clients/typescript/src/index.ts'
import { type Reply, refusal, scriptedServer } from '../clients/scripted-server.ts'

const TAKEN: Reply = { body: { results: [{ id: 7 }] } }

/** An outbox, its log, and a service with these answers, the last one again and again. The client repeats nothing. */
async function opened(answers: [Reply, ...Reply[]], options?: Parameters<typeof openOutbox>[2]) {
  const server = await scriptedServer(...answers)
  const client = new MienClient({ url: server.url, token: 'mien_test', retries: 0 })
  const kept: Record<string, unknown>[] = []
  return {
    outbox: openOutbox(client, (name, facts) => void kept.push({ name, ...facts }), options),
    kept,
    names: () => kept.map(({ name }) => name),
    keys: () => server.asked.map(({ headers }) => headers['idempotency-key']),
    bodies: () => server.asked.map(({ body }) => body),
    [Symbol.asyncDispose]: server[Symbol.asyncDispose],
  }
}

const event = (track: string, bytes = 100): VisitEvent => {
  const box = { x1: 0, y1: 0, x2: 60, y2: 60 }
  const seen = { frames: 2, firstSeen: '', lastSeen: '', quality: 0.5, time: '2026-01-01T00:00:00Z' }
  return { camera: 'c', track, photo: new Uint8Array(bytes), box, ...seen }
}

const GRACE_MS = 20_000

describe('the outbox', () => {
  it('posts each event once, in order, with the track as its key', async () => {
    await using service = await opened([TAKEN])
    const { outbox, keys, kept } = service
    for (const track of ['a', 'b', 'c']) outbox.add(event(track))
    expect(await outbox.close(GRACE_MS)).toBe(0)
    expect(keys()).toEqual(['a', 'b', 'c'])
    expect(kept).toMatchObject([{ name: 'visit posted', camera: 'c', track: 'a', face: 7 }, {}, {}])
  })

  it.each<[string, Reply]>([
    ['overload', refusal(503, 'SERVICE_UNAVAILABLE')],
    ['an internal error', refusal(500, 'INTERNAL_ERROR')],
    ['a revoked token, which the operator replaces', refusal(401, 'AUTH_FAILED')],
  ])('repeats an event after %s, with the same key', async (_, answer) => {
    await using service = await opened([answer, TAKEN])
    const { outbox, keys, names } = service
    outbox.add(event('a'))
    outbox.add(event('b'))
    expect(await outbox.close(GRACE_MS)).toBe(0)
    expect(keys()).toEqual(['a', 'a', 'b'])
    expect(names()).toEqual(['service away', 'visit posted', 'visit posted'])
  })

  it('gives up an event that the service refuses, and continues', async () => {
    await using service = await opened([refusal(400, 'BAD_PARAM'), TAKEN])
    const { outbox, keys, kept } = service
    outbox.add(event('a'))
    outbox.add(event('b'))
    expect(await outbox.close(GRACE_MS)).toBe(0)
    expect(keys()).toEqual(['a', 'b'])
    expect(kept).toMatchObject([{ name: 'visit refused', track: 'a', code: 'BAD_PARAM' }, { track: 'b' }])
  })

  it.each([0, 1, 2, 3])('posts an event that comes %d turns after the last one was posted', async turns => {
    const onEnd = ({ track }: VisitEvent) => track === 'a' && add(turns)
    await using service = await opened([TAKEN], { onEnd })
    const { outbox, keys } = service
    const add = (left: number) => (left === 0 ? outbox.add(event('b')) : queueMicrotask(() => add(left - 1)))
    outbox.add(event('a'))
    await vi.waitFor(() => expect(keys()).toEqual(['a', 'b']))
    expect(await outbox.close(GRACE_MS)).toBe(0)
  })

  it('keeps events while the service is away, and drops the oldest beyond the limits with a line each', async () => {
    await using service = await opened(['break'], { events: 3, bytes: 1_000 })
    const { outbox, kept, names } = service
    for (const track of ['a', 'b', 'c', 'd']) outbox.add(event(track))
    outbox.add(event('large', 900))
    const dropped = () => kept.filter(({ name }) => name === 'visit dropped').map(({ track }) => track)
    expect(dropped()).toEqual(['a', 'b', 'c'])
    await vi.waitFor(() => expect(names()).toContain('service away'))
    expect(await outbox.close(0)).toBe(2)
  })

  it('posts a better picture as an update of its event, and alone if the event still waits', async () => {
    const replaced: string[] = []
    const onReplace = ({ track }: VisitEvent) => void replaced.push(track)
    await using service = await opened([refusal(503, 'SERVICE_UNAVAILABLE'), TAKEN], { onReplace })
    const { outbox, keys, bodies, names } = service
    outbox.add(event('a'))
    outbox.add(event('b'))
    for (const track of ['a', 'b', 'b']) outbox.add({ ...event(track, 200), isUpdate: true })
    expect(outbox.waiting()).toBe(3)
    expect(replaced).toEqual(['b', 'b'])
    expect(await outbox.close(GRACE_MS)).toBe(0)
    expect(keys()).toEqual(['a', 'a', 'a', 'b'])
    expect(bodies().map(body => body.includes('name="update"'))).toEqual([false, false, true, false])
    expect(names().slice(1)).toEqual(['visit posted', 'visit updated', 'visit posted'])
  })

  it.each([
    ['refused', 2],
    ['dropped', 1],
  ])('ends a visit whose first picture is %s only with the update that waits', async (_, events) => {
    const ended: (number | undefined)[] = []
    const onEnd = (_: VisitEvent, face?: { id: number }) => void ended.push(face?.id)
    await using service = await opened([refusal(400, 'BAD_PARAM'), TAKEN], { events, onEnd })
    const { outbox } = service
    outbox.add(event('a'))
    outbox.add({ ...event('a'), isUpdate: true })
    expect(await outbox.close(GRACE_MS)).toBe(0)
    expect(ended).toEqual([7])
  })
})
