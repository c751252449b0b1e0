import { freshApi } from '../shared.ts'

it('galleries of an owner store, change and remove a display name and a retention, and list the display name beside the names', async () => {
  const api = freshApi()
  const shown = { name: 'staff', display_name: 'Köche & Kellner' }
  const created = await api('POST', '/v1/galleries/staff', {
    display_name: ' Köche & Kellner ',
    retention_days: '30',
  })
  expect(created.body).toEqual({ ...shown, retention_days: 30 })
  expect((await api('PUT', '/v1/galleries/staff', { retention_days: 0 })).body).toEqual(shown)
  expect((await api('GET', '/v1/galleries')).body).toEqual({
    results: ['default', 'staff'],
    display_names: { staff: 'Köche & Kellner' },
  })
  expect((await api('GET', '/v1/statistics/galleries')).body.results[1]).toMatchObject(shown)
  expect((await api('PUT', '/v1/galleries/staff', { display_name: '' })).body).toEqual({ name: 'staff' })
  expect((await api('GET', '/v1/galleries')).body).toEqual({ results: ['default', 'staff'] })
})
