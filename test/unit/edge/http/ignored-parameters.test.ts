/** The header that names ignored parameters. */

import * as fc from 'fast-check'
import { REQUEST_LIMITS } from '#contract/limits/requests.ts'
import { ignoredHeader } from '#edge/http/ignored-parameters.ts'
import { times } from '#test/support/times.ts'

const known = {
  known: ['threshold', 'mf_selector', 'x1', 'photo', 'n', 'gallery'],
  onlyInV1: new Set(['gender']),
}

it.each([
  [[], undefined],
  [['treshold'], 'treshold; did-you-mean=threshold'],
  [['mf-selector'], 'mf-selector; did-you-mean=mf_selector'],
  [['gender', 'gendr'], 'gender; only-in=v1, gendr'],
  [['image', 'imgUrl'], 'image; did-you-mean=photo, imgUrl; did-you-mean=photo'],
  [['a, b; did-you-mean=c'], 'a%2C%20b%3B%20did-you-mean%3Dc'],
  [['a\r\nSet-Cookie: x'], 'a%0D%0ASet-Cookie%3A%20x'],
  [['ключ'], '%D0%BA%D0%BB%D1%8E%D1%87'],
])('ignoredHeader writes %j as %j', (names, header) => {
  expect(ignoredHeader(names, known)).toBe(header)
})

it('ignoredHeader limits the number and the length of names', () => {
  const header = ignoredHeader(
    times(1000, i => `${i}`.padEnd(500, 'ä')),
    known,
  )
  expect(header?.split(', ')).toHaveLength(REQUEST_LIMITS.ignoredNames + 1)
  expect(header).toMatch(/, \.\.\.$/)
  expect(header!.length).toBeLessThan(
    REQUEST_LIMITS.ignoredNames * REQUEST_LIMITS.ignoredNameLength * 6 + 200,
  )
})

it('ignoredHeader returns a valid header value for any names', { tags: 'long' }, () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'binary', minLength: 1 }), { minLength: 1 }), names => {
      const header = ignoredHeader(names, known)!
      expect(header).toMatch(/^[!-~]+( [!-~]+)*$/)
      expect(new Headers({ 'x-ignored-parameters': header }).get('x-ignored-parameters')).toBe(header)
    }),
    { numRuns: 20 },
  )
})
