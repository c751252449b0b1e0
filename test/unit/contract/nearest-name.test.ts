/** Suggestions for unknown names. */
import { likelyName } from '#contract/nearest-name.ts'

it.each([
  ['treshold', 'threshold'],
  ['THRESHOLD', 'threshold'],
  ['x1', 'x1'],
  ['x', undefined],
  ['age', undefined],
  ['', undefined],
])('likelyName suggests for %j the name %s', (given, meant) => {
  expect(likelyName(given, ['threshold', 'x1'])).toBe(meant)
})
