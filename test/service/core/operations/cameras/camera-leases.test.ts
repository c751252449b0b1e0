/** Leases of cameras, their states and their pictures, with the real metadata. */
import type { CameraReport } from '#contract/model/camera.ts'
import { forgetPictures } from '#core/metadata/cameras/cameras.ts'
import { cameraLeases } from '#core/metadata/cameras/schema.ts'
import {
  cameraPicture,
  cameraState,
  leaseCamera,
  releaseCamera,
} from '#core/operations/cameras/camera-leases.ts'
import { deleteCamera } from '#core/operations/cameras/cameras.ts'
import { OWNER } from '#test/support/sample-faces.ts'
import { cameraOf, emptyWorld, type World } from '../world.ts'

const REPORT: CameraReport = {
  fps: 4.8,
  dropped: 3,
  frame_age: 0.2,
  last_error: 'silent',
  width: 960,
  height: 640,
  losses: 1,
}
const PICTURE = Uint8Array.of(0xff, 0xd8, 1, 2, 3)

/** A world with a camera, and the requests of two watchers. */
async function watched(camera: { retention_days?: number } = {}) {
  const world = await emptyWorld()
  const at = { owner: OWNER, id: await cameraOf(world, OWNER, camera) }
  const lease = (watcher: string, picture?: Uint8Array) =>
    leaseCamera(world, { ...at, watcher, report: REPORT }, picture)
  return { world, at, lease, row: async () => (await world.database.select().from(cameraLeases))[0] }
}

/** Ends all leases, as if their watchers had been silent for long. */
const expire = ({ database }: World) => database.update(cameraLeases).set({ ends: 1 })

describe('the lease of a camera', { tags: 'long' }, () => {
  it('is held by one watcher, until it ends or is given back', async () => {
    const { world, at, lease } = await watched()
    await lease('one')
    await lease('one')
    const refusal = expect.objectContaining({ code: 'CAMERA_TAKEN' })
    await expect(lease('two')).rejects.toEqual(refusal)
    const { detail } = await lease('two').catch(error => error)
    expect(detail.retryAfter).toBeGreaterThan(0)
    expect(detail.retryAfter).toBeLessThanOrEqual(15)
    await releaseCamera(world, { ...at, watcher: 'two' })
    await expect(lease('two')).rejects.toEqual(refusal)
    await expire(world)
    await lease('two')
    await expect(lease('one')).rejects.toEqual(refusal)
    await releaseCamera(world, { ...at, watcher: 'two' })
    await lease('one')
  })

  it('ends when the clock is set back, and goes to the next watcher', async () => {
    const { world, at, lease } = await watched()
    await lease('one')
    await world.database.update(cameraLeases).set({ ends: Date.now() + 3_600_000 })
    expect((await cameraState(world, at)).state.live).toBe(false)
    await expect(cameraPicture(world, at)).toBeRefused('NOT_FOUND')
    await lease('two')
    expect((await cameraState(world, at)).state).toMatchObject({ live: true, watcher: 'two' })
  })

  it('goes to one of many watchers that ask at once', async () => {
    const { lease } = await watched()
    const asked = await Promise.allSettled(['a', 'b', 'c', 'd', 'e'].map(watcher => lease(watcher)))
    expect(asked.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })

  it('is deleted with its camera, also when the retention of the camera stays', async () => {
    for (const camera of [{}, { retention_days: 3 }]) {
      const { world, at, lease, row } = await watched(camera)
      await lease('one')
      await deleteCamera(world, at)
      expect(await row()).toBeUndefined()
      await expect(lease('one')).toBeRefused('NOT_FOUND')
    }
  })
})

describe('the state of a camera', () => {
  it('is not live after the end of the lease, nor without frames', async () => {
    const { world, at, lease } = await watched()
    await lease('one')
    await expire(world)
    expect((await cameraState(world, at)).state).toMatchObject({ live: false, watcher: 'one' })
    await leaseCamera(world, { ...at, watcher: 'one', report: { ...REPORT, frame_age: null } }, undefined)
    expect((await cameraState(world, at)).state).toMatchObject({ live: false, frame_age: null })
  })

  it('says since when this watcher has held the camera', async () => {
    const { world, at, lease } = await watched()
    const since = async () => (await cameraState(world, at)).state.since!
    await lease('one')
    const first = await since()
    await lease('one')
    expect(await since()).toBe(first)
    await expire(world)
    await lease('two')
    expect((await since()) > first).toBe(true)
  })
})

describe('the picture of a camera', () => {
  it('is stored only after a viewer asked for it, until the next report', async () => {
    const { world, at, lease, row } = await watched()
    await expect(cameraPicture(world, at)).toBeRefused('NOT_FOUND')
    expect(await lease('one', PICTURE)).toEqual({ wanted: false })
    expect((await row())!.picture).toBeNull()
    expect(await cameraPicture(world, at)).toBeUndefined()
    expect(await lease('one', PICTURE)).toEqual({ wanted: true })
    expect(new Uint8Array((await cameraPicture(world, at))!)).toEqual(PICTURE)
    await lease('one')
    expect(await cameraPicture(world, at)).toBeUndefined()
  })

  it.each([
    ['no viewer asks any more', { wanted: 1 }],
    ['the lease has ended', { ends: 1 }],
  ])('is deleted when %s', async (_, change) => {
    const { world, at, lease, row } = await watched()
    await lease('one')
    await cameraPicture(world, at)
    await lease('one', PICTURE)
    await forgetPictures(world.database)
    expect((await row())!.picture).not.toBeNull()
    await world.database.update(cameraLeases).set(change)
    await forgetPictures(world.database)
    expect((await row())!.picture).toBeNull()
  })
})
