/** Summaries, changes, deletion and suggestions of persons at the running service. */
import { describe, expect, it } from 'vitest'
import { form, type Send, sample } from '#test/support/client.ts'
import { freshApi } from '../shared.ts'

/** Enrols the face of a sample photo as a person. Returns the id of the face. */
async function enrolled(api: Send, person_id?: number | string, number: 2 | 3 = 3): Promise<number> {
  const { body } = await api('POST', '/v0/face', form({ photo: await sample(number) }))
  const { id } = body.results[0]
  if (person_id !== undefined) await api('PUT', `/v0/face/id/${id}`, { person_id })
  return id
}

const idsOf = ({ body }: { body: { results: { id: number }[] } }) => body.results.map(({ id }) => id)

describe('GET /persons with a name', () => {
  it('lists the persons whose name contains it', async () => {
    const api = freshApi()
    const photo = await sample(3)
    for (const person of ['Zoë Lee', 'Ann Lee', 'Bob']) await api('POST', '/v0/face', form({ photo, person }))
    expect(idsOf(await api('GET', '/v0/persons?name=LEE'))).toEqual([1, 2])
    expect(idsOf(await api('GET', '/v0/persons/summaries?name=l%C3%A9e'))).toEqual([2, 1])
  })
})

describe('GET /persons/suggestions', () => {
  it('suggests persons with similar faces, in pages, and says which shards were searched', {
    tags: 'long',
  }, async () => {
    const api = freshApi()
    const older = await enrolled(api, 1)
    await enrolled(api, 2, 2)
    const newer = await enrolled(api, 3)
    const { body, headers } = await api('GET', '/v0/persons/suggestions?limit=1')
    expect(body.results).toMatchObject([
      {
        confidence: 1,
        persons: [
          { id: 3, count: 1, face: { id: newer } },
          { id: 1, count: 1, face: { id: older } },
        ],
      },
    ])
    expect(headers.get('x-live-servers')).toBe('1/1')
    expect((await fetch(body.results[0].persons[1].face.thumbnail)).status).toBe(200)
    const second = await api('GET', body.next_page)
    expect(second.body.results).toEqual([])
    const last = await api('GET', second.body.next_page)
    expect(last.body).toEqual({ results: [], next_page: null })
  })
})
