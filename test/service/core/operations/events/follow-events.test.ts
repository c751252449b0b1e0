/** Live events: which faces they are, their positions, and their end. */

import { setTimeout as sleep } from 'node:timers/promises'
import { EVENT_LIMITS } from '#contract/limits/events.ts'
import type { StreamRequest } from '#contract/operations/messages.ts'
import { streamPath } from '#contract/operations/messages.ts'
import { followEvents } from '#core/operations/events/follow-events.ts'
import { enrol } from '#core/operations/faces/enrol.ts'
import type { Services } from '#core/operations/services.ts'
import { enrolment, OTHER_OWNER, OWNER, TOKEN } from '#test/support/sample-faces.ts'
import { times } from '#test/support/times.ts'
import { openRoutes } from '../../http/asked.ts'
import { FACE, nextItems, openedLive } from '../alerts/shared.ts'
import { cameraOf, createGallery, deleteFace, enrolOne } from '../world.ts'

type Request = StreamRequest<'events.follow'>

const request = (changed: Partial<Request> = {}): Request => ({
  owner: OWNER,
  token: TOKEN,
  filter: { cameras: [] },
  ...changed,
})

/** The ids of the next faces of a stream, in order, and the position after them. */
async function next(services: Services, count: number, changed: Partial<Request> = {}) {
  const items = await nextItems(services, count, changed)
  return { faces: items.map(({ face }) => face!.id), after: items.at(-1).id }
}

describe('live events', () => {
  it('are the faces of cameras, of this owner alone, selected by camera, person, gallery and friend', async () => {
    const { world, camera } = await openedLive()
    await createGallery(world, 'staff')
    const elsewhere = await cameraOf(world, OTHER_OWNER)
    await enrolOne(world, FACE, { owner: OTHER_OWNER, camera: elsewhere })
    await enrolOne(world, FACE)
    const first = await enrolOne(world, FACE, { camera: await cameraOf(world) })
    const stored = await enrolOne(world, FACE, { camera, galleries: ['staff'] })
    const filter = { cameras: [camera], gallery: 'staff', friend: false }
    expect((await next(world, 1, { after: 0, filter })).faces).toEqual([stored])
    const all = { cameras: [], gallery: 'default' }
    expect((await next(world, 2, { after: 0, filter: all })).faces).toEqual([first, stored])
  })

  it('keep their position when faces are deleted', async () => {
    const { world, camera } = await openedLive()
    const [first, last] = [await enrolOne(world, FACE, { camera }), await enrolOne(world, FACE, { camera })]
    const { after } = await next(world, 2, { after: 0 })
    for (const id of [first, last]) await deleteFace(world, id)
    const stored = await enrolOne(world, FACE, { camera })
    expect(await next(world, 1, { after })).toMatchObject({ faces: [stored] })
  })

  it('continue after the newest one, however old it is', async () => {
    const { world, camera } = await openedLive()
    await enrolOne(world, FACE, { camera })
    const { after } = await next(world, 1, { after: 0 })
    const later = { ...world, now: () => Date.now() + EVENT_LIMITS.ageMs + 60_000 }
    expect((await followEvents(later, request({ after })).next()).value).toEqual([{ id: after }])
  })

  it('end when the caller leaves a quiet stream', async () => {
    const { world } = await openedLive()
    const streams = times(EVENT_LIMITS.streamsPerOwner, () => followEvents(world, request()))
    await Promise.all(streams.map(stream => stream.next()))
    const waiting = streams.map(stream => stream.next())
    expect(() => followEvents(world, request())).toThrow('RATE_LIMITED')
    await Promise.all(streams.map(stream => stream.return({})))
    expect((await Promise.all(waiting)).every(({ done }) => done)).toBe(true)
    expect((await followEvents(world, request()).next()).done).toBe(false)
  })

  it('wait in the metadata for a caller who does not read', { tags: 'long' }, async () => {
    const { world, camera } = await openedLive()
    const faces = EVENT_LIMITS.chunk
    const many = { ...enrolment(faces), camera }
    for (let i = 0; i < 3; i++)
      await enrol(
        world,
        many,
        times(faces, () => FACE),
      )
    let pages = 0
    const { execute } = world.database.$client
    world.database.$client.execute = ((statement: { sql: string }) => {
      if (/from "events" inner join/.test(statement.sql)) pages++
      return execute.call(world.database.$client, statement as never)
    }) as typeof execute
    const { post } = await openRoutes(world)
    const response = await post(streamPath('events.follow'), request({ after: 0 }))
    await sleep(300)
    expect(pages).toBeLessThanOrEqual(1)
    let text = ''
    for await (const part of response.body!.pipeThrough(new TextDecoderStream())) {
      text += part
      if (text.split('"timestamp"').length > 3 * faces) break
    }
    expect(pages).toBeGreaterThanOrEqual(3)
  })
})
