/** Error versus discard, on faces with known errors. */
import { expect, it } from 'vitest'
import { errorsVersusDiscard, fitLogistic, leastError } from '#bench/lib/statistics/quality.ts'
import { seededRandom } from '#core/vector-store/index/seeded-random.ts'

const probe = (quality: number, score: number) => ({ quality, scores: [score] })

it('errorsVersusDiscard returns the false non-match rate after discarding the lowest quality first', () => {
  const probes = [probe(0.9, 0.8), probe(0.1, 0.2), probe(0.8, 0.3), probe(0.7, 0.9)]
  expect(errorsVersusDiscard(probes, 0.5, [0, 0.25, 0.5])).toEqual([0.5, 1 / 3, 0.5])
})

it('leastError returns the rate left when every discarded face was an error', () => {
  expect(leastError(0.2, 0.1)).toBeCloseTo(0.1 / 0.9)
  expect(leastError(0.05, 0.1)).toBe(0)
})

it('fitLogistic recovers the weights that generated the outcomes', () => {
  const random = seededRandom(1)
  const cases = Array.from({ length: 1_000 }, () => {
    const inputs = [random(), 10 * random(), random()]
    const probability = 1 / (1 + Math.exp(-(2 - 3 * inputs[0]! - 0.1 * inputs[1]!)))
    return { inputs, happened: random() < probability, weight: 1 }
  })
  const { constant, costs } = fitLogistic(cases)
  expect(Math.abs(constant - 2)).toBeLessThan(0.5)
  expect(Math.abs(costs[0]! - 3)).toBeLessThan(0.8)
  expect(Math.abs(costs[1]! - 0.1)).toBeLessThan(0.08)
  expect(costs[2]).toBeLessThan(0.5)
})
