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
    for (const [method, path, sent, status, answer] of [
      ['POST', '/v0/galleries/a', { retention_days: 30 }, 201, { name: 'a', retention_days: 30 }],
      ['POST', '/v0/galleries', { name: 'b', retention_days: '0' }, 201, { name: 'b' }],
      ['PUT', '/v0/galleries/b', { retention_days: '7' }, 200, { name: 'b', retention_days: 7 }],
      ['PUT', '/v0/galleries/a', {}, 200, { name: 'a', retention_days: 30 }],
      ['PUT', '/v0/galleries/a', { retention_days: 0 }, 200, { name: 'a' }],
      [
        'PUT',
        '/v0/galleries/default?retention_days=9',
        undefined,
        200,
        { name: 'default', retention_days: 9 },
      ],
      ['GET', '/v0/galleries/default', undefined, 200, { name: 'default', retention_days: 9 }],
      ['GET', '/v1/galleries/a/', undefined, 200, { name: 'a' }],
    ] as const) {
      const answered = await api(method, path, sent)
      expect([method, path, answered.status, answered.body]).toEqual([method, path, status, answer])
    }
    for (const method of ['GET', 'PUT'])
      expect((await freshApi()(method, '/v0/galleries/b')).body).toMatchObject({ code: 'NOT_FOUND' })
    expect((await api('GET', '/v0/galleries/b')).body).toMatchObject({ retention_days: 7 })
  })

  it('store, change and remove a display name, and list it beside the names', async () => {
    const api = freshApi()
    const shown = { name: 'staff', display_name: 'Köche & Kellner' }
    const created = await api('POST', '/v1/galleries/staff', { display_name: ' Köche & Kellner ' })
    expect(created.body).toEqual(shown)
    expect((await api('PUT', '/v1/galleries/staff', { retention_days: 0 })).body).toEqual(shown)
    expect((await api('GET', '/v1/galleries')).body).toEqual({
      results: ['default', 'staff'],
      display_names: { staff: 'Köche & Kellner' },
    })
    expect((await api('GET', '/v1/statistics/galleries')).body.results[1]).toMatchObject(shown)
    expect((await api('PUT', '/v1/galleries/staff', { display_name: '' })).body).toEqual({ name: 'staff' })
    expect((await api('GET', '/v1/galleries')).body).toEqual({ results: ['default', 'staff'] })
    for (const [name, display_name] of [
      ['default', 'Everybody'],
      ['staff', 'x'.repeat(101)],
    ])
      expect((await api('PUT', `/v1/galleries/${name}`, { display_name })).body).toMatchObject({
        code: 'BAD_PARAM',
        param: 'display_name',
      })
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
