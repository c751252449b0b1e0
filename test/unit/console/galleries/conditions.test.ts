import fc from 'fast-check'
import { type Filter, filterIn, queryOf } from '#console/galleries/conditions.ts'

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
