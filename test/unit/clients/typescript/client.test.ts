import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { boxOf, MienClient } from '#clients/typescript/src/index.ts'
import { TYPES_PATH, typesText } from '#commands/development/openapi.ts'
import { OPERATIONS } from '#contract/operations/table.ts'
import { scriptedServer } from '../scripted-server.ts'

const photo = new Uint8Array([1])
const camera = '709d6c9d-9ab9-442f-8e31-40c49d38fa30'
const TOKEN = '5f0c1d2e3a4b'

/** A call of each operation that has a method. */
const CALLS: Record<string, (client: MienClient) => Promise<unknown>> = {
  detect: client => client.detect(photo),
  verify: client => client.verify(photo, photo),
  identify: client => client.identify(photo),
  enrol: client => client.faces.enrol(photo),
  getFace: client => client.faces.get(7),
  updateFace: client => client.faces.update(7, { meta: 'Ann' }),
  deleteFace: client => client.faces.delete(7),
  listFaces: client => client.faces.list().toArray(),
  listGalleryFaces: client => client.faces.list({ gallery: 'staff' }).toArray(),
  facesWithMeta: client => client.faces.list({ meta: 'a/b c' }).toArray(),
  galleryFacesWithMeta: client => client.faces.list({ gallery: 'staff', meta: 'a/b c' }).toArray(),
  deleteFacesWithMeta: client => client.faces.deleteWithMeta('a/b c'),
  deleteGalleryFacesWithMeta: client => client.faces.deleteWithMeta('a/b c', { gallery: 'staff' }),
  listMetas: client => client.metas.list().toArray(),
  listGalleryMetas: client => client.metas.list({ gallery: 'staff' }).toArray(),
  listGalleries: client => client.galleries.list().toArray(),
  galleryStatistics: client => client.galleries.statistics().toArray(),
  createGallery: client => client.galleries.create('staff', { retention_days: 30 }),
  getGallery: client => client.galleries.get('staff'),
  changeGallery: client => client.galleries.update('staff', { retention_days: 0 }),
  deleteGallery: client => client.galleries.delete('staff'),
  listPersons: client => client.persons.list().toArray(),
  listPersonSummaries: client => client.persons.summaries({ meta: 'Ann', pageSize: 10 }).toArray(),
  suggestPersons: client => client.persons.suggestions({ threshold: 'strict' }).toArray(),
  getPersonSummary: client => client.persons.summary(7),
  updatePerson: client => client.persons.update(7, { meta: 'Ann', faces: true }),
  mergePersons: client => client.persons.merge(7, [8, 9]),
  splitPerson: client => client.persons.split(7, [1], { meta: 'Ben' }),
  getPerson: client => client.persons.get(7),
  deletePerson: client => client.persons.delete(7),
  personHistory: client => client.persons.history(7, { start: '2026-11-22' }).toArray(),
  browseHistory: client => client.history.search({ friend: true }).toArray(),
  followEvents: client => client.events({ friend: true }).next(),
  createCamera: client => client.cameras.create({ meta: 'door' }),
  listCameras: client => client.cameras.list().toArray(),
  getCamera: client => client.cameras.get(camera),
  changeCamera: client => client.cameras.update(camera, { meta: 'gate' }),
  deleteCamera: client => client.cameras.delete(camera),
  leaseCamera: client => client.cameras.lease(camera, { watcher: 'w' }),
  releaseCamera: client => client.cameras.release(camera, 'w'),
  getCameraState: client => client.cameras.state(camera),
  getCameraPicture: client => client.cameras.picture(camera),
  createAlert: client => client.alerts.create({ url: 'https://receiver.example' }),
  listAlerts: client => client.alerts.list().toArray(),
  getAlert: client => client.alerts.get('a'),
  changeAlert: client => client.alerts.update('a', { url: 'https://receiver.example' }),
  deleteAlert: client => client.alerts.delete('a'),
  rotateAlertSecret: client => client.alerts.rotateSecret('a'),
  testAlert: client => client.alerts.test('a'),
  listDeliveries: client => client.alerts.deliveries('a', { state: 'failed' }).toArray(),
  retryDelivery: client => client.alerts.retry('a', 7),
  getCurrentToken: client => client.tokens.current(),
  listTokens: client => client.tokens.list().toArray(),
  createToken: client => client.tokens.create({ scope: 'read' }),
  rotateToken: client => client.tokens.rotate(TOKEN, { grace_hours: 1 }),
  revokeToken: client => client.tokens.revoke(TOKEN),
  listAuditLog: client => client.service.auditLog({ pageSize: 10 }).toArray(),
  verifyAuditLog: client => client.service.verifyAuditLog(),
  getService: client => client.service.get(),
}

