/** Scopes of tokens: every operation with a token of every scope. */
import { request } from 'node:http'
import { beforeAll, describe, expect, inject, it } from 'vitest'
import { clientOf, form, type Send } from '#bench/harness/client.ts'
import { newToken } from '#bench/harness/tokens.ts'
import { SCOPES, type Scope } from '#contract/model/scope.ts'
import { OPERATIONS } from '#edge/operations/table.ts'
import { photos } from '../../contract/requests.ts'

/** Repeats the scopes of every operation: a new operation needs an entry here. */
const MAY: Record<string, string> = {
  detect: 'read enrol admin',
  verify: 'read enrol admin',
  identify: 'read enrol admin',
  identifyInGallery: 'read enrol admin',
  enrol: 'enrol camera admin',
  getFace: 'read enrol admin',
  updateFace: 'enrol admin',
  deleteFace: 'enrol admin',
  listFaces: 'read enrol admin',
  listGalleryFaces: 'read enrol admin',
  facesWithMeta: 'read enrol admin',
  galleryFacesWithMeta: 'read enrol admin',
  deleteFacesWithMeta: 'admin',
  deleteGalleryFacesWithMeta: 'admin',
  listMetas: 'read enrol admin',
  listGalleryMetas: 'read enrol admin',
  listGalleries: 'read enrol admin',
  galleryStatistics: 'read enrol admin',
  getGallery: 'read enrol admin',
  createNamedGallery: 'enrol admin',
  createGallery: 'enrol admin',
  changeGallery: 'admin',
  deleteGallery: 'admin',
  listPersons: 'read enrol admin',
  listPersonSummaries: 'read enrol admin',
  suggestPersons: 'read enrol admin',
  getPerson: 'read enrol admin',
  getPersonSummary: 'read enrol admin',
  updatePerson: 'enrol admin',
  mergePersons: 'admin',
  splitPerson: 'admin',
  deletePerson: 'admin',
  personHistory: 'read enrol admin',
  searchHistory: 'read enrol admin',
  browseHistory: 'read enrol admin',
  followEvents: 'read enrol admin',
  createCamera: 'admin',
  listCameras: 'read enrol camera admin',
  getCamera: 'read enrol camera admin',
  changeCamera: 'admin',
  deleteCamera: 'admin',
  leaseCamera: 'enrol camera admin',
  releaseCamera: 'enrol camera admin',
  getCameraState: 'read enrol camera admin',
  getCameraPicture: 'read enrol admin',
  createAlert: 'admin',
  listAlerts: 'admin',
  getAlert: 'admin',
  changeAlert: 'admin',
  deleteAlert: 'admin',
  rotateAlertSecret: 'admin',
  testAlert: 'admin',
  listDeliveries: 'admin',
  retryDelivery: 'admin',
  getCurrentToken: 'read enrol camera admin',
  listTokens: 'admin',
  createToken: 'admin',
  rotateToken: 'admin',
  revokeToken: 'admin',
  listAuditLog: 'admin',
  verifyAuditLog: 'admin',
  getService: 'admin',
}

const OWNER = `scopes ${process.pid}`

/** A path with ids that do not exist. */
const pathOf = (path: string): string => path.replace(/:\w+/g, '404')

describe.each(SCOPES)('a token of the scope %s', scope => {
  let api: Send
  beforeAll(() => {
    api = clientOf(inject('edge'), newToken(inject('data'), OWNER, '--scope', scope))
  })

  const allowed = ({ name }: { name: string }) => MAY[name]?.split(' ').includes(scope)

  it.each(OPERATIONS.filter(allowed))('may call $name', async ({ name, method, path, aliases = [] }) => {
    // A stream does not end. A parameter is refused after the scope was checked.
    const query = name === 'followEvents' ? '?last_event_id=none' : ''
    for (const one of [path, ...aliases]) {
      const { status } = await api(method.toUpperCase(), `/v0${pathOf(one)}${query}`)
      expect([200, 201, 204, 400, 404, 409]).toContain(status)
    }
  })

  it.each(OPERATIONS.filter(operation => !allowed(operation)))(
    'may not call $name, at any path',
    async ({ method, path, aliases = [] }) => {
      for (const prefix of ['/v0', '/v1', ''])
        for (const one of [path, ...aliases]) {
          const { status, body } = await api(method.toUpperCase(), `${prefix}${pathOf(one)}/`)
          expect({ status, code: body.code }).toEqual({ status: 403, code: 'FORBIDDEN' })
        }
    },
  )
})

describe('the table of scopes', () => {
  it('has an entry for every operation', () => {
    expect(Object.keys(MAY)).toEqual(expect.arrayContaining(OPERATIONS.map(({ name }) => name)))
  })
})

describe('an operation outside the scope', () => {
  it.each([
    ['camera', '/v0/detect'],
    ['read', '/v0/face'],
  ])('is refused to %s at %s before the body is read', async (scope, path) => {
    const token = newToken(inject('data'), OWNER, '--scope', scope)
    expect(await statusOfSilence(path, token)).toBe(403)
  })
})

describe('an operation within the scope', () => {
  const send = (scope: Scope) => clientOf(inject('edge'), newToken(inject('data'), OWNER, '--scope', scope))

  it('works: a camera token enrols a face, a read token finds it, and neither does more', async () => {
    const [photo] = await photos()
    const [camera, reader] = [send('camera'), send('read')]
    const posted = await camera('POST', '/v0/face', form({ photo }))
    expect(posted.status).toBe(200)
    const [face] = posted.body.results
    const found = await reader('POST', '/v0/identify', form({ photo }))
    expect(Object.values<{ face: { id: number } }[]>(found.body.results)[0]![0]!.face.id).toBe(face.id)
    expect((await reader('DELETE', `/v0/face/id/${face.id}`)).status).toBe(403)
    expect((await camera('GET', `/v0/face/id/${face.id}`)).status).toBe(403)
    expect((await reader('GET', `/v0/face/id/${face.id}`)).status).toBe(200)
  })
})

/** The status of the answer to a request that announces a body and sends nothing. */
const statusOfSilence = (path: string, token: string): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    const asked = request(`${inject('edge')}${path}`, {
      method: 'POST',
      headers: {
        authorization: `Token ${token}`,
        'content-type': 'application/json',
        'content-length': 1000,
      },
    })
    asked.on('response', ({ statusCode }) => {
      resolve(statusCode)
      asked.destroy()
    })
    asked.on('error', reject)
    asked.flushHeaders()
  })
