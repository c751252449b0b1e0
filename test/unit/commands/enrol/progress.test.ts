/** Numbers of the progress line. */
import { describe, expect, it } from 'vitest'
import { rateMeter, timeLeft } from '#commands/enrol/progress.ts'

describe('the rate', () => {
  it('is that of the last seconds, not of the photos that earlier runs finished', () => {
    const rate = rateMeter()
    expect(rate(0, 0)).toBe(0)
    rate(10_000, 1_000)
    let last = 0
    for (let second = 2; second <= 40; second++) last = rate(10_000 + 5 * second, 1_000 * second)
    expect(last).toBeCloseTo(5, 1)
  })
})

it.each([
  [10, 0, '-'],
  [10, 4, '3 s'],
  [600, 3, '3 min 20 s'],
  [45_000, 6, '2 h 5 min'],
])('%i photos at %i a second take %s', (photos, perSecond, text) => {
  expect(timeLeft(photos, perSecond)).toBe(text)
})
