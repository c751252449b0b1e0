import { setTimeout as sleep } from 'node:timers/promises'
import { EVENT_LIMITS } from '#contract/limits/events.ts'
import { type EventFeed, eventFeed } from '#core/operations/events/event-feed.ts'

const EVERY_MS = 5
const LONG_MS = 60_000

/** A feed, and the events that any core has committed. */
function opened(): { feed: EventFeed; commit(owner: string): void; reads(): number } {
  const committed: string[] = []
  let count = 0
  const feed = eventFeed(
    {
      newest: async () => {
        count++
        return committed.length
      },
      newerThan: async above => {
        count++
        return { newest: committed.length, owners: [...new Set(committed.slice(above))] }
      },
    },
    EVERY_MS,
  )
  onTestFinished(() => feed.close())
  return { feed, commit: owner => void committed.push(owner), reads: () => count }
}

describe('a stream of events', () => {
  it('does not miss an event between the look at the version and the wait', async () => {
    const { feed } = opened()
    const stream = feed.subscribe('ann')
    const seen = stream.version
    feed.wake('ann')
    expect(await stream.changed(seen, LONG_MS)).toBe(true)
  })

  it('wakes for an event that was committed while the feed began to read', async () => {
    const { feed, commit } = opened()
    const stream = feed.subscribe('ann')
    const seen = stream.version
    commit('ann')
    expect(await stream.changed(seen, LONG_MS)).toBe(true)
  })

  it('is refused beyond the limit of the core', () => {
    const { feed } = opened()
    for (let i = 0; i < EVENT_LIMITS.streams; i++) feed.subscribe(`owner ${i}`)
    expect(() => feed.subscribe('ann')).toThrow('SERVICE_UNAVAILABLE')
  })
})

it('a feed reads nothing without a stream', async () => {
  const { feed, reads } = opened()
  feed.subscribe('ann').close()
  await sleep(5 * EVERY_MS)
  expect(reads()).toBe(0)
})

it('a feed keeps its streams when the metadata fails', async () => {
  let isAway = true
  let newest = 0
  const read = async () => {
    if (isAway) throw new Error('away')
    return newest
  }
  const feed = eventFeed(
    {
      newest: read,
      newerThan: async above => ({ newest: await read(), owners: newest > above ? ['ann'] : [] }),
    },
    EVERY_MS,
  )
  onTestFinished(() => feed.close())
  const stream = feed.subscribe('ann')
  await sleep(5 * EVERY_MS)
  newest = 1
  isAway = false
  expect(await stream.changed(stream.version, LONG_MS)).toBe(true)
})
