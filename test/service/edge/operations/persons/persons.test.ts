/** DELETE /person/id/<id>: deletes a person and all its faces. */
import { describe, expect, it } from 'vitest'
import { form, type Send, sample } from '#bench/harness/client.ts'
import { freshApi } from '../../shared.ts'

const enrolled = async (api: Send, person_id?: number | string): Promise<number> => {
  const photo = await sample(3)
  const { id } = (await api('POST', '/v0/face', form({ photo }))).body.results[0]
  if (person_id !== undefined) await api('PUT', `/v0/face/id/${id}`, { person_id })
  return id
}

describe('DELETE /person/id', { tags: 'long' }, () => {
  it('deletes the person with all its faces and no other face', async () => {
    const api = freshApi()
    const theirs = [await enrolled(api, 7), await enrolled(api, '7')]
    const others = [await enrolled(api, 8), await enrolled(api), await enrolled(api, 'seven')]
    const { status, body } = await api('DELETE', '/v0/person/id/7/')
    expect({ status, body }).toEqual({ status: 204, body: undefined })
    for (const id of theirs) expect((await api('GET', `/v0/face/id/${id}`)).status).toBe(404)
    for (const id of others) expect((await api('GET', `/v0/face/id/${id}`)).status).toBe(200)
    expect((await api('GET', '/v0/persons')).body.results).toMatchObject([{ id: 8 }])
    expect((await api('DELETE', '/v0/person/id/7')).body).toMatchObject({ code: 'NOT_FOUND' })
  })

  it('answers NOT_FOUND for a person of another owner and deletes nothing', async () => {
    const [mine, other] = [freshApi(), freshApi()]
    const id = await enrolled(mine, 7)
    expect((await other('DELETE', '/v0/person/id/7')).body).toMatchObject({ code: 'NOT_FOUND' })
    expect((await mine('GET', `/v0/face/id/${id}`)).body.person_id).toBe(7)
  })
})
