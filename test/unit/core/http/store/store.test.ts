/** Each operation of the store interface over HTTP. */

import { FACE_LIMITS } from '#contract/limits/faces.ts'
import { StoreUnavailable, type VectorStore } from '#core/vector-store/vector-store.ts'
import { times } from '#test/support/times.ts'
import { floats, serveRealStore } from '../served.ts'

const { vectors, send, serveInstead } = await serveRealStore()
let name = ''
let names = 0

beforeEach(() => {
  name = `gallery-${names++}`
})

/** Confidence of two vectors at an angle of 45 degrees. */
const ROOT_HALF = Math.round(Math.SQRT1_2 * 1e4) / 1e4

const base64 = (...values: number[]) => Buffer.from(floats(...values)).toString('base64')

const add = (id: number, values: number[]) => send('POST', `/v1/${name}/add/${id}`, floats(...values))

it('add, get and del store, return and remove a vector unchanged', async () => {
  const added = await add(7, [0.1, -2, 3e-7])
  expect([added.status, await added.text()]).toEqual([200, ''])
  const got = await send('GET', `/v1/${name}/get/7`)
  expect([got.status, await got.json()]).toEqual([200, { facen: base64(0.1, -2, 3e-7), id: 7 }])
  const removed = await send('DELETE', `/v1/${name}/del/7`)
  expect([removed.status, await removed.text()]).toEqual([200, ''])
  await expect(send('GET', `/v1/${name}/get/7`)).toAnswer(404)
  await expect(send('DELETE', `/v1/${name}/del/7`)).toAnswer(404)
})

describe('POST /v1/:gallery/search', () => {
  beforeEach(async () => {
    await add(1, [1, 0])
    await add(2, [1, 1])
    await add(3, [0, 1])
    await add(4, [1, 0])
  })

  it('returns confidences in descending order, ties by rising id', async () => {
    const response = await send('POST', `/v1/${name}/search/10/0`, floats(2, 0))
    expect(response.headers.get('x-search-stat')).toBe('without_index')
    expect(response.headers.get('x-live-servers')).toBe('1/1')
    expect(await response.json()).toEqual([
      { conf: 1, id: 1 },
      { conf: 1, id: 4 },
      { conf: ROOT_HALF, id: 2 },
      { conf: 0, id: 3 },
    ])
  })

  it.each([
    ['3/0', [1, 4, 2]],
    ['10/0.7071', [1, 4, 2]],
    ['10/0?linear_search=&unknown=1', [1, 4, 2, 3]],
  ])('applies limit and threshold of %s', async (bounds, ids) => {
    const found = await (await send('POST', `/v1/${name}/search/${bounds}`, floats(1, 0))).json()
    expect(found.map(({ id }: { id: number }) => id)).toEqual(ids)
  })
})

describe('GET /v1/:gallery/list', () => {
  it('lists all faces in pages by rising id', async () => {
    for (const id of [3, 1, 2]) await add(id, [id, 1])
    const face = (id: number) => ({ id, space: 'linear', facen: base64(id, 1) })
    const page = async (path: string) => (await send('GET', path)).json()
    expect(await page(`/v1/${name}/list/0/2`)).toEqual({ faces: [face(1), face(2)], next: 3 })
    expect(await page(`/v1/${name}/list/3/2`)).toEqual({ faces: [face(3)], next: null })
    expect(await page(`/v1/${name}/list/2/9`)).toEqual({ faces: [face(2), face(3)], next: null })
    expect(await page(`/v1/${name}/list/4/9007199254740991`)).toEqual({ faces: [], next: null })
  })

  it('interrupts the response and logs it when the store fails halfway', async () => {
    const vector = Float32Array.of(1, 2)
    const ids = times(FACE_LIMITS.streamChunk + 1, id => id)
    await vectors.add(ids.map(id => ({ gallery: name, id, vector })))
    const list: VectorStore['list'] = (gallery, from, count) =>
      from === 0 ? vectors.list(gallery, from, count) : Promise.reject(new StoreUnavailable('away'))
    const { lines } = await serveInstead({ list } as VectorStore)
    const listing = send('GET', `/v1/${name}/list/0/1000000`).then(response => response.text())
    await expect(listing).rejects.toThrow()
    expect(lines).toContainEqual(
      expect.objectContaining({ event: 'stream interrupted', error: 'StoreUnavailable' }),
    )
  })
})

it.each([
  ['GET', '/v1/a/add/7', 'POST'],
  ['POST', '/v1/a/get/7', 'GET, HEAD'],
  ['PATCH', '/v1/a/index', 'POST, GET, HEAD'],
  ['PUT', '/stat/info/a/', 'GET, HEAD'],
  ['DELETE', '/metrics', 'GET, HEAD'],
])('a known path with another method answers 405 to %s %s and allows %s', async (method, path, allow) => {
  const response = await send(method, path)
  expect({ status: response.status, allow: response.headers.get('allow') }).toEqual({ status: 405, allow })
  expect(await response.json()).toMatchObject({
    code: 'METHOD_NOT_ALLOWED',
    reason: expect.stringMatching(/ Use (POST|GET|POST or GET)\.$/),
  })
})
