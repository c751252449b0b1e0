import { THRESHOLDS, tierOf } from '#console/thresholds.ts'
import { THRESHOLDS as OF_THE_API } from '#contract/model/face.ts'

it('the console has the thresholds of the API', () => {
  expect({ ...THRESHOLDS, none: 0 }).toEqual(OF_THE_API)
})

it.each([
  [0.5689, 'none'],
  [0.7833, 'medium'],
  [0.7834, 'strict'],
])('the confidence %f reaches %s', (confidence, tier) => {
  expect(tierOf(confidence)).toBe(tier)
})
