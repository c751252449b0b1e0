/** GET /faces and GET /faces/gallery/<gallery> with filters. */
import { beforeAll, describe, expect, it } from 'vitest'
import { form, type Send, sample } from '#bench/harness/client.ts'
import { freshApi } from '../shared.ts'

describe('lists of faces', () => {
  let api: Send
  let cameras: string[]
  /** Newest first: four faces of Ann, of which three have a camera, then three of Bob, without. */
  let all: { id: number }[]

  beforeAll(async () => {
    api = freshApi()
    await api('POST', '/v0/galleries/g')
    cameras = []
    for (let i = 0; i < 2; i++) cameras.push((await api('POST', '/v0/camera', {})).body.id)
    const photo = await sample(4)
    for (const [meta, galleries, day, cam_id, person_id] of [
      ['Bob', 'g', 3, undefined, 2],
      ['Bob', 'g', 2, undefined, 2],
      ['', '', 1, undefined, 3],
      ['Ann', 'g', 4, undefined, 'Ann'],
      ['Ann', '', 5, cameras[1]!, 1],
      ['Ann', '', 6, cameras[0]!, 1],
      ['Ann', 'g', 7, cameras[0]!, 1],
    ] as const) {
      const fields = { meta, galleries, timestamp: `2026-01-0${day}`, ...(cam_id && { cam_id }) }
      const { body } = await api('POST', '/v0/face', form({ photo, ...fields }))
      await api('PUT', `/v0/face/id/${body.results[0].id}`, { person_id })
    }
    all = (await api('GET', '/v0/faces')).body.results
    expect(all).toHaveLength(7)
  })

  const ids = (faces: { id: number }[]) => faces.map(({ id }) => id)
  const listed = async (query: Record<string, string>, path = '/v0/faces') => {
    const { status, body } = await api('GET', `${path}?${new URLSearchParams(query)}`)
    expect(status).toBe(200)
    return body
  }

  it('are filtered by meta, person, camera, time and friend, alone and combined', async () => {
    for (const [query, expected] of [
      [{ meta: 'Ann' }, [0, 1, 2, 3]],
      [{ meta: '' }, [4]],
      [{ meta: 'ann' }, []],
      [{ person_id: '2' }, [5, 6]],
      [{ cam_id: cameras[1]! }, [2]],
      [{ cam_id: cameras.join() }, [0, 1, 2]],
      [{ cam_id: JSON.stringify(cameras.map(id => id.replaceAll('-', ''))) }, [0, 1, 2]],
      [{ cam_id: '' }, [0, 1, 2, 3, 4, 5, 6]],
      [{ start: '2026-01-05' }, [0, 1, 2]],
      [{ end: '2026-01-02T01:00:00+01:00' }, [4, 5]],
      [{ start: '2026-01-02', end: '2026-01-04' }, [3, 5, 6]],
      [{ friend: 'true' }, []],
      [{ friend: 'no', meta: 'Bob' }, [5, 6]],
      [{ person_id: '1', cam_id: cameras[0]!, start: '2026-01-07', meta: 'Ann' }, [0]],
    ] as const)
      expect([query, ids((await listed(query as never)).results)]).toEqual([
        query,
        expected.map(i => all[i]!.id),
      ])
    const inGallery = await listed({ meta: 'Ann', start: '2026-01-05' }, '/v1/faces/gallery/g')
    expect(ids(inGallery.results)).toEqual([all[0]!.id])
  })

  it('come in pages whose links keep every filter, in both directions', async () => {
    const filter = {
      meta: 'Ann',
      cam_id: cameras.join(),
      start: '2026-01-01',
      end: '2026-01-07',
      friend: '0',
    }
    const pages: number[][] = []
    let body = await listed({ ...filter, person_id: '1', limit: '2' })
    expect(body.prev_page).toBeNull()
    expect(body.next_page).toMatch(/max_id=\d+$/)
    pages.push(ids(body.results))
    body = (await api('GET', body.next_page)).body
    expect(body.next_page).toBeNull()
    pages.push(ids(body.results))
    expect(pages).toEqual([ids(all.slice(0, 2)), ids(all.slice(2, 3))])
    body = (await api('GET', body.prev_page)).body
    expect(ids(body.results)).toEqual(pages[0])
  })
})
