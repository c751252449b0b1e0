/** Leases, states and pictures of cameras over HTTP. */
import sharp from 'sharp'
import { describe, expect, inject, it } from 'vitest'
import { form } from '#bench/harness/client.ts'
import { api, freshApi, otherApi } from '../../shared.ts'

const picture = async (width: number, format: 'jpeg' | 'png' = 'jpeg') =>
  new Uint8Array(
    await sharp({ create: { width, height: 60, channels: 3, background: 'red' } })
      .toFormat(format)
      .toBuffer(),
  )

const camera = async (): Promise<string> => (await api('POST', '/v1/camera', { meta: 'door' })).body.id

describe('PUT /camera/<id>/lease', () => {
  it('refuses pictures that are no small JPEG images', async () => {
    const id = await camera()
    const put = async (bytes: Uint8Array<ArrayBuffer>) =>
      (await api('PUT', `/v1/camera/${id}/lease`, form({ watcher: 'one', picture: bytes }))).body.code
    expect(await put(await picture(641))).toBe('BAD_PARAM')
    expect(await put(await picture(64, 'png'))).toBe('BAD_PARAM')
    expect(await put(new Uint8Array(9))).toBe('BAD_IMAGE')
    expect(await put(new Uint8Array(300_000))).toBe('PHOTO_TOO_LARGE')
    expect(await put(await picture(640))).toBeUndefined()
  })
})

describe('GET /camera/<id>/picture', () => {
  it('answers 404 with Retry-After, then the picture, which no cache keeps', async () => {
    const id = await camera()
    const get = () => api('GET', `/v1/cameras/${id}/picture`)
    const unwatched = await get()
    expect([unwatched.status, unwatched.headers.get('retry-after')]).toEqual([404, null])
    const lease = async (fields: Parameters<typeof form>[0]) =>
      (await api('PUT', `/v1/camera/${id}/lease`, form({ watcher: 'one', ...fields }))).body
    await lease({})
    const first = await get()
    expect([first.status, first.body.code, first.headers.get('retry-after')]).toEqual([404, 'NOT_FOUND', '2'])
    const bytes = await picture(64)
    expect(await lease({ picture: bytes })).toEqual({ picture_wanted: true })
    const path = `${inject('edge')}/v1/cameras/${id}/picture`
    const response = await fetch(path, { headers: { authorization: `Token ${inject('token')}` } })
    expect(response.headers.get('content-type')).toBe('image/jpeg')
    expect(response.headers.get('cache-control')).toContain('no-store')
    expect(new Uint8Array(await response.arrayBuffer())).toEqual(bytes)
    for (const other of [otherApi, freshApi()])
      for (const what of ['picture', 'state'])
        expect((await other('GET', `/v1/cameras/${id}/${what}`)).status).toBe(404)
  })
})
