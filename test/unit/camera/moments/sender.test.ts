/** Snapshots and clips on their way: after their event, again after an error, and never in the way of events. */
import { describe, expect, it } from 'vitest'
import { openSender } from '#camera/moments/sender.ts'
import type { VisitEvent } from '#camera/visit-event.ts'
import { MienClient } from '#clients/typescript/src/index.ts'
import { type Reply, refused, scriptedServer } from '../../clients/scripted-server.ts'

const event = (track: string, photo = 'photo'): VisitEvent => ({
  ...{ camera: 'c', track, photo: new Uint8Array(Buffer.from(photo)), box: { x1: 0, y1: 0, x2: 60, y2: 60 } },
  ...{ frames: 2, firstSeen: '', lastSeen: '', quality: 0.5, time: '2026-01-01T00:00:00Z' },
  isSnapshotKept: true,
})

async function opened(answers: [Reply, ...Reply[]], most?: number) {
  const server = await scriptedServer(...answers)
  const client = new MienClient({ url: server.url, token: 'mien_test', retries: 0 })
  const names: string[] = []
  const sender = openSender(
    client,
    (name, { track } = {}) => void names.push(`${name} ${track}`),
    'ffmpeg',
    most,
  )
  return {
    ...{ sender, names },
    asked: () => server.asked.map(({ method, path }) => `${method} ${path}`),
    bodies: () => server.asked.map(({ body }) => String(body)),
    [Symbol.asyncDispose]: server[Symbol.asyncDispose],
  }
}

describe('the sender', () => {
  it('sends a file only when its event is posted, and drops it with an event that is lost', async () => {
    await using made = await opened([{ status: 204 }])
    const { sender, asked, names } = made
    // An event without files.
    sender.posted({ track: 'z' }, 6)
    for (const track of ['a', 'b', 'c']) sender.add(event(track))
    sender.posted({ track: 'b' }, 7)
    sender.posted({ track: 'a' }, undefined)
    await sender.close(20_000)
    expect(asked()).toEqual(['PUT /v1/face/id/7/snapshot'])
    expect(names).toEqual(['moment dropped a', 'moment sent b'])
  })

  it.each([
    ['before', true],
    ['after', false],
  ])('sends the clip of an event that is posted %s its seconds are over', async (_, isPostedFirst) => {
    await using made = await opened([{ status: 204 }])
    const { sender, names } = made
    const { promise: clip, resolve } = Promise.withResolvers<[]>()
    sender.add({ ...event('a'), isSnapshotKept: false, clip })
    const steps = [() => sender.posted({ track: 'a' }, 7), () => resolve([])]
    for (const step of isPostedFirst ? steps : steps.reverse()) {
      step()
      await new Promise(setImmediate)
    }
    await sender.close(20_000)
    expect(names).toEqual(['no clip a'])
  })

  it('keeps the clip of a posted event whose update is lost', async () => {
    await using made = await opened([{ status: 204 }])
    const { sender, names } = made
    const { promise: clip, resolve } = Promise.withResolvers<[]>()
    sender.add({ ...event('a'), isSnapshotKept: false, clip })
    sender.posted({ track: 'a' }, 7)
    sender.posted({ track: 'a' }, undefined)
    resolve([])
    await new Promise(setImmediate)
    await sender.close(20_000)
    expect(names).toEqual(['no clip a'])
  })

  it('repeats a file after a passing error, and gives up one that is refused', async () => {
    await using made = await opened([
      refused(503, 'SERVICE_UNAVAILABLE'),
      { status: 204 },
      refused(400, 'BAD_PARAM'),
    ])
    const { sender, names, asked } = made
    for (const [i, track] of ['a', 'b'].entries()) {
      sender.add(event(track))
      sender.posted({ track }, i)
    }
    await sender.close(20_000)
    expect(asked()).toHaveLength(3)
    expect(names).toEqual(['moment sent a', 'moment refused b'])
  })

  it('replaces a waiting picture by a better one of the visit, and drops the oldest of too many', async () => {
    await using made = await opened([{ status: 204 }], 2)
    const { sender, names, bodies } = made
    sender.add(event('a', 'poor'))
    sender.add(event('a', 'better'))
    sender.add(event('b'))
    sender.posted({ track: 'a' }, 1)
    await sender.close(20_000)
    expect(bodies()).toHaveLength(1)
    expect(bodies()[0]).toContain('better')
    for (const track of ['c', 'd']) sender.add(event(track))
    expect(names).toEqual(['moment sent a', 'moment dropped b'])
  })
})
