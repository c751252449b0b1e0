/** Statistics of galleries over HTTP. */
import { hash } from 'node:crypto'
import { reportOf } from '#core/calibration/scale.ts'
import { statisticsRoutes } from '#core/http/store/statistics.ts'
import type { GalleryStatistics, VectorStore } from '#core/vector-store/vector-store.ts'
import { requireUsable, STANDARD_PACK } from '#models/packs.ts'
import { serveStore } from '../served.ts'

const plain = (gallery: string, linear: number): GalleryStatistics => ({
  gallery,
  linear,
  preindex: 0,
  indexed: 0,
  preindexDeleted: 0,
  indexedDeleted: 0,
  indexFile: undefined,
  indexLoaded: false,
  indexHandle: 0,
})

const GALLERIES = [
  plain('a', 1),
  {
    gallery: 'b',
    linear: 2,
    preindex: 3,
    indexed: 4,
    preindexDeleted: 5,
    indexedDeleted: 6,
    indexFile: '1-2.ivf',
    indexLoaded: true,
    indexHandle: 7,
  },
  plain('c', 8),
]

const vectors = {
  galleries: async () => GALLERIES,
  gallery: async (name: string) => GALLERIES.find(({ gallery }) => gallery === name),
} as unknown as VectorStore
const core = await serveStore(vectors)
afterAll(core.close)

const get = async (path: string) => {
  const response = await fetch(core.origin + path)
  return { status: response.status, body: await response.json() }
}

/** The documented id of a gallery: the first 48 bits of its name's SHA-256. */
const numberOf = (name: string) => Number.parseInt(hash('sha256', name).slice(0, 12), 16)

const entry = (name: string, cnt_linear: number, cnt_preindex = 0, cnt_indexed = 0) => ({
  id: numberOf(name),
  name,
  cnt_linear,
  cnt_preindex,
  cnt_indexed,
})
const A = entry('a', 1)
const B = entry('b', 2, 3, 4)
const C = entry('c', 8)

describe('GET /stat/list', () => {
  it.each([
    ['1/9007199254740991', [A, B, C]],
    ['2/1', [B]],
    ['9007199254740991/1', []],
  ])('lists galleries for start and limit %s, counted from 1', async (bounds, galleries) => {
    expect(await get(`/stat/list/${bounds}`)).toEqual({ status: 200, body: { galleries, total: 3 } })
  })

  it.each([
    ['0/1', 'start'],
    ['1/0', 'limit'],
    ['1/1?info=x', 'info'],
  ])('refuses %s', async (bounds, param) => {
    const { status, body } = await get(`/stat/list/${bounds}`)
    expect({ status, ...body }).toMatchObject({ status: 400, code: 'BAD_PARAM', param })
  })
})

describe('GET /stat/info', () => {
  const INFO = {
    ...B,
    cnt_preindex_deleted: 5,
    cnt_indexed_deleted: 6,
    index_file: '1-2.ivf',
    index_loaded: true,
    cptr: 7,
  }
  const NO_INDEX = {
    cnt_preindex_deleted: 0,
    cnt_indexed_deleted: 0,
    index_file: 'none',
    index_loaded: false,
    cptr: 0,
  }

  it('returns each counter and the state of the index', async () => {
    expect(await get('/stat/info/b')).toEqual({ status: 200, body: INFO })
    expect(await get('/stat/info/a')).toEqual({ status: 200, body: { ...A, ...NO_INDEX } })
  })

  it('answers 404 for an unknown gallery, and 400 for an invalid name', async () => {
    expect(await get('/stat/info/d')).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } })
    expect(await get('/stat/info/a%20b')).toMatchObject({ status: 400, body: { param: 'name' } })
  })
})

it("GET /stat/calibration returns the pack's tables, the active table and the thresholds", async () => {
  const calibration = reportOf(requireUsable(STANDARD_PACK), 'alike')
  const response = await statisticsRoutes({ vectors, calibration }).request('/stat/calibration')
  const answered = (await response.json()) as typeof calibration
  expect(answered).toMatchObject({ pack: 'standard', table: 'alike', thresholds: { medium: 0.6616 } })
  expect(answered.calibrations).toEqual(STANDARD_PACK.embedder.calibration)
})
