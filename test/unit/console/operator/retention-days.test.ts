/** Retention as a visitor types it. */
import { expect, it } from 'vitest'
import { retentionIn, retentionQuestion } from '#console/operator/retention-days.ts'

it.each([
  ['', 0],
  [' 0 ', 0],
  ['30', 30],
  ['36500', 36_500],
  ['36501', undefined],
  ['-1', undefined],
  ['1.5', undefined],
  ['1e3', undefined],
  ['month', undefined],
])('"%s" is %s days', (typed, days) => {
  expect(retentionIn(typed)).toBe(days)
})

it.each([
  { before: 0, after: 30, deletes: true },
  { before: 90, after: 30, deletes: true },
  { before: 30, after: 90, deletes: false },
  { before: 30, after: 30, deletes: false },
  { before: 30, after: 0, deletes: false },
])(
  'a change from $before to $after days asks before it deletes faces: $deletes',
  ({ before, after, deletes }) => {
    expect(retentionQuestion('door', before, after) !== undefined).toBe(deletes)
  },
)
