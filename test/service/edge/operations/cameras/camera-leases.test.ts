/** Leases, states and pictures of cameras over HTTP. */
import sharp from 'sharp'
import { inject } from 'vitest'
import { form } from '#test/support/client.ts'
import { api } from '../../shared.ts'

it('GET /camera/<id>/picture answers 404 with Retry-After, then the picture, with no-store', async () => {
  const { id } = (await api('POST', '/v1/camera', { meta: 'door' })).body
  const get = () => api('GET', `/v1/cameras/${id}/picture`)
  const unwatched = await get()
  expect([unwatched.status, unwatched.headers.get('retry-after')]).toEqual([404, null])
  const lease = async (fields: Parameters<typeof form>[0]) =>
    (await api('PUT', `/v1/camera/${id}/lease`, form({ watcher: 'one', ...fields }))).body
  await lease({})
  const first = await get()
  expect([first.status, first.body.code, first.headers.get('retry-after')]).toEqual([404, 'NOT_FOUND', '2'])
  const red = sharp({ create: { width: 64, height: 60, channels: 3, background: 'red' } })
  const bytes = new Uint8Array(await red.jpeg().toBuffer())
  expect(await lease({ picture: bytes })).toEqual({ picture_wanted: true })
  const path = `${inject('edge')}/v1/cameras/${id}/picture`
  const response = await fetch(path, { headers: { authorization: `Token ${inject('token')}` } })
  expect(response.headers.get('content-type')).toBe('image/jpeg')
  expect(response.headers.get('cache-control')).toContain('no-store')
  expect(new Uint8Array(await response.arrayBuffer())).toEqual(bytes)
})
