/** The same values in every encoding give the same answer, for all operations with parameters. */
import { inject } from 'vitest'
import { form, type Send } from '#test/support/client.ts'
import { freshApi } from '../service/edge/shared.ts'

const ENCODINGS = [
  'json',
  'form',
  'multipart',
  'query',
  'query beside multipart',
  'nested names in a form',
  'nested names in a query',
] as const
type Encoding = (typeof ENCODINGS)[number]

const asText = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))
const texts = (values: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, asText(value)]))

/** Writes lists and objects as PHP does: `bbox[0][x1]=10`. `detectorParams` keeps its numbers only in JSON. */
function nested(name: string, value: unknown): [string, string][] {
  if (typeof value !== 'object' || value === null || name === 'detectorParams') return [[name, asText(value)]]
  return Object.entries(value).flatMap(([key, child]) => nested(`${name}[${key}]`, child))
}

const allNested = (values: Record<string, unknown>) =>
  Object.entries(values).flatMap(([name, value]) => nested(name, value))

/** Path and body of a request with these values. */
function written(
  path: string,
  values: Record<string, unknown>,
  encoding: Encoding,
): [string, BodyInit | object | undefined] {
  const query = `${path}?${new URLSearchParams(texts(values))}`
  switch (encoding) {
    case 'json':
      return [path, values]
    case 'form':
      return [path, new URLSearchParams(texts(values))]
    case 'multipart':
      return [path, form(texts(values))]
    case 'query':
      return [query, undefined]
    case 'query beside multipart':
      return [query, form({ unknown: '1' })]
    case 'nested names in a form':
      return [path, new URLSearchParams(allNested(values))]
    case 'nested names in a query':
      return [`${path}?${new URLSearchParams(allNested(values))}`, undefined]
  }
}

describe.each(ENCODINGS)('parameters as %s', encoding => {
  let api: Send
  const photo = `http://${inject('photoHost')}/portrait.jpg`

  const send = (method: string, path: string, values: Record<string, unknown>) =>
    api(method, ...written(path, values, encoding))

  beforeAll(async () => {
    api = freshApi()
    for (const gallery of ['one', 'two']) await api('POST', `/v0/galleries/${gallery}`)
  })

  it('enrol, change, identify and verify', async () => {
    const enrolment = {
      photo,
      meta: 'Ann Ö. & Co',
      bbox: [{ x1: 10, y1: 12, x2: 80, y2: 84 }],
      galleries: ['one', 'two'],
      timestamp: '2017-05-17T08:58:00.930572',
      detectorParams: { score: 0.5 },
    }
    const enrolled = await send('POST', '/v0/face', enrolment)
    expect(enrolled.status).toBe(200)
    const [face] = enrolled.body.results
    expect(face).toMatchObject({
      photo,
      meta: 'Ann Ö. & Co',
      x1: 10,
      y1: 12,
      x2: 80,
      y2: 84,
      photo_hash: expect.stringMatching(/^(?:[0-9a-f]{2})+$/),
      galleries: ['default', 'one', 'two'],
      timestamp: '2017-05-17T08:58:00.930572',
      detector_info: { score: 0.5 },
    })

    const changed = await send('PUT', `/v0/face/id/${face.id}`, {
      meta: 'Bob',
      person_id: 12,
      galleries: { del: ['two'] },
    })
    expect(changed.body).toMatchObject({
      id: face.id,
      meta: 'Bob',
      person_id: 12,
      galleries: ['default', 'one'],
    })

    const search = {
      photo,
      x1: 10,
      y1: 12,
      x2: 80,
      y2: 84,
      threshold: 'Strict',
      n: 1000,
      gallery: 'one',
      strict: true,
    }
    const found = await send('POST', '/v0/identify', search)
    expect(found.body.results['[10, 12, 80, 84]']).toMatchObject([{ confidence: 1, face: { id: face.id } }])

    const box = [10, 12, 80, 84]
    const pair = {
      photo1: photo,
      photo2: photo,
      bbox1: box,
      bbox2: [box, box],
      threshold: 0.5,
      mf_selector: 'ALL',
    }
    const verified = await send('POST', '/v0/verify', pair)
    expect(verified.body.results.map((one: { verified: boolean }) => one.verified)).toEqual([true, true])
  })

  it('create and change cameras, and search the history', async () => {
    const camera = {
      meta: 'door',
      url: 'rtsp://a.test/1',
      detector: 'd',
      rot: [640, 480, 0, 0],
      roi: [320, 240, 10, 20],
    }
    const made = await send('POST', '/v0/camera', camera)
    expect(made).toMatchObject({ status: 201, body: { ...camera, enabled: true } })
    const changed = await send('PUT', `/v0/camera/${made.body.id}`, { meta: 'gate', rot: [1, 2, 3, 4] })
    expect(changed.body).toMatchObject({ meta: 'gate', rot: [1, 2, 3, 4] })
    expect(changed.body).not.toHaveProperty('roi')

    const seen = { photo, cam_id: made.body.id, timestamp: '2020-02-02T10:00:00Z', bbox: [10, 12, 80, 84] }
    const [face] = (await send('POST', '/v0/face', seen)).body.results
    const filter = {
      cam_ids: [made.body.id],
      start: '2020-02-02T09:00:00Z',
      end: '2020-02-02T11:00:00Z',
      friend: false,
      limit: 10,
    }
    const events = (await send('POST', '/v0/history/search', filter)).body.results
    expect(events.map((event: { id: number }) => event.id)).toEqual([face.id])
    const none = await send('POST', '/v0/history/search', { ...filter, start: '2020-02-02T10:30:00Z' })
    expect(none.body.results).toEqual([])
  })
})
