/** The rule of kept backups: each span keeps its newest one, the newest always stay, old ones go. */
import fc from 'fast-check'
import { ALWAYS_KEPT, keepRule, keptTimes } from '#core/backup/repository/prune.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const NOW = Date.UTC(2027, 4, 20, 12, 30)

const rules = fc
  .subarray(['h', 'd', 'w'], { minLength: 1 })
  .chain(units =>
    fc
      .tuple(...units.map(unit => fc.integer({ min: 1, max: 40 }).map(count => `${count}${unit}`)))
      .map(parts => keepRule(parts.join(','))!),
  )

/** Ages in milliseconds, up to a year. */
const ages = fc.array(fc.integer({ min: 0, max: 365 * DAY }), { maxLength: 60 })

it.each(['', '24', '0h', '24h,', '1y', '1000h', '24h 7d', '-1d', '1h,1d,1w,2h'])(
  'keepRule refuses %j',
  text => {
    expect(keepRule(text)).toBeUndefined()
  },
)

describe('keptTimes', () => {
  it('keeps the newest of each hour and each day', () => {
    const times = [0.1, 0.3, 1, 1.2, 30, 31, 80].map(hours => NOW - hours * HOUR)
    const kept = keptTimes(times, keepRule('2h,3d')!, NOW)
    expect([...kept].map(time => (NOW - time) / HOUR).sort((a, b) => a - b)).toEqual([0.1, 0.3, 1, 30])
  })

  it('keeps the newest backups at any age', () => {
    const times = [1, 2, 3, 4].map(years => NOW - years * 365 * DAY)
    expect([...keptTimes(times, keepRule('1h')!, NOW)]).toEqual(times.slice(0, ALWAYS_KEPT))
  })

  it('keeps no other backup longer than the rule says', () => {
    fc.assert(
      fc.property(rules, ages, (rule, some) => {
        const times = some.map(age => NOW - age)
        const newest = new Set([...new Set(times)].sort((a, b) => b - a).slice(0, ALWAYS_KEPT))
        const oldest = NOW - Math.max(...rule.map(({ count, unitMs }) => count * unitMs))
        for (const time of keptTimes(times, rule, NOW))
          if (!newest.has(time)) expect(time).toBeGreaterThanOrEqual(oldest)
      }),
    )
  })

  it('keeps one backup of each span of the rule, however often it was applied before', () => {
    fc.assert(
      fc.property(rules, ages, (rule, some) => {
        const made = [...new Set(some.map(age => NOW - age))].sort((a, b) => a - b)
        let kept: number[] = []
        for (const time of made) kept = [...keptTimes([...kept, time], rule, time)]
        kept = [...keptTimes(kept, rule, NOW)]
        for (const { count, unitMs } of rule) {
          const spans = (times: readonly number[]) =>
            new Set(
              times
                .map(time => Math.floor(time / unitMs))
                .filter(span => span > Math.floor(NOW / unitMs) - count),
            )
          expect(spans(kept)).toEqual(spans(made))
        }
      }),
    )
  })
})
