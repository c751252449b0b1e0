/** The verdict on a cluster test: it counts lost faces, duplicates and split persons, and nothing else. */
import { describe, expect, it } from 'vitest'
import type { Post } from '#bench/lib/cluster/callers.ts'
import { answersOf, disturbedFor, type Kept, verdict } from '#bench/lib/cluster/verdict.ts'

const post = (key: string, more: Partial<Post> = {}): Post => ({
  key,
  owner: 'o',
  person: 'anna',
  tries: [{ at: 1, ms: 10, status: 200 }],
  face: { id: Number(key), person: 7 },
  ...more,
})

const kept = (id: number, more: Partial<Kept> = {}): Kept => ({ id, meta: String(id), person: 7, ...more })

const verdictOf = (posts: Post[], faces: Kept[]) =>
  verdict({ posts, identifies: [] }, new Map([['o', faces]]))

describe('verdict', () => {
  it('counts no fault when each acknowledged face is stored once and has one person', () => {
    expect(verdictOf([post('1'), post('2')], [kept(1), kept(2)])).toEqual({
      posts: 2,
      acknowledged: 2,
      lost: 0,
      doubled: 0,
      split: 0,
    })
  })

  it.each<[string, Post[], Kept[], Partial<ReturnType<typeof verdictOf>>]>([
    ['a missing acknowledged face', [post('1'), post('2')], [kept(1)], { lost: 1, doubled: 0 }],
    ['a face stored for another owner', [post('1', { owner: 'other' })], [kept(1)], { lost: 1 }],
    ['a face that is stored twice', [post('1')], [kept(1), kept(5, { meta: '1' })], { lost: 0, doubled: 1 }],
    [
      'a face stored under another id than acknowledged',
      [post('1')],
      [kept(5, { meta: '1' })],
      { lost: 0, doubled: 1 },
    ],
    ['a person with two ids', [post('1'), post('2')], [kept(1), kept(2, { person: 8 })], { split: 1 }],
  ])('counts %s', (_, posts, faces, wrong) => {
    expect(verdictOf(posts, faces)).toMatchObject(wrong)
  })

  it('accepts an unacknowledged face as missing or stored once, but not twice', () => {
    const { face: _, ...open } = post('1')
    expect(verdictOf([open], [])).toMatchObject({ acknowledged: 0, lost: 0, doubled: 0 })
    expect(verdictOf([open], [kept(1)])).toMatchObject({ lost: 0, doubled: 0 })
    expect(verdictOf([open], [kept(1), kept(2, { meta: '1' })])).toMatchObject({ doubled: 1 })
  })
})

it('answersOf counts answers by status, and failed requests by error code', () => {
  const tries = [
    { at: 1, ms: 1, status: 200 },
    { at: 2, ms: 1, status: 503 },
    { at: 3, ms: 1, status: 0, why: 'ECONNRESET' },
    { at: 4, ms: 1, status: 200 },
  ]
  expect(answersOf(tries)).toEqual({ 200: 2, 503: 1, ECONNRESET: 1 })
})

describe('disturbedFor', () => {
  const tries = [
    { at: 4, ms: 1, status: 503 },
    { at: 11, ms: 1, status: 503 },
    { at: 13, ms: 1, status: 0 },
    { at: 14, ms: 1, status: 200 },
    { at: 25, ms: 1, status: 503 },
  ]

  it.each([
    [10, 20, 3],
    [5, 10, 0],
    [13, 20, 0],
  ])(
    'measures from the repair at %d s to the last failed answer before %d s: %d s',
    (repaired, until, seconds) => {
      expect(disturbedFor(tries, repaired, until)).toBe(seconds)
    },
  )
})
