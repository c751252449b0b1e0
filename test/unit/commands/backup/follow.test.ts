/** When a backup is due that the settings of the service plan, or that somebody asks for. */
import { reasonOf, repeat } from '#commands/backup/follow.ts'

const HOUR = 3_600_000_000
const NOW = 500_000 * HOUR

const NONE = { requested: undefined, started: undefined, completed: undefined, failed: undefined }

const reason = (given: Partial<Parameters<typeof reasonOf>[0]>) =>
  reasonOf({ ...NONE, drilled: undefined, hours: 24, served: 0, now: NOW, ...given })

it('is due at first, and when the interval since the last complete one is over', () => {
  expect(reason({})).toBe('schedule')
  expect(reason({ started: NOW - 24 * HOUR, completed: NOW - 24 * HOUR + 1 })).toBeUndefined()
  expect(reason({ started: NOW - 25 * HOUR, completed: NOW - 24 * HOUR })).toBe('schedule')
})

it('is due after one that failed or was killed', () => {
  const started = NOW - HOUR
  expect(reason({ started, completed: NOW - 30 * HOUR, failed: started + 1 })).toBe('schedule')
  expect(reason({ started, completed: NOW - 30 * HOUR })).toBe('schedule')
})

it('is due although the last one was completed by a clock far ahead', () => {
  expect(reason({ completed: NOW + 24 * HOUR })).toBe('schedule')
})

it('is due without an interval only for a request that no backup has followed', () => {
  expect(reason({ hours: 0 })).toBeUndefined()
  expect(reason({ hours: 0, requested: NOW - 2, started: NOW - 3 })).toBe('request')
  expect(reason({ hours: 0, requested: NOW - 2, started: NOW - 1 })).toBeUndefined()
})

it('is not due again for a request whose backup could not record its start', () => {
  expect(reason({ hours: 0, requested: NOW - 2, served: NOW - 2 })).toBeUndefined()
  expect(reason({ hours: 0, requested: NOW - 1, served: NOW - 2 })).toBe('request')
})

const LONG_MS = 3_600_000

describe('repeat', () => {
  it('runs each task at once, in order, and then the one that is due', async () => {
    const stop = new AbortController()
    const ran: string[] = []
    const work = (name: string) => async () => {
      ran.push(name)
      if (ran.length === 5) stop.abort()
    }
    await repeat(
      [
        { everyMs: 1, work: work('often') },
        { everyMs: LONG_MS, work: work('seldom') },
      ],
      { signal: stop.signal, onError: () => {} },
    )
    expect(ran).toEqual(['often', 'seldom', 'often', 'often', 'often'])
  })

  it('repeats a failed task before its interval, and reports each failure', async () => {
    const stop = new AbortController()
    const errors: unknown[] = []
    let runs = 0
    const work = async () => {
      if (++runs === 3) stop.abort()
      throw new Error(`failure ${runs}`)
    }
    await repeat([{ everyMs: LONG_MS, againMs: 1, work }], {
      signal: stop.signal,
      onError: error => errors.push(error),
    })
    expect(errors.map(String)).toEqual(['Error: failure 1', 'Error: failure 2', 'Error: failure 3'])
  })
})
