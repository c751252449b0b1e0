/** When a backup is due that the settings of the service plan, or that somebody asks for. */
import { reasonOf } from '#commands/backup/follow.ts'

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
