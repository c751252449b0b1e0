/** The hours of alert rules, and the times of attempts. */
import fc from 'fast-check'
import { ALERT_LIMITS } from '#contract/limits/alerts.ts'
import type { Hours } from '#contract/model/alert.ts'
import { isWithin } from '#core/operations/alerts/conditions.ts'
import { nextAttempt } from '#core/operations/alerts/deliver.ts'

// A Monday.
const micros = (time: string) => Date.parse(`2026-11-23T${time}:00Z`) * 1000

describe('hours', () => {
  const night: Hours[] = [{ days: ['mon'], from: '22:00', to: '06:00' }]

  it.each([
    ['2026-11-23T21:59:59Z', false],
    ['2026-11-23T22:00:00Z', true],
    ['2026-11-24T05:59:59Z', true],
    ['2026-11-24T06:00:00Z', false],
    ['2026-11-23T05:00:00Z', false],
  ])('over midnight belong to the day they begin on: %s is %s', (time, is) => {
    expect(isWithin(night, 'UTC', Date.parse(time) * 1000)).toBe(is)
  })

  it.each([
    ['Europe/Berlin', '2026-07-06T05:00:00Z', true],
    ['Europe/Berlin', '2026-11-23T05:00:00Z', false],
    ['Asia/Tokyo', '2026-11-22T22:00:00Z', true],
  ])('follow the time zone %s, summer time included', (zone, time, is) => {
    const morning: Hours[] = [{ days: ['mon'], from: '07:00', to: '08:00' }]
    expect(isWithin(morning, zone, Date.parse(time) * 1000)).toBe(is)
  })

  it('from and to the same time are a whole day', () => {
    const days: Hours[] = [{ days: ['mon'], from: '00:00', to: '00:00' }]
    expect(isWithin(days, 'UTC', micros('23:59'))).toBe(true)
    expect(isWithin(days, 'UTC', micros('00:00') - 1e6)).toBe(false)
  })
})

it('the attempts of a delivery come later than now, whatever the time and the jitter', () => {
  const anytime = fc.double({ min: 0, max: ALERT_LIMITS.deliveryRetriesMs * 2, noNaN: true })
  fc.assert(
    fc.property(anytime, fc.double({ min: 0, max: 1, noNaN: true }), (now, random) => {
      const next = nextAttempt(0, now, random)
      if (now >= ALERT_LIMITS.deliveryRetriesMs) expect(next).toBeUndefined()
      else expect(next).toBeGreaterThan(now)
    }),
  )
})
