/** Suggestions for unknown names. */
import { expect, it } from 'vitest'
import { likelyName, nearestName } from '#contract/nearest-name.ts'

it.each([
  ['person_identity', 'person_identify'],
  ['friends_count', 'friend_count'],
  ['GAE', 'gae'],
  ['gea', 'gae'],
])('nearestName suggests for %s the name %s', (given, meant) => {
  expect(nearestName(given, ['person_identify', 'friend_count', 'gae', 'model_age'])).toBe(meant)
})

it('nearestName returns undefined for an empty list', () => {
  expect(nearestName('gae', [])).toBeUndefined()
})

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