const EVENTS = {
  headers: { 'content-type': 'text/event-stream' },
  body: 'id: 1\nevent: face\ndata: {"id":7}\n\n',
}

const answerTo = (name: string) =>
  name === 'followEvents' ? EVENTS : { body: name === 'listCameras' ? [] : { results: [] } }

/** Operations of the API at this method and path. A meta may be in the query. */
const operationsAt = (method: string, path: string): string[] =>
  OPERATIONS.filter(operation => operation.method.toUpperCase() === method)
    .filter(({ path: main, aliases = [] }) => [main, ...aliases].some(route => matches(route, path)))
    .map(({ name }) => name)

const matches = (route: string, path: string): boolean =>
  new RegExp(`^/v1${route.replaceAll(/:\w+/g, '[^/]+')}$`).test(path)

describe('the client', () => {
  it.each(Object.entries(CALLS))('calls %s', async (name, call) => {
    await using server = await scriptedServer(answerTo(name))
    await call(server.client)
    const { method, path, headers } = server.asked[0]!
    expect(operationsAt(method, path.split('?')[0]!)).toContain(name)
    expect(headers.authorization).toMatch(/^Token mien_/)
    if (name.includes('WithMeta')) expect(new URL(path, server.url).searchParams.get('meta')).toBe('a/b c')
  })

  it('sends parameters as fields: structures as JSON, undefined not at all', async () => {
    await using server = await scriptedServer({ body: { results: [] } })
    const box = { x1: 1, y1: 2, x2: 60, y2: 70 }
    const detectorParams = 'fast'
    await server.client.faces.enrol(photo, { bbox: [box], quality: true, detectorParams, meta: undefined })
    const { body, headers } = server.asked[0]!
    const form = await new Response(Buffer.from(body, 'latin1'), {
      headers: { 'content-type': headers['content-type']! },
    }).formData()
    const { photo: file, ...fields } = Object.fromEntries(form)
    expect(file).toBeInstanceOf(File)
    expect(fields).toEqual({ bbox: JSON.stringify([box]), quality: 'true', detectorParams: '"fast"' })
  })

  it.each([
    [{ meta: 'Ann' }, '/v1/face/meta?meta=Ann'],
    [{ meta: 'Ann', pageSize: 9 }, '/v1/faces?meta=Ann&limit=9'],
    [{ meta: '', max_id: 7, gallery: 'staff' }, '/v1/faces/gallery/staff?meta=&max_id=7'],
    [
      { person_id: 0, friend: false, cam_id: [camera, camera], start: '2026-01-01', meta: undefined },
      `/v1/faces?person_id=0&friend=false&cam_id=${encodeURIComponent(JSON.stringify([camera, camera]))}&start=2026-01-01`,
    ],
  ])('lists faces by the filter %j', async (filter, path) => {
    await using server = await scriptedServer({ body: { results: [] } })
    await server.client.faces.list(filter).toArray()
    expect(server.asked[0]!.path).toBe(path)
  })

  it('names the option that is missing', () => {
    const url = 'http://127.0.0.1:8787'
    expect(() => new MienClient({ url: undefined, token: 'mien_x' })).toThrow('url: missing.')
    expect(() => new MienClient({ url, token: undefined })).toThrow('token: missing.')
  })

  it.each(['', '.', '..'])('refuses the name %j, which would address another path', async name => {
    await using server = await scriptedServer({})
    const { faces, galleries, metas, cameras } = server.client
    for (const call of [
      () => faces.deleteWithMeta('Ann', { gallery: name }),
      () => faces.list({ gallery: name }),
      () => metas.list({ gallery: name }),
      () => galleries.delete(name),
      () => cameras.delete(name),
    ])
      expect(call).toThrow(TypeError)
    expect(server.asked).toEqual([])
  })

  it('has the types that `npm run openapi` writes', async () => {
    expect(await readFile(TYPES_PATH, 'utf8')).toBe(await typesText())
  })

  it('reads the boxes in the keys of identify', () => {
    expect(boxOf('[-1, 2, 30, 40]')).toEqual({ x1: -1, y1: 2, x2: 30, y2: 40 })
    for (const key of ['', '[1, 2, 3]', '[1,2,3,4]', '[1, 2, 3, x]'])
      expect(() => boxOf(key)).toThrow(TypeError)
  })
})
