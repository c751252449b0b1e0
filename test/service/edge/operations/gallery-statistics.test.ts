/** GET /statistics/galleries. */
import { describe, expect, it } from 'vitest'
import { form, sample } from '#bench/harness/client.ts'
import { GalleryStatisticsSchema } from '#contract/model/gallery.ts'
import { freshApi } from '../shared.ts'

const EMPTY = { faces: 0, vectors: 0, indexed: 0, index: 'none' }

describe('statistics of galleries', { tags: 'long' }, () => {
  it('count the faces and vectors of each gallery of the owner', async () => {
    const [api, other] = [freshApi(), freshApi()]
    const statistics = async (send = api) => {
      const { status, body } = await send('GET', '/v1/statistics/galleries')
      expect(status).toBe(200)
      expect(Object.keys(body)).toEqual(['results'])
      return body.results.map((one: unknown) => GalleryStatisticsSchema.parse(one))
    }
    expect(await statistics()).toEqual([{ name: 'default', ...EMPTY }])
    // A gallery of this name stays reachable.
    await api('POST', '/v1/galleries/statistics', { retention_days: 30 })
    await api('POST', '/v1/galleries/staff')
    await other('POST', '/v1/galleries/staff')
    const photo = await sample(3)
    const fields = { photo, mf_selector: 'all', galleries: 'staff' }
    const faces = (await api('POST', '/v1/face', form(fields))).body.results as { id: number }[]
    await other('POST', '/v1/face', form({ photo, galleries: 'staff' }))
    expect(await statistics()).toEqual([
      { name: 'default', ...EMPTY, faces: 3, vectors: 3 },
      { name: 'staff', ...EMPTY, faces: 3, vectors: 3 },
      { name: 'statistics', ...EMPTY, retention_days: 30 },
    ])
    await api('PUT', `/v1/face/id/${faces[0]!.id}`, { galleries: { del: ['staff'] } })
    await api('DELETE', `/v1/face/id/${faces[1]!.id}`)
    await api('PUT', '/v1/galleries/default', { retention_days: 7 })
    expect(await statistics()).toEqual([
      { name: 'default', ...EMPTY, retention_days: 7, faces: 2, vectors: 2 },
      { name: 'staff', ...EMPTY, faces: 1, vectors: 1 },
      { name: 'statistics', ...EMPTY, retention_days: 30 },
    ])
    await api('DELETE', '/v1/galleries/staff')
    expect(
      (await statistics()).map(({ name, faces }: { name: string; faces: number }) => [name, faces]),
    ).toEqual([
      ['default', 1],
      ['statistics', 0],
    ])
    expect(await statistics(other)).toMatchObject([
      { name: 'default', faces: 1 },
      { name: 'staff', faces: 1 },
    ])
  })
})
