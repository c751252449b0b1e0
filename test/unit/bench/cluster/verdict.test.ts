/** The verdict on faults of a cluster. */
import { describe, expect, it } from 'vitest'
import { type Post, showsOther, type Try } from '#bench/lib/cluster/load.ts'
import { faultVerdicts, isRight, type Kept, verdict } from '#bench/lib/cluster/verdict.ts'

const tryOf = (given: Partial<Try>): Try => ({
  ...{ at: 1, ms: 10, status: 200, hasRetryAfter: false, isForeign: false },
  ...given,
})

const postOf = (key: string, changed: Partial<Post> = {}): Post => ({
  ...{ key, owner: 'anna', person: 'p', tries: [tryOf({})], face: { id: Number(key), person: 7 } },
  ...changed,
})

/** A face that the service keeps for the post with this key. */
const face = (key: string, changed: Partial<{ id: number; person_id: number }> = {}) => ({
  ...{ id: Number(key), meta: key, person_id: 7 },
  ...changed,
})

const kept = (...faces: ReturnType<typeof face>[]): Kept => new Map([['anna', faces]])

describe('verdict', () => {
  it.each([
    ['nothing wrong', [postOf('1'), postOf('2')], kept(face('1'), face('2')), {}],
    ['an acknowledged face that is lost', [postOf('1')], kept(), { lost: 1 }],
    ['a face that is there twice', [postOf('1')], kept(face('1'), face('1', { id: 2 })), { doubled: 1 }],
    ['another face than acknowledged', [postOf('1')], kept(face('1', { id: 5 })), { doubled: 1 }],
    [
      'a person with two ids',
      [postOf('1'), postOf('2')],
      kept(face('1'), face('2', { person_id: 8 })),
      { split: 1 },
    ],
  ])('counts %s', (_, posts, faces, wrong) => {
    const none = { lost: 0, doubled: 0, split: 0, foreign: 0, wrong: 0 }
    expect(verdict({ posts, others: [] }, faces)).toMatchObject({ ...none, ...wrong })
  })

  it('accepts an unacknowledged face as missing or stored once, but not twice', () => {
    const { face: _, ...open } = postOf('1')
    const judged = (faces: Kept) => verdict({ posts: [open], others: [] }, faces)
    expect(judged(kept())).toMatchObject({ acknowledged: 0, lost: 0, doubled: 0 })
    expect(judged(kept(face('1')))).toMatchObject({ lost: 0, doubled: 0 })
    expect(judged(kept(face('1'), face('1', { id: 2 })))).toMatchObject({ doubled: 1 })
  })
})

it.each([
  [200, false, true],
  [503, true, true],
  [503, false, false],
  [500, true, false],
  [0, false, false],
])('status %i with Retry-After %s is right: %s', (status, hasRetryAfter, right) => {
  expect(isRight(tryOf({ status, hasRetryAfter }))).toBe(right)
})

describe('faultVerdicts', () => {
  const happened = [
    { name: 'first', from: 0, repaired: 5 },
    { name: 'second', from: 10, repaired: 15 },
  ]

  it('counts lost and doubled enrolments at the fault in which they were acknowledged', () => {
    const at = (time: number) => ({ tries: [tryOf({ at: time })] })
    const posts = [postOf('1', at(5)), postOf('2', at(5)), postOf('3', at(15)), postOf('4', at(15))]
    const faces = kept(face('1'), face('3'), face('3', { id: 33 }))
    expect(faultVerdicts(happened, { posts, others: [] }, faces, 20)).toMatchObject([
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
    expect(faultVerdicts(happened, { posts: [], others }, new Map(), 20)).toMatchObject([
      { wrong: 1, foreign: 1, longestSeconds: 2, recoverySeconds: 2, answers: { 200: 1, 500: 1, 503: 1 } },
      { wrong: 1, foreign: 0, recoverySeconds: 0, answers: { TimeoutError: 1 } },
    ])
  })
})

it('finds metas of other owners at any depth of a body', () => {
  const body = (meta: string) => ({ results: { '1,2,3,4': [{ face: { meta, id: 1 } }] } })
  expect(showsOther(body('anna-post-1'), 'anna')).toBe(false)
  expect(showsOther(body('berta-post-1'), 'anna')).toBe(true)
  expect(showsOther(body(''), 'anna')).toBe(false)
})
