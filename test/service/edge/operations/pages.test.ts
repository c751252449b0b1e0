/** Pages of lists: forward to the end and back to the start, by links that keep every filter. */
import { photos } from '#test/contract/requests.ts'
import { form, type Send } from '#test/support/client.ts'
import { freshApi } from '../shared.ts'

let api: Send
let cameras: string

beforeAll(async () => {
  api = freshApi()
  const [photo] = await photos()
  const create = async () => (await api('POST', '/v0/camera', {})).body.id as string
  const ids = [await create(), await create()]
  cameras = ids.join()
  for (let i = 0; i < 5; i++) {
    const seen = { person: 'Ann', cam_id: ids[i % 2]!, timestamp: '2026-01-05' }
    await api('POST', '/v0/face', form({ photo, ...seen }))
  }
  for (const person of ['Hanna', 'Joann', 'Ben']) await api('POST', '/v0/face', form({ photo, person }))
})

const TIMES = 'start=2026-01-01&end=2026-01-07&friend=false'

/** Requests of lists with filters, the number of their entries, and the field that tells them apart. CAMERAS stands for two ids. */
const LISTS: [request: string, count: number, key?: string][] = [
  // The other requests are recorded, too.
  ['GET /v1/audit-log', 11, 'seq'],
  [`GET /v0/faces?meta=Ann&person_id=1&cam_id=CAMERAS&${TIMES}`, 5],
  ['GET /v0/faces/gallery/default', 8],
  ['GET /v0/face/meta/Ann', 5],
  ['GET /faces/gallery/default/meta?meta=Ann', 5],
  ['GET /v0/meta', 4, 'meta'],
  ['GET /v0/persons/summaries?name=ann', 3],
  [`GET /v0/history/search?cam_ids=CAMERAS&${TIMES}`, 5],
  [`POST /v0/history/search/?cam_ids=CAMERAS&${TIMES}`, 5],
]

it.each(LISTS)('%s has the pages of the whole list of %i entries', async (request, count, key = 'id') => {
  const [method = '', path = ''] = request.replace('CAMERAS', cameras).split(' ')
  const at = async (path: string) => {
    const { status, body } = await api(method, path)
    expect(status).toBe(200)
    const { results, prev_page, next_page } = body
    return { keys: results.map((entry: Record<string, unknown>) => entry[key]), prev_page, next_page }
  }
  const [start, filters = ''] = path.split('?')
  const [before] = [`${start}?${filters}&limit=`]
  const { keys: whole } = await at(`${before}1000`)
  expect(new Set(whole).size).toBe(count)
  const pages = [await at(`${before}3`)]
  for (let next = pages[0]!.next_page; next; next = pages.at(-1).next_page) {
    const kept = [...new URLSearchParams(next.split('?')[1]).keys()]
    expect(kept).toEqual(expect.arrayContaining([...new URLSearchParams(filters).keys()]))
    pages.push(await at(next))
  }
  expect(pages.flatMap(({ keys }) => keys)).toEqual(whole)
  expect(pages.length).toBe(Math.ceil(count / 3))
  if (pages[0]!.prev_page === undefined) return
  expect(pages[0]!.prev_page).toBeNull()
  for (const [i, { prev_page }] of pages.slice(1).entries())
    expect((await at(prev_page)).keys).toEqual(pages[i]!.keys)
})

it.each(['/v0/faces', '/v0/meta', '/v0/faces/gallery/default'])(
  'pages beyond both ends of %s link to a page with results',
  async path => {
    const ends: [query: string, link: string][] = [
      ['max_id=1', 'prev_page'],
      [`min_id=${Number.MAX_SAFE_INTEGER}`, 'next_page'],
    ]
    for (const [query, link] of ends) {
      const { body } = await api('GET', `${path}?${query}`)
      expect(body.results).toEqual([])
      expect((await api('GET', body[link])).body.results.length).toBeGreaterThan(0)
    }
  },
)
