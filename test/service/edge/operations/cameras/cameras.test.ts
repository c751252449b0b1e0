import { CameraSchema } from '#contract/model/camera.ts'
import type { Scope } from '#contract/model/token.ts'
import { form, sample } from '#test/support/client.ts'
import { api, apiOf } from '../../shared.ts'

const made = async (fields: object = {}) => {
  const { status, body } = await api('POST', '/v0/camera', fields)
  expect(status).toBe(201)
  return CameraSchema.parse(body)
}

describe('POST /camera', () => {
  it('answers retention_days only when it is set', async () => {
    const { id } = await made({ retention_days: 14 })
    const put = async (change: object) => (await api('PUT', `/v0/camera/${id}`, change)).body
    expect(await put({ meta: 'a' })).toEqual({ id, enabled: true, meta: 'a', retention_days: 14 })
    expect(await put({ retention_days: '0' })).toEqual({ id, enabled: true, meta: 'a' })
    expect(await made({ retention_days: 0 })).not.toHaveProperty('retention_days')
  })

  it('stores any text as the URL, and says at once, also in the state, which URL no watcher opens', async () => {
    for (const [url, reason] of [
      ['/etc/passwd', 'The URL is a file. Only a watcher with --files'],
      ['/dev/video0', 'Only a watcher with --devices'],
      ['concat:/etc/passwd|/etc/shadow', 'The URL is of no known kind'],
      ['rtsp://', 'The URL has no host.'],
    ] as const) {
      const camera = await made({ url })
      expect(camera).toMatchObject({ url, url_refused: expect.stringContaining(reason) })
      const { body } = await api('GET', `/v1/cameras/${camera.id}/state`)
      expect(body).toMatchObject({ live: false, reason: camera.url_refused })
    }
    const frigate = await made({ url: 'frigate://door' })
    expect((await api('GET', `/v1/cameras/${frigate.id}/state`)).body.reason).toContain(
      'mien watch --frigate',
    )
    for (const url of ['rtsp://ann:secret@192.0.2.7/1', 'https://192.0.2.7/a.m3u8', 'frigate://door'])
      expect(await made({ url })).not.toHaveProperty('url_refused')
  })

  it('stores options, replaces them as a whole, and deletes them with an empty object', async () => {
    const options = {
      fps: 7.5,
      min_face: 60,
      min_quality: 0.3,
      absence: 9,
      longest: 30,
      early: true,
      liveness: 0.4,
      masks: [[0.5, 0, 0.25, 0.5]],
    }
    const { id, options: stored } = await made({ options })
    expect(stored).toEqual(options)
    const put = async (change: BodyInit | object) =>
      (await api('PUT', `/v0/camera/${id}`, change)).body.options
    expect(await put({ meta: 'a' })).toEqual(options)
    expect(await put(form({ options: '{"fps": 3}' }))).toEqual({ fps: 3 })
    expect(await put(new URLSearchParams({ 'options[early]': 'true', 'options[fps]': '4' }))).toEqual({
      early: true,
      fps: 4,
    })
    expect(await put({ options: {} })).toBeUndefined()
  })
})

it.each(['%s', '%s/'])(
  'GET /camera finds a camera by its id with and without hyphens, in any case: %s',
  async path => {
    const camera = await made()
    for (const id of [camera.id, camera.id.replaceAll('-', ''), camera.id.toUpperCase()])
      expect((await api('GET', `/v0/camera/${path.replace('%s', id)}`)).body).toEqual(camera)
  },
)

it('PUT /camera changes the given fields, keeps the others, and deletes regions that are absent or empty', async () => {
  const { id } = await made({
    meta: 'a',
    url: 'rtsp://u',
    detector: 'd',
    rot: [1, 2, 3, 4],
    roi: [5, 6, 7, 8],
  })
  const put = async (sent: object) => (await api('PUT', `/v0/camera/${id}`, sent)).body
  expect(await put({ meta: 'b', rot: '4,3,2,1' })).toEqual({
    id,
    meta: 'b',
    url: 'rtsp://u',
    detector: 'd',
    rot: [4, 3, 2, 1],
    enabled: true,
  })
  const rest = { id, meta: 'b', url: 'rtsp://u', detector: 'd', enabled: false }
  expect(await put({ enabled: 0, rot: [] })).toEqual(rest)
  expect(await put({ detector: 'other' })).toEqual(rest)
  expect((await api('GET', `/v0/camera/${id}`)).body).toEqual(rest)
  expect(await put({ meta: '', url: '' })).toEqual({ id, detector: 'd', enabled: false })
})

const url = 'rtsp://ann:secret@10.0.0.9:554/1?token=t&channel=1'
const masked = 'rtsp://***@10.0.0.9:554/1?token=***&channel=1'
const owner = `cameras ${process.pid}`
const of = (scope: Scope) => apiOf(owner, { scope })

it('credentials in the URL of a camera are shown to the scopes admin and camera only, and stay when manage changes the camera', {
  tags: 'long',
}, async () => {
  const { id } = (await of('admin')('POST', '/v1/camera', { url })).body
  for (const [scope, shown] of [
    ['admin', url],
    ['camera', url],
    ['read', masked],
    ['enrol', masked],
    ['manage', masked],
  ] as const) {
    const send = of(scope)
    expect((await send('GET', `/v1/camera/${id}`)).body.url).toBe(shown)
    expect((await send('GET', '/v0/cameras')).body.map((camera: { url: string }) => camera.url)).toEqual([
      shown,
    ])
  }
  await of('manage')('PUT', `/v1/camera/${id}`, { url: masked, meta: 'door' })
  expect((await of('admin')('GET', `/v1/camera/${id}`)).body).toMatchObject({ url, meta: 'door' })
})

it("DELETE /camera deletes a camera, answers 404 afterwards, and keeps the camera's faces", async () => {
  const { id } = await made()
  const sent = form({ photo: await sample(4), cam_id: id })
  const face = (await api('POST', '/v0/face', sent)).body.results[0]
  expect(face.cam_id).toBe(id.replaceAll('-', ''))
  const gone = await api('DELETE', `/v0/camera/${id}`)
  expect({ status: gone.status, body: gone.body }).toEqual({ status: 204, body: undefined })
  for (const method of ['GET', 'PUT', 'DELETE']) await expect(api(method, `/v0/camera/${id}`)).toAnswer(404)
  expect((await api('GET', `/v0/face/id/${face.id}`)).body.cam_id).toBe(face.cam_id)
  expect((await api('POST', '/v0/face', sent)).body).toMatchObject({ code: 'BAD_PARAM', param: 'cam_id' })
})
