import fc from 'fast-check'
import { expect, it } from 'vitest'
import {
  conditionsOf,
  type Filter,
  filterIn,
  localTime,
  queryOf,
  timeOf,
} from '#console/galleries/conditions.ts'

const text = fc.string({ minLength: 1, unit: 'grapheme' }).filter(one => one.isWellFormed())
const filters: fc.Arbitrary<Filter> = fc.record(
  { meta: text, person_id: text, cam_id: text, start: text, end: text, friend: text },
  { requiredKeys: [] },
)

it('an address keeps any filter', () => {
  fc.assert(
    fc.property(filters, filter => {
      expect(filterIn(queryOf(filter))).toEqual(filter)
    }),
  )
})

it('unknown and empty fields of an address are no conditions', () => {
  expect(filterIn('meta=&owner=x&person_id=7&__proto__=1')).toEqual({ person_id: '7' })
  expect(queryOf({ meta: '', friend: 'false' })).toBe('friend=false')
  expect(queryOf({})).toBe('')
})

it('conditions have the types of the client', () => {
  expect(conditionsOf({})).toEqual({})
  expect(
    conditionsOf({ person_id: '0', cam_id: 'a', friend: 'false', meta: 'Ann', start: 's', end: 'e' }),
  ).toEqual({
    ...{ person_id: 0, cam_id: ['a'], friend: false, meta: 'Ann', start: 's', end: 'e' },
  })
})

it('local times return to the time of the address', () => {
  const time = '2026-01-05T10:30:00.000Z'
  expect(timeOf(localTime(time))).toBe(time)
  expect(localTime('yesterday')).toBe('')
  expect(localTime(undefined)).toBe('')
  expect(timeOf('')).toBeUndefined()
})
