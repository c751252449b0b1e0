import { describe, expect, it } from 'vitest'
import { form, sample } from '#bench/harness/client.ts'
import { freshApi } from '../shared.ts'

describe('galleries of an owner', () => {
  it('are created by path or by parameter, and listed', async () => {
    const api = freshApi()
    expect(await api('POST', '/v0/galleries/Staff_1/')).toMatchObject({
      status: 201,
      body: { name: 'Staff_1' },
    })
    expect(await api('POST', '/v1/galleries', { name: 'a-b' })).toMatchObject({
      status: 201,
      body: { name: 'a-b' },
    })
    expect((await api('GET', '/v0/galleries/')).body.results).toEqual(['default', 'Staff_1', 'a-b'])
  })

  it('answer 409 GALLERY_EXISTS when they exist already', async () => {
    const api = freshApi()
    await api('POST', '/v0/galleries/once')
    for (const name of ['once', 'default']) {
      const { status, body } = await api('POST', `/v0/galleries/${name}`)
      expect({ status, code: body.code }).toEqual({ status: 409, code: 'GALLERY_EXISTS' })
    }
  })

  it('store, change and show retention_days', { tags: 'long' }, async () => {
    const api = freshApi()
    const sent = async (method: string, path: string, body?: object) => {
      const answered = await api(method, path, body)
      return [answered.status, answered.body]
    }
    expect(await sent('POST', '/v0/galleries/a', { retention_days: 30 })).toEqual([
      201,
      { name: 'a', retention_days: 30 },
    ])
    expect(await sent('POST', '/v0/galleries', { name: 'b', retention_days: '0' })).toEqual([
      201,
      { name: 'b' },
    ])
    expect(await sent('PUT', '/v0/galleries/b', { retention_days: '7' })).toEqual([
      200,
      { name: 'b', retention_days: 7 },
    ])
    expect(await sent('PUT', '/v0/galleries/a', {})).toEqual([200, { name: 'a', retention_days: 30 }])
    expect(await sent('PUT', '/v0/galleries/a', { retention_days: 0 })).toEqual([200, { name: 'a' }])
    expect(await sent('PUT', '/v0/galleries/default?retention_days=365')).toEqual([
      200,
      { name: 'default', retention_days: 365 },
    ])
    expect(await sent('GET', '/v0/galleries/default')).toEqual([
      200,
      { name: 'default', retention_days: 365 },
    ])
    expect(await sent('GET', '/v1/galleries/a/')).toEqual([200, { name: 'a' }])
    for (const method of ['GET', 'PUT'])
      expect(
        (await freshApi()(method, '/v0/galleries/b', method === 'PUT' ? { retention_days: 1 } : undefined))
          .body,
      ).toMatchObject({
        code: 'NOT_FOUND',
      })
    expect((await api('GET', '/v0/galleries/b')).body).toMatchObject({ retention_days: 7 })
  })

  it('are unknown to other owners', async () => {
    const [mine, theirs] = [freshApi(), freshApi()]
    await mine('POST', '/v0/galleries/secret')
    expect((await theirs('GET', '/v0/galleries')).body.results).toEqual(['default'])
    expect((await theirs('DELETE', '/v0/galleries/secret')).status).toBe(404)
    expect((await theirs('POST', '/v0/galleries/secret')).status).toBe(201)
    const sent = form({ photo: await sample(3), gallery: 'secret', threshold: 'none' })
    expect(Object.values((await theirs('POST', '/v0/identify', sent)).body.results)).toEqual([[]])
  })
})
