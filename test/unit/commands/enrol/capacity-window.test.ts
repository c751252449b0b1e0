/** The capacity window against simulated services, on a simulated clock. */
import { describe, expect, it } from 'vitest'
import { capacityWindow, MOST } from '#commands/enrol/sending/capacity-window.ts'
import { seededRandom } from '#core/vector-store/index/seeded-random.ts'

/** A service with so many workers and a queue. */
interface Simulated {
  workers: number
  /** Milliseconds of work for one request at this time. */
  workMs(now: number): number
  /** Requests beyond the workers that it takes; further ones are refused. */
  queue?: number
  /** Time in seconds that a refusal asks for. */
  retryAfterMs?: number
}

/** Runs a client that always has photos. Returns requests per second and the limits of the second half. */
function simulate(
  { workers, workMs, queue = Number.POSITIVE_INFINITY, retryAfterMs }: Simulated,
  ms: number,
) {
  const window = capacityWindow()
  const events: { at: number; run: () => void }[] = []
  const at = (time: number, run: () => void) => {
    const index = events.findIndex(event => event.at > time)
    events.splice(index < 0 ? events.length : index, 0, { at: time, run })
  }
  const waiting: (() => void)[] = []
  const limits: number[] = []
  let [now, busy, answered, refused, sentDuringPause, pausedUntil] = [0, 0, 0, 0, 0, 0]

  const work = (done: () => void) => {
    busy++
    at(now + workMs(now), () => {
      busy--
      done()
      waiting.shift()?.()
      send()
    })
  }
  const send = (): void => {
    for (let wait = window.waitMs(now); wait !== undefined; wait = window.waitMs(now)) {
      if (wait > 0) {
        at(now + wait, send)
        return
      }
      if (now < pausedUntil) sentDuringPause++
      const started = window.start(now)
      if (now > ms / 2) limits.push(window.limit())
      const handle = () =>
        work(() => {
          window.answered(started, now)
          if (now > ms / 2) answered++
        })
      if (busy < workers) handle()
      else if (waiting.length < queue) waiting.push(handle)
      else {
        refused++
        at(now + 1, () => {
          window.refused(started, now, retryAfterMs)
          if (retryAfterMs !== undefined) pausedUntil = now + retryAfterMs
          send()
        })
      }
    }
  }
  send()
  while (now < ms && events.length > 0) {
    const event = events.shift()!
    now = event.at
    event.run()
  }
  const limit = limits.reduce((sum, each) => sum + each, 0) / limits.length
  return { perSecond: answered / (ms / 2000), limit, most: Math.max(...limits), refused, sentDuringPause }
}

/** Work of photos of different sizes: 20 to 180 ms. */
const varied = () => {
  const random = seededRandom(1)
  return () => 20 + 160 * random()
}

describe('the capacity window', () => {
  it.each([1, 2, 8, 24])('keeps %i workers busy without a long queue', workers => {
    const { perSecond, limit } = simulate({ workers, workMs: varied() }, 120_000)
    expect(perSecond).toBeGreaterThan(0.95 * workers * 10)
    expect(limit).toBeLessThan(2 * workers + 8)
  })

  it('uses all of a service that is larger than its bound', () => {
    const { perSecond, most } = simulate({ workers: 500, workMs: varied() }, 60_000)
    expect(most).toBe(MOST)
    expect(perSecond).toBeGreaterThan(0.9 * MOST * 10)
  })

  it('falls when the service becomes slower, and grows again', () => {
    const random = varied()
    const workMs = (now: number) => random() * (now > 40_000 && now < 80_000 ? 5 : 1)
    const { perSecond, limit } = simulate({ workers: 4, workMs }, 240_000)
    expect(perSecond).toBeGreaterThan(0.9 * 40)
    expect(limit).toBeLessThan(20)
  })

  it('stays below the queue of a service that refuses', () => {
    const { perSecond, refused } = simulate({ workers: 4, workMs: varied(), queue: 2 }, 120_000)
    expect(perSecond).toBeGreaterThan(0.8 * 40)
    expect(refused).toBeLessThan(200)
  })

  it('sends nothing while a refusal asks for a pause', () => {
    const { sentDuringPause, refused } = simulate(
      { workers: 1, workMs: varied(), queue: 0, retryAfterMs: 2_000 },
      60_000,
    )
    expect(refused).toBeGreaterThan(0)
    expect(sentDuringPause).toBe(0)
  })

  it('halves once for requests that are refused together, and never falls below one', () => {
    const window = capacityWindow()
    const grow = () => {
      for (let i = 0; i < 200; i++) window.answered(window.start(i), i + 1)
    }
    grow()
    const before = window.limit()
    const started = Array.from({ length: before }, () => window.start(1_000))
    for (const each of started) window.refused(each, 1_010, 100)
    expect(window.limit()).toBe(Math.max(1, Math.floor(before / 2)))
    expect(window.waitMs(1_050)).toBe(60)
    for (let i = 0; i < 10; i++) window.refused(window.start(i), i)
    expect(window.limit()).toBe(1)
  })

  it('pauses for longer after each refusal without an answer, up to a bound', () => {
    const window = capacityWindow()
    const pauses: number[] = []
    let now = 0
    for (let i = 0; i < 9; i++) {
      window.refused(window.start(now), now)
      pauses.push(window.waitMs(now)!)
      now += window.waitMs(now)!
    }
    expect(pauses).toEqual([250, 500, 1_000, 2_000, 4_000, 8_000, 15_000, 15_000, 15_000])
  })
})
