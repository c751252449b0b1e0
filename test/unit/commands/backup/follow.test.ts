import { follow, reasonOf, repeat } from '#commands/backup/follow.ts'
import { BACKUP_COMPLETED, BACKUP_STARTED, endNow, insertEntries } from '#core/metadata/audit-log/entries.ts'
import { withDatabase } from '#core/metadata/database.ts'
import { temporaryPath } from '../../core/folder.ts'

const HOUR = 3_600_000_000
const NOW = 500_000 * HOUR

const reason = (given: Partial<Parameters<typeof reasonOf>[0]>) =>
  reasonOf({ requested: undefined, hours: 24, served: 0, made: 0, now: NOW, ...given })

it('is due without a backup in the repository, and when the interval since the newest is over', () => {
  expect(reason({})).toBe('schedule')
  expect(reason({ made: NOW - 24 * HOUR + 1 })).toBeUndefined()
  expect(reason({ made: NOW - 24 * HOUR })).toBe('schedule')
})

it('is due although the newest is of a clock ahead', () => {
  expect(reason({ made: NOW + HOUR })).toBe('schedule')
  expect(reason({ made: NOW + HOUR, hours: 0, requested: NOW - 2 })).toBe('request')
})

it('is due without an interval only for a request that no backup has followed', () => {
  expect(reason({ hours: 0 })).toBeUndefined()
  expect(reason({ hours: 0, requested: NOW - 2, made: NOW - 3 })).toBe('request')
  expect(reason({ hours: 0, requested: NOW - 2, made: NOW - 1 })).toBeUndefined()
})

it('is not due again for a request whose backup has failed', () => {
  expect(reason({ hours: 0, requested: NOW - 2, served: NOW - 2 })).toBeUndefined()
  expect(reason({ hours: 0, requested: NOW - 1, served: NOW - 2 })).toBe('request')
})

it('is made although there is a newer one at another place', async () => {
  const data = await temporaryPath('data')
  const events = [{ action: BACKUP_STARTED }, endNow(BACKUP_COMPLETED)]
  await withDatabase(data, {}, database =>
    insertEntries(
      database,
      events.map(event => ({ ...event, actor: 'operator test' })),
    ),
  )
  const stop = new AbortController()
  const make = vi.fn(async () => stop.abort())
  await follow(
    data,
    { make, newest: async () => undefined },
    { signal: stop.signal, onError: () => stop.abort() },
  )
  expect(make).toHaveBeenCalledOnce()
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
