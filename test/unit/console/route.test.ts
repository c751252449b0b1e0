import { expect, it } from 'vitest'
import { hashOf, routeOf } from '../../../console/route.ts'

it.each(['', '#', '#/', '#/nothing', '#/try'])('the hash "%s" leads to the first page', hash => {
  expect(routeOf(hash)).toEqual({ page: 'try' })
})

it.each([
  { page: 'try' },
  { page: 'compare' },
  { page: 'galleries' },
  { page: 'gallery', name: 'staff' },
  { page: 'gallery', name: 'a/b %41 #?' },
  { page: 'service', section: 'tokens' },
  { page: 'service', section: 'audit-log' },
] as const)('the hash of %o leads back to it', route => {
  expect(routeOf(hashOf(route))).toEqual(route)
})

it.each(['#/service', '#/service/', '#/service/nothing'])('the hash "%s" leads to the tokens', hash => {
  expect(routeOf(hash)).toEqual({ page: 'service', section: 'tokens' })
})

it('a broken escape stays as it is', () => {
  expect(routeOf('#/galleries/100%')).toEqual({ page: 'gallery', name: '100%' })
})
