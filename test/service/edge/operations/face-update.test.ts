import { beforeEach, describe, expect, it } from 'vitest'
import { form, type Send, sample } from '#bench/harness/client.ts'
import { FaceSchema } from '#contract/model/face.ts'
import { freshApi, otherApi } from '../shared.ts'

describe('PUT /face/id', () => {
  let api: Send
  let path: string

  beforeEach(async () => {
    api = freshApi()
    for (const gallery of ['a', 'b']) await api('POST', `/v0/galleries/${gallery}`)
    const sent = form({ photo: await sample(4), meta: 'before', galleries: 'a' })
    path = `/v0/face/id/${(await api('POST', '/v0/face', sent)).body.results[0].id}`
  })

  const put = async (sent: BodyInit | object, rest = '') => {
    const { status, body } = await api('PUT', path + rest, sent)
    expect(status).toBe(200)
    return FaceSchema.parse(body)
  }

  it('changes the given fields and answers the changed face', async () => {
    const face = await put({ meta: 'after', person_id: 12, galleries: { add: ['b'] } }, '/')
    expect(face).toMatchObject({ meta: 'after', person_id: 12, galleries: ['default', 'a', 'b'] })
    expect((await api('GET', path)).body).toEqual(face)
    expect(await put({ person_id: 13 })).toEqual({ ...face, person_id: 13 })
    expect((await put({ meta: '' })).meta).toBe('')
    expect((await fetch(face.thumbnail)).status).toBe(200)
  })

  it('sets a face aside, which only then is found by no search, and is named by no check', async () => {
    const photo = form({ photo: await sample(4), threshold: 'low' })
    const found = async () =>
      Object.values((await api('POST', '/v1/identify', photo)).body.results as Record<string, unknown[]>)[0]!
        .length
    expect(await found()).toBe(1)
    const check = async () => (await api('GET', '/v1/galleries/a/check?limit=1')).body
    const { next_page } = await check()
    expect(next_page).toMatch(/^\/v1\/galleries\/a\/check\?limit=1&min_id=\d+$/)
    expect((await api('GET', next_page)).body).toEqual({ results: [], next_page: null })
    expect(await put({ review: 'set_aside' })).toMatchObject({ review: 'set_aside', meta: 'before' })
    expect(await found()).toBe(0)
    expect(await check()).toEqual({ results: [], next_page: null })
    expect((await api('GET', '/v0/galleries/a/check/rates')).body).toEqual({ results: [] })
    expect(await put({ review: 'none' })).not.toHaveProperty('review')
    expect(await found()).toBe(1)
  })

  it('stores a text as person_id unchanged and creates no person, but one for a number', async () => {
    expect((await put({ person_id: 'employee 7' })).person_id).toBe('employee 7')
    expect((await put(new URLSearchParams({ person_id: 'x7' }))).person_id).toBe('x7')
    expect((await api('GET', '/v0/persons')).body).toEqual({ results: [] })
    expect((await put(form({ person_id: '7' }))).person_id).toBe(7)
    expect((await api('GET', '/v0/persons')).body).toEqual({ results: [{ id: 7, meta: 'before' }] })
  })

  it('moves the face between galleries, and searches find it only in its galleries', {
    tags: 'long',
  }, async () => {
    const photo = await sample(4)
    const found = async (gallery: string) => {
      const { body } = await api('POST', '/v0/identify', form({ photo, gallery, threshold: 'none' }))
      return Object.values(body.results).flat().length === 1
    }
    const where = async () => [await found('default'), await found('a'), await found('b')]
    expect(await where()).toEqual([true, true, false])
    await put({ galleries: { add: ['b'] } })
    expect(await where()).toEqual([true, true, true])
    await put({ galleries: { del: ['a'] } })
    expect(await where()).toEqual([true, false, true])
    await put({ galleries: { set: [] } })
    expect(await where()).toEqual([true, false, false])
  })

  it('refuses two changes of galleries at once, and changes nothing', async () => {
    const before = (await api('GET', path)).body
    const sent = { meta: 'after', galleries: { add: ['a'], del: ['b'] } }
    const { status, body } = await api('PUT', path, sent)
    expect({ status, code: body.code, param: body.param }).toEqual({
      ...{ status: 400, code: 'BAD_PARAM', param: 'galleries' },
    })
    expect((await api('GET', path)).body).toEqual(before)
  })

  it('answers NOT_FOUND for unknown ids and ids of other owners', async () => {
    expect((await api('PUT', '/v0/face/id/1', { meta: 'x' })).status).toBe(404)
    expect((await otherApi('PUT', path, { meta: 'theirs' })).status).toBe(404)
    expect((await api('GET', path)).body.meta).toBe('before')
  })
})
