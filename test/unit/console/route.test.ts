import { hashOf, routeOf } from '#console/route.ts'

it.each(['', '#/', '#/nothing'])('the hash "%s" leads to the first page', hash => {
  expect(routeOf(hash)).toEqual({ page: 'try' })
})

it.each([
  { page: 'try' },
  { page: 'person', id: 7 },
  { page: 'face', id: 4_596_135_493_813_792 },
  { page: 'gallery', name: 'staff' },
  { page: 'gallery', name: 'a/b %41 #?', query: 'meta=Ann+Lee%2F%3F' },
  { page: 'events', query: 'camera=door&event=7' },
  { page: 'new camera' },
  { page: 'new alert' },
  { page: 'alert', id: '4be5a0a4f4b14e0d9bd1a2c53a1f7c10' },
  { page: 'service', section: 'audit-log' },
  { page: 'settings', section: 'privacy' },
  { page: 'help', name: 'backup' },
  { page: 'help', name: 'guide', section: 'leaving-people' },
  { page: 'camera', id: 'c885bbc0-abf5-49f2-a0c6-dd993e5850dc' },
] as const)('the hash of %o leads back to it', route => {
  expect(routeOf(hashOf(route))).toEqual(route)
})

it.each(['#/service', '#/service/nothing'])('the hash "%s" leads to the tokens', hash => {
  expect(routeOf(hash)).toEqual({ page: 'service', section: 'tokens' })
})

it('an earlier address of a setting leads to it', () => {
  expect(routeOf('#/service/retention')).toEqual({ page: 'settings', section: 'privacy' })
})

it('a broken escape stays as it is', () => {
  expect(routeOf('#/galleries/100%')).toEqual({ page: 'gallery', name: '100%' })
})
