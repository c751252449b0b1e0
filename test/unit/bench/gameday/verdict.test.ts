/** The verdict of the game day. */
import { expect, it } from 'vitest'
import { type GameLedger, type GameTry, showsOther } from '#bench/lib/gameday/callers.ts'
import { isRight, verdicts } from '#bench/lib/gameday/verdict.ts'

const tryOf = (given: Partial<GameTry>): GameTry => ({
  at: 1,
  ms: 10,
  status: 200,
  hasRetryAfter: false,
  isForeign: false,
  ...given,
})

const postOf = (key: string, id: number, at: number): GameLedger['posts'][number] => ({
  key,
  owner: 'anna',
  person: '1',
  tries: [tryOf({ at })],
  face: { id, person: 1 },
})

it.each([
  [200, false, true],
  [503, true, true],
  [429, true, true],
  [503, false, false],
  [500, true, false],
  [401, false, false],
  [0, false, false],
])('status %i with Retry-After %s is right: %s', (status, hasRetryAfter, right) => {
  expect(isRight(tryOf({ status, hasRetryAfter }))).toBe(right)
})

it('counts lost and doubled enrolments at the fault in which they were acknowledged', () => {
  const posts = [postOf('kept', 1, 5), postOf('lost', 2, 5), postOf('twice', 3, 15), postOf('other', 4, 15)]
  const kept = new Map([
    ['kept', [1]],
    ['twice', [3, 33]],
    ['other', [44]],
  ])
  const happened = [
    { name: 'first', from: 0, repaired: 5 },
    { name: 'second', from: 10, repaired: 15 },
  ]
  expect(verdicts(happened, { posts, others: [] }, kept, 20)).toMatchObject([
    { name: 'first', lost: 1, doubled: 0 },
    { name: 'second', lost: 1, doubled: 1 },
  ])
})

it('measures the longest request, wrong answers and the time to recovery of each fault', () => {
  const others = [
    tryOf({ at: 1, status: 500 }),
    tryOf({ at: 7, status: 503, hasRetryAfter: true, ms: 2_000 }),
    tryOf({ at: 9, isForeign: true }),
    tryOf({ at: 11, status: 0, why: 'TimeoutError' }),
  ]
  const happened = [
    { name: 'first', from: 0, repaired: 5 },
    { name: 'second', from: 10, repaired: 15 },
  ]
  expect(verdicts(happened, { posts: [], others }, new Map(), 20)).toMatchObject([
    { wrong: 1, foreign: 1, longestSeconds: 2, recoverySeconds: 2, answers: { 200: 1, 500: 1, 503: 1 } },
    { wrong: 1, foreign: 0, recoverySeconds: 0, answers: { TimeoutError: 1 } },
  ])
})

it('finds metas of other owners at any depth of a body', () => {
  const body = (meta: string) => ({ results: { '1,2,3,4': [{ face: { meta, id: 1 } }] } })
  expect(showsOther(body('anna-post-1'), 'anna')).toBe(false)
  expect(showsOther(body('berta-post-1'), 'anna')).toBe(true)
  expect(showsOther(body(''), 'anna')).toBe(false)
})
