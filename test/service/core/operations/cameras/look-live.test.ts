/** The live view: frames of a viewer, and viewers that a watcher learns. */

import { leaseCamera } from '#core/operations/cameras/camera-leases.ts'
import { followViewers, lookLive } from '#core/operations/cameras/look-live.ts'
import { OTHER_OWNER, OWNER, TOKEN } from '#test/support/sample-faces.ts'
import { openedLive } from '../alerts/shared.ts'

const REPORT = {
  fps: null,
  dropped: null,
  frame_age: null,
  last_error: null,
  width: null,
  height: null,
  losses: null,
}

/** A world with a watched camera, its viewer, and functions that send a frame and read the next one. */
async function viewed() {
  const { world, camera } = await openedLive()
  const request = { owner: OWNER, token: TOKEN }
  const send = (value: number, live: number, watcher = 'one') =>
    leaseCamera(world, { owner: OWNER, id: camera, watcher, report: REPORT, live }, Uint8Array.of(value))
  await leaseCamera(world, { owner: OWNER, id: camera, watcher: 'one', report: REPORT }, undefined)
  const watcher = followViewers(world, request)
  onTestFinished(() => void watcher.return({}))
  expect((await watcher.next()).value).toEqual([{ cameras: [] }])
  const look = () => lookLive(world, { ...request, id: camera })
  const viewer = look()
  expect((await viewer.next()).value).toEqual([])
  expect((await watcher.next()).value).toEqual([{ cameras: [camera] }])
  const next = async (of = viewer) => {
    const [item] = (await of.next()).value as { picture: string }[]
    return Buffer.from(item!.picture, 'base64')[0]
  }
  return { world, camera, watcher, viewer, send, next, look, request }
}

describe('the live view', { tags: 'long' }, () => {
  it('gives the newest frame to each viewer, and none to a viewer twice', async () => {
    const { send, next, look } = await viewed()
    for (const i of [1, 2, 3]) await send(i, i)
    expect(await next()).toBe(3)
    const second = look()
    await second.next()
    expect(await next(second)).toBe(3)
    const waiting = next()
    // Another one has overtaken this frame.
    await send(2, 2)
    await send(4, 4)
    expect(await waiting).toBe(4)
  })

  it('tells the watcher when the last viewer has left, and forgets the frame', async () => {
    const { world, send, watcher, viewer, look } = await viewed()
    await send(1, 1)
    const second = look()
    await second.next()
    await viewer.return({})
    expect(world.liveView.frames.size).toBe(1)
    const told = watcher.next()
    // A disconnected viewer waits for nothing.
    await second.return({})
    let { value } = await told
    if ((value as { cameras: string[] }[])[0]!.cameras.length > 0) ({ value } = await watcher.next())
    expect(value).toEqual([{ cameras: [] }])
    expect(world.liveView.frames.size).toBe(0)
    await send(2, 2)
    expect(world.liveView.frames.size).toBe(0)
  })

  it('is for cameras of the owner that a watcher with a live view watches', async () => {
    const { world, camera, watcher, look, request } = await viewed()
    const theirs = lookLive(world, { ...request, owner: OTHER_OWNER, id: camera })
    await expect(theirs.next()).toBeRefused('NOT_FOUND')
    await watcher.return({})
    await expect(look().next()).toBeRefused('NOT_FOUND')
  })
})
