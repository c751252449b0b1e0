/** What is told of a cluster that was tried: what is lost, doubled and split is found, and nothing else. */
import { describe, expect, it } from 'vitest'
import type { Post } from '../../../../bench/lib/cluster/callers.ts'
import { answersOf, disturbedFor, type Kept, verdict } from '../../../../bench/lib/cluster/verdict.ts'

const post = (key: string, more: Partial<Post> = {}): Post => ({
  key,
  owner: 'o',
  person: 'anna',
  tries: [{ at: 1, ms: 10, status: 200 }],
  face: { id: Number(key), person: 7 },
  ...more,
})

const kept = (id: number, more: Partial<Kept> = {}): Kept => ({ id, meta: String(id), person: 7, ...more })

const told = (posts: Post[], faces: Kept[]) => verdict({ posts, identifies: [] }, new Map([['o', faces]]))

describe('a verdict', () => {
  it('finds nothing wrong where all that was acknowledged is there once, of one person', () => {
    expect(told([post('1'), post('2')], [kept(1), kept(2)])).toEqual({
      posts: 2,
      acknowledged: 2,
      lost: 0,
      doubled: 0,
      split: 0,
    })
  })

  it.each<[string, Post[], Kept[], Partial<ReturnType<typeof told>>]>([
    ['an acknowledged face that is not there', [post('1'), post('2')], [kept(1)], { lost: 1, doubled: 0 }],
    ['one that belongs to somebody else', [post('1', { owner: 'other' })], [kept(1)], { lost: 1 }],
    ['a post that is there twice', [post('1')], [kept(1), kept(5, { meta: '1' })], { lost: 0, doubled: 1 }],
    ['another face than was told', [post('1')], [kept(5, { meta: '1' })], { lost: 0, doubled: 1 }],
    ['a person with two numbers', [post('1'), post('2')], [kept(1), kept(2, { person: 8 })], { split: 1 }],
  ])('finds %s', (_, posts, faces, wrong) => {
    expect(told(posts, faces)).toMatchObject(wrong)
  })

  it('forgives what was not acknowledged, but not that it is there twice', () => {
    const { face: _, ...open } = post('1')
    expect(told([open], [])).toMatchObject({ acknowledged: 0, lost: 0, doubled: 0 })
    expect(told([open], [kept(1)])).toMatchObject({ lost: 0, doubled: 0 })
    expect(told([open], [kept(1), kept(2, { meta: '1' })])).toMatchObject({ doubled: 1 })
  })
})

it('answers are counted by their status, or by why there was none', () => {
  const tries = [
    { at: 1, ms: 1, status: 200 },
    { at: 2, ms: 1, status: 503 },
    { at: 3, ms: 1, status: 0, why: 'ECONNRESET' },
    { at: 4, ms: 1, status: 200 },
  ]
  expect(answersOf(tries)).toEqual({ 200: 2, 503: 1, ECONNRESET: 1 })
})

describe('how long a fault disturbs', () => {
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
    'is from its repair at %d s to the last bad answer before the next, at %d s: %d s',
    (repaired, until, seconds) => {
      expect(disturbedFor(tries, repaired, until)).toBe(seconds)
    },
  )
})
