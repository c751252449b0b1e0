/** Summaries, changes, deletion and suggestions of persons at the running service. */
import { describe, expect, it } from 'vitest'
import { form, type Send, sample } from '#bench/harness/client.ts'
import { freshApi } from '../shared.ts'

/** Enrols the face of a sample photo as a person. Returns the id of the face. */
async function enrolled(api: Send, person_id?: number | string, number: 2 | 3 = 3): Promise<number> {
  const { body } = await api('POST', '/v0/face', form({ photo: await sample(number) }))
  const { id } = body.results[0]
  if (person_id !== undefined) await api('PUT', `/v0/face/id/${id}`, { person_id })
  return id
}

const idsOf = ({ body }: { body: { results: { id: number }[] } }) => body.results.map(({ id }) => id)

describe('GET /persons/summaries', { tags: 'long' }, () => {
  it('lists persons in pages with the links of the other pages, and their faces with pictures', async () => {
    const api = freshApi()
    for (const id of [1, 2, 3]) await enrolled(api, id)
    const first = await api('GET', '/v0/persons/summaries?limit=2')
    expect(idsOf(first)).toEqual([3, 2])
    const [{ face, latest, count }] = first.body.results
    expect({ person: face.person_id, latest: latest.face_id, count }).toEqual({
      person: 3,
      latest: face.id,
      count: 1,
    })
    expect((await fetch(face.thumbnail)).status).toBe(200)
    const second = await api('GET', first.body.next_page)
    expect(idsOf(second)).toEqual([1])
    expect(second.body.next_page).toBeNull()
    expect(idsOf(await api('GET', second.body.prev_page))).toEqual([3, 2])
  })
})

describe('GET /persons with a name', () => {
  it('lists the persons whose name contains it, also in pages', async () => {
    const api = freshApi()
    const photo = await sample(3)
    for (const person of ['Zoë Lee', 'Ann Lee', 'Bob']) await api('POST', '/v0/face', form({ photo, person }))
    expect(idsOf(await api('GET', '/v0/persons?name=LEE'))).toEqual([1, 2])
    const { body } = await api('GET', '/v0/persons/summaries?name=l%C3%A9e&limit=1')
    expect(body.results).toMatchObject([{ id: 2, meta: 'Ann Lee' }])
    expect(idsOf(await api('GET', body.next_page))).toEqual([1])
    for (const path of ['persons', 'persons/summaries'])
      for (const name of ['%20', 'x'.repeat(5_000)])
        expect((await api('GET', `/v0/${path}?name=${name}`)).body).toMatchObject({
          code: 'BAD_PARAM',
          param: 'name',
        })
  })
})

describe('PUT /person/id/<id>', { tags: 'long' }, () => {
  it('changes the meta of a person, and of faces that follow it', async () => {
    const api = freshApi()
    const face = await enrolled(api, 7)
    const metaOf = async () => (await api('GET', `/v0/face/id/${face}`)).body.meta
    expect((await api('PUT', '/v0/person/id/7', { meta: 'Ann' })).body).toEqual({ id: 7, meta: 'Ann' })
    expect(await metaOf()).toBe('Ann')
    await api('PUT', `/v0/face/id/${face}`, { meta: 'own' })
    await api('PUT', '/v0/person/id/7', { meta: 'Ann' })
    expect(await metaOf()).toBe('own')
    await api('PUT', '/v0/person/id/7', form({ meta: 'Ann', faces: 'yes' }))
    expect(await metaOf()).toBe('Ann')
    expect((await api('GET', '/v0/person/id/7')).body).toEqual({ id: 7, meta: 'Ann' })
  })
})

describe('DELETE /person/id/<id>', { tags: 'long' }, () => {
  it('deletes the person with all its faces and no other face, and finds no person of another owner', async () => {
    const [api, other] = [freshApi(), freshApi()]
    const theirs = [await enrolled(api, 7), await enrolled(api, '7')]
    const others = [await enrolled(api, 8), await enrolled(api), await enrolled(api, 'seven')]
    expect((await other('DELETE', '/v0/person/id/7')).body).toMatchObject({ code: 'NOT_FOUND' })
    const { status, body } = await api('DELETE', '/v0/person/id/7/')
    expect({ status, body }).toEqual({ status: 204, body: undefined })
    for (const id of theirs) expect((await api('GET', `/v0/face/id/${id}`)).status).toBe(404)
    for (const id of others) expect((await api('GET', `/v0/face/id/${id}`)).status).toBe(200)
    expect((await api('GET', '/v0/persons')).body.results).toMatchObject([{ id: 8 }])
    expect((await api('DELETE', '/v0/person/id/7')).body).toMatchObject({ code: 'NOT_FOUND' })
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
