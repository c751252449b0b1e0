import { MienClient } from '#clients/typescript/src/index.ts'
import { nextSightings, suggestionSearch } from '#console/persons/searches.ts'
import { times } from '#test/support/times.ts'

const { signal } = new AbortController()

/** A client of a service that answers with these pages, and the number of its requests. */
function served(pages: readonly object[][]) {
  const asked: string[] = []
  const fetch = async (url: RequestInfo | URL) => {
    const i = asked.push(String(url)) - 1
    const next_page = i + 1 < pages.length ? `/next?max_id=${i}` : null
    return Response.json({ results: pages[i] ?? [], next_page })
  }
  return { asked, client: new MienClient({ url: 'http://service', token: 'mien_x', fetch }) }
}

const face = (id: number, cam_id?: string) => ({ id, ...(cam_id && { cam_id }) })
const pageOf = (count: number, below: number, cam_id?: string) => times(count, i => face(below - i, cam_id))

it('suggestionSearch ends a search after four requests without suggestions', async () => {
  const { client, asked } = served(times(9, () => []))
  expect(await suggestionSearch(client, signal)()).toEqual({ found: [], isComplete: false })
  expect(asked).toHaveLength(4)
})

describe('nextSightings', () => {
  it('passes over faces without a camera, and says where the next sightings begin', async () => {
    const { client, asked } = served([pageOf(200, 1000), pageOf(200, 800, 'door'), pageOf(5, 600)])
    const page = await nextSightings(client, 7, undefined, signal)
    expect(page.sightings).toHaveLength(200)
    expect(page.next).toBe(601)
    expect(asked).toHaveLength(2)
    expect(new URL(asked[0]!).searchParams.get('person_id')).toBe('7')
  })

  it('gives up after ten requests without a sighting', async () => {
    const { client, asked } = served(times(20, i => pageOf(200, 9_000 - 200 * i)))
    expect(await nextSightings(client, 7, undefined, signal)).toEqual({ sightings: [], next: 7_001 })
    expect(asked).toHaveLength(10)
  })
})
