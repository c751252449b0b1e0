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
