/** A service on a full disk: writes get 503, reads and deletions work, and writes work again with free space. */
import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { RESERVE_FILE } from '#core/files/disk-space.ts'
import { clientOf, form, sample } from '#test/support/client.ts'
import { type Service, startService } from '#test/support/service.ts'
import { mayMount, type SmallDisk, smallDisk } from '../unit/core/full-disk.ts'

const MEGABYTES = 128

const REFUSED = {
  status: 503,
  body: {
    code: 'SERVICE_UNAVAILABLE',
    reason: 'The storage of the service is full. Reads and deletions continue.',
  },
}

async function serviceOn({ folder }: SmallDisk) {
  const service = await startService({ data: folder })
  onTestFinished(async () => void (await service.stop()))
  return service
}

const readiness = async ({ core }: Service) => {
  const response = await fetch(`${core}/readyz`)
  return { status: response.status, body: await response.json() }
}

describe.skipIf(!mayMount())('a service on a full disk', { tags: ['long', 'mount'] }, () => {
  it('refuses writes with a reason, serves reads and deletions, starts, and accepts writes again with free space', {
    timeout: 300_000,
  }, async () => {
    const disk = smallDisk(MEGABYTES)
    const service = await serviceOn(disk)
    await vi.waitFor(() => expect(existsSync(join(disk.folder, RESERVE_FILE))).toBe(true))
    const api = clientOf(service.edge, service.token)
    const photo = await sample(1)
    const enrolled = await api('POST', '/v1/face', form({ photo, meta: 'first' }))
    expect(enrolled.status).toBe(200)
    const [face] = enrolled.body.results
    expect(await readiness(service)).toEqual({ status: 200, body: { status: 'ready' } })

    disk.fill('others')
    expect(disk.free()).toBe(0)

    const writes = [
      () => api('POST', '/v1/face', form({ photo })),
      () => api('POST', '/v1/face', form({ photo }), { 'idempotency-key': 'a key' }),
      () => api('PUT', `/v1/face/id/${face.id}`, { meta: 'changed' }),
    ]
    for (const write of writes) {
      const answer = await write()
      expect(answer).toMatchObject(REFUSED)
      expect(answer.headers.get('retry-after')).toBe('10')
    }
    expect(await readiness(service)).toMatchObject({ status: 200, body: { reason: 'disk full' } })
    expect(service.output()).toContain('"event":"disk full"')
    expect(service.output()).toContain('"status":507')

    // Reads work.
    expect((await api('GET', '/v1/faces')).body.results).toMatchObject([{ id: face.id, meta: 'first' }])
    await expect(api('POST', '/v1/identify', form({ photo }))).toAnswer(200)
    await expect(fetch(face.thumbnail)).toAnswer(200)

    // Deletions work, with all data of the face.
    const pictures = async () =>
      (await readdir(join(disk.folder, 'pictures'), { recursive: true })).filter(name =>
        name.includes(String(face.id)),
      )
    expect(await pictures()).not.toEqual([])
    await expect(api('DELETE', `/v1/face/id/${face.id}`)).toAnswer(204)
    await expect(api('GET', `/v1/face/id/${face.id}`)).toAnswer(404)
    expect(await pictures()).toEqual([])

    disk.remove('others')
    const again = await api('POST', '/v1/face', form({ photo, meta: 'again' }))
    expect(again.status).toBe(200)
    expect(await readiness(service)).toEqual({ status: 200, body: { status: 'ready' } })
    expect(service.output()).toContain('"event":"disk space available"')

    // A service also starts on a full disk.
    await service.stop()
    disk.fill('others')
    const restarted = await serviceOn(disk)
    const later = clientOf(restarted.edge, restarted.token)
    expect(await later('POST', '/v1/face', form({ photo }))).toMatchObject(REFUSED)
    const { id } = again.body.results[0]
    for (const [method, status] of [
      ['GET', 200],
      ['DELETE', 204],
      ['GET', 404],
    ] as const)
      await expect(later(method, `/v1/face/id/${id}`)).toAnswer(status)
  })
})
