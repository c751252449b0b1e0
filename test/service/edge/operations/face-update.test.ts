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

  it('stores a text as person_id unchanged and creates no person', async () => {
    for (const person_id of ['employee 7', '-7', '7.5', '9'.repeat(16), 'ö'])
      expect((await put({ person_id })).person_id).toBe(person_id)
    expect((await put(new URLSearchParams({ person_id: 'x7' }))).person_id).toBe('x7')
    expect((await api('GET', '/v0/persons')).body).toEqual({ results: [] })
  })

  it('reads digits in a text as a number in every encoding', async () => {
    for (const sent of [
      { person_id: '7' },
      new URLSearchParams({ person_id: '7' }),
      form({ person_id: '7' }),
    ]) {
      await put({ person_id: 1 })
      expect((await put(sent)).person_id).toBe(7)
    }
    expect((await api('GET', '/v0/person/id/7/summary')).body).toMatchObject({ id: 7, count: 1 })
  })

  it('creates a person for an unknown number', async () => {
    await put({ person_id: 7 })
    expect((await api('GET', '/v0/persons')).body).toEqual({ results: [{ id: 7, meta: 'before' }] })
    expect((await api('GET', '/v0/person/id/7')).body).toEqual({ id: 7, meta: 'before' })
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

  it.each([
    [{ galleries: { add: ['a'], del: ['b'] } }, 'galleries'],
    [{ galleries: {} }, 'galleries'],
    [{ galleries: ['a'] }, 'galleries'],
    [{ galleries: 'a' }, 'galleries'],
    [{ galleries: '{"add":' }, 'galleries'],
    [{ galleries: { move: ['a'] } }, 'galleries'],
    [{ galleries: { add: ['no such'] } }, 'galleries'],
    [{ galleries: { add: ['nowhere'] } }, 'galleries'],
    [{ galleries: { add: [1] } }, 'galleries'],
    [{ galleries: { del: ['default'] } }, 'galleries'],
    [{ person_id: -1 }, 'person_id'],
    [{ person_id: 1.5 }, 'person_id'],
    [{ person_id: 2 ** 53 }, 'person_id'],
    [{ person_id: [1] }, 'person_id'],
    [{ person_id: 'x'.repeat(256) }, 'person_id'],
    [{ meta: 'x'.repeat(5_000) }, 'meta'],
    [{ meta: {} }, 'meta'],
  ])('refuses %j as BAD_PARAM naming %s, and changes nothing', async (sent, param) => {
    const before = (await api('GET', path)).body
    const { status, body } = await api('PUT', path, { meta: 'after', ...sent })
    expect({ status, code: body.code, param: body.param }).toEqual({ status: 400, code: 'BAD_PARAM', param })
    expect((await api('GET', path)).body).toEqual(before)
  })

  it('answers NOT_FOUND for unknown ids and ids of other owners', async () => {
    for (const id of ['1', 'abc', '-1', '9007199254740993'])
      expect((await api('PUT', `/v0/face/id/${id}`, { meta: 'x' })).status).toBe(404)
    expect((await otherApi('PUT', path, { meta: 'theirs' })).status).toBe(404)
    expect((await api('GET', path)).body.meta).toBe('before')
  })
})
