/** Snapshots and clips on their way: after their event, again after an error, and never in the way of events. */
import { hash } from 'node:crypto'
import { openSender } from '#camera/footage/sender.ts'
import type { VisitEvent } from '#camera/visit-event.ts'
import { type Face, MienClient } from '#clients/typescript/src/index.ts'
import { type Reply, refusal, scriptedServer } from '../../clients/scripted-server.ts'

const event = (track: string, photo = 'photo'): VisitEvent => ({
  camera: 'c',
  track,
  photo: new Uint8Array(Buffer.from(photo)),
  box: { x1: 0, y1: 0, x2: 60, y2: 60 },
  frames: 2,
  firstSeen: '',
  lastSeen: '',
  quality: 0.5,
  time: '2026-01-01T00:00:00Z',
  isSnapshotKept: true,
})

/** The face of an event with this photo. */
const faceOf = (id: number, photo = 'photo') => ({ id, photo_hash: hash('sha256', photo) }) as Face

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
    sender,
    names,
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
    sender.posted(event('z'), faceOf(6))
    for (const track of ['a', 'b', 'c']) sender.add(event(track))
    sender.posted(event('b'), faceOf(7))
    sender.posted(event('a'), undefined)
    await sender.close(20_000)
    expect(asked()).toEqual(['PUT /v1/face/id/7/snapshot'])
    expect(names).toEqual(['footage dropped a', 'footage sent b'])
  })

  it.each([
    ['before its seconds are over', 'post end'],
    ['after its seconds are over', 'end post'],
    ['and whose update is lost', 'post lose end'],
  ])('sends the clip of an event that is posted %s', async (_, order) => {
    await using made = await opened([{ status: 204 }])
    const { sender, names } = made
    const { promise: clip, resolve } = Promise.withResolvers<[]>()
    sender.add({ ...event('a'), isSnapshotKept: false, clip })
    const steps: Record<string, () => void> = {
      post: () => sender.posted(event('a'), faceOf(7)),
      lose: () => sender.posted(event('a'), undefined),
      end: () => resolve([]),
    }
    for (const step of order.split(' ')) {
      steps[step]!()
      await new Promise(setImmediate)
    }
    await sender.close(20_000)
    expect(names).toEqual(['no clip a'])
  })

  it('repeats a file after a passing error, and gives up one that is refused', async () => {
    await using made = await opened([
      refusal(503, 'SERVICE_UNAVAILABLE'),
      { status: 204 },
      refusal(400, 'BAD_PARAM'),
    ])
    const { sender, names, asked } = made
    for (const [i, track] of ['a', 'b'].entries()) {
      sender.add(event(track))
      sender.posted(event(track), faceOf(i))
    }
    await sender.close(20_000)
    expect(asked()).toHaveLength(3)
    expect(names).toEqual(['footage sent a', 'footage refused b'])
  })

  it('drops the oldest of too many', async () => {
    await using made = await opened([{ status: 204 }], 2)
    for (const track of ['a', 'b', 'c']) made.sender.add(event(track))
    expect(made.names).toEqual(['footage dropped a'])
  })

  it.each([
    ['accepted', 'second', ['first', 'second']],
    ['ignored', 'first', ['first']],
  ])('sends the picture that the face has after an update is %s', async (_, stored, sent) => {
    await using made = await opened([{ status: 204 }])
    const { sender, bodies, names } = made
    const events = ['first', 'second'].map(photo => event('a', photo))
    for (const one of events) sender.add(one)
    for (const [i, one] of events.entries()) sender.posted(one, faceOf(1, i === 0 ? 'first' : stored))
    await sender.close(20_000)
    expect(bodies().map(body => /first|second/.exec(body)![0])).toEqual(sent)
    expect(names).toEqual(sent.map(() => 'footage sent a'))
  })

  it('removes pictures of replaced events, and keeps a picture in transit', async () => {
    await using made = await opened([{ status: 204 }])
    const { sender, bodies, names } = made
    const [first, second, third] = ['first', 'second', 'third'].map(photo => event('a', photo))
    sender.add(first!)
    sender.add(second!)
    sender.replaced(first!)
    sender.add(third!)
    sender.posted(second!, faceOf(1, 'second'))
    sender.posted(third!, faceOf(1, 'second'))
    await sender.close(20_000)
    expect(bodies()).toEqual([expect.stringContaining('second')])
    sender.posted(event('a'), undefined)
    expect(names).toEqual(['footage sent a'])
  })
})
