/** The history of faces that cameras post. */
import { beforeAll, describe, expect, it } from 'vitest'
import { HistoryEventSchema } from '#contract/model/history.ts'
import { photos } from '#test/contract/requests.ts'
import { form } from '#test/support/client.ts'
import { freshApi } from '../shared.ts'

const api = freshApi()
const [photo] = await photos()

const camera = async (): Promise<string> => (await api('POST', '/v0/camera', {})).body.id

/** Enrols a face of this person. */
const post = async (person_id: number, fields: Record<string, string>) => {
  const { status, body } = await api('POST', '/v0/face', form({ photo, ...fields }))
  expect(status).toBe(200)
  return (await api('PUT', `/v0/face/id/${body.results[0].id}`, { person_id })).body
}

describe('history of faces from cameras', () => {
  let cameras: string[]
  /** Newest first: two persons at two cameras, one of them a friend from the fifth day on. */
  const events: { id: number; person_id: number; timestamp: string; cam_id: string; friend: boolean }[] = []

  beforeAll(async () => {
    cameras = [await camera(), await camera()]
    for (const day of [1, 2, 3, 4, 5]) {
      const timestamp = `2024-03-0${day}T12:00:00Z`
      events.unshift(await post(1, { cam_id: cameras[0]!, meta: 'Ann', timestamp }))
    }
    events.unshift(await post(2, { cam_id: cameras[1]!.replaceAll('-', ''), timestamp: '2024-03-05' }))
    await post(2, { meta: 'no camera', timestamp: '2024-03-05' })
  })

  const ids = (list: { id: number }[]) => list.map(event => event.id)

  const search = async (filter: object = {}) => {
    const { status, body } = await api('POST', '/v0/history/search', filter)
    expect(status).toBe(200)
    for (const event of body.results) HistoryEventSchema.parse(event)
    return body
  }

  it('lists all events, newest first, with every field', async () => {
    const body = await search()
    expect(Object.keys(body)).toEqual(['results'])
    expect(ids(body.results)).toEqual(ids(events))
    expect(body.results[1]).toEqual(HistoryEventSchema.strip().parse(events[1]))
    expect(body.results[0].timestamp).toBe('2024-03-05T00:00:00.000000')
  })

  it('filters by gallery', async () => {
    const { id } = events[2]!
    await api('POST', '/v0/galleries/staff')
    for (const face of [events[1]!.id, id])
      expect((await api('PUT', `/v0/face/id/${face}`, { galleries: { add: ['staff'] } })).status).toBe(200)
    expect(ids((await search({ gallery: 'staff' })).results)).toEqual(ids(events.slice(1, 3)))
    expect(ids((await search({ gallery: 'default' })).results)).toEqual(ids(events))
  })
})
