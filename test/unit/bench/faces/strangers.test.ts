import { comparedStrangers, scoreAt, shareAt, weightsOf } from '#bench/lib/statistics/strangers.ts'

const at = (degrees: number) =>
  Float32Array.of(Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180))

/** Two groups of different sizes: three people and two. */
const PEOPLE = [
  { group: 'a', unit: at(0) },
  { group: 'a', unit: at(10) },
  { group: 'a', unit: at(30) },
  { group: 'b', unit: at(100) },
  { group: 'b', unit: at(150) },
]

it('comparedStrangers compares all pairs, sorts descending, and leaves out pairs that may be one person', () => {
  const all = comparedStrangers(PEOPLE)
  expect(all.scores).toHaveLength(10)
  expect([...all.scores]).toEqual([...all.scores].sort((a, b) => b - a))
  expect([...comparedStrangers(PEOPLE, 0.98).scores]).toEqual([...all.scores].slice(1))
})

it('weightsOf gives each group the same weight regardless of its size', () => {
  const pairs = comparedStrangers(PEOPLE)
  const sum = (weights: Float64Array) => weights.reduce((all, weight) => all + weight, 0)
  const [any, alike, first] = (['any', 'alike', 0] as const).map(whose => weightsOf(pairs, whose))
  expect([any, alike, first].map(weights => sum(weights!))).toEqual([
    expect.closeTo(1),
    expect.closeTo(1),
    expect.closeTo(1),
  ])
  // The pair of b weighs as much as the three pairs of a. Pairs between the groups weigh as much as both.
  expect(Math.max(...alike!)).toBeCloseTo(1 / 2)
  expect(Math.max(...any!)).toBeCloseTo(1 / 4)
  expect(first!.filter(weight => weight > 0)).toEqual(Float64Array.of(1 / 3, 1 / 3, 1 / 3))
})

it('scoreAt returns the score that a share reaches, and shareAt the share that reaches a score', () => {
  const pairs = comparedStrangers(PEOPLE)
  const weights = weightsOf(pairs, 0)
  const twenty = Math.cos((20 * Math.PI) / 180)
  expect(scoreAt(pairs, weights, 0.5)).toBeCloseTo(twenty)
  expect(shareAt(pairs, weights, twenty - 1e-3)).toBeCloseTo(2 / 3)
  expect(shareAt(pairs, weights, 1)).toBe(0)
})
