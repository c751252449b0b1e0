/** The cameras that this watcher holds: takes and leaves them as the list of the service and the leases say. */
import { isDeepStrictEqual } from 'node:util'
import type { MienClient } from '../clients/typescript/src/index.ts'
import {
  type CameraParts,
  type CameraSettings,
  type CameraWatch,
  type WatchedCamera,
  watchCamera,
} from './camera.ts'
import { CAMERAS_PER_ROUND, keepLease, LEASE_REQUEST_MS, openTaker } from './leases.ts'

interface HeldCamera {
  watch: CameraWatch
  /** Ends the reports. */
  leaving: AbortController
  /** Resolves when the last report was answered. */
  reporting: Promise<void>
}

interface HoldingOptions {
  settings: CameraSettings
  parts: CameraParts
  /** Name of this watcher in leases. */
  watcher: string
  /** Cameras that it holds at most. */
  maxCameras: number
}

export function openHeldCameras(
  client: MienClient,
  { settings, parts, watcher, maxCameras }: HoldingOptions,
) {
  const held = new Map<string, HeldCamera>()
  const take = openTaker(client, watcher)
  const leaves = new Set<Promise<void>>()
  const start = (camera: WatchedCamera) => watchCamera(camera, settings, parts)

  /** Ends the visits of a camera. `isOurs`: gives it back, too. */
  const leave = (id: string, isOurs: boolean): Promise<void> => {
    const { watch, leaving, reporting } = held.get(id)!
    held.delete(id)
    leaving.abort()
    parts.log(isOurs ? 'camera left' : 'camera taken', { camera: id })
    const left = Promise.all([watch.stop(), reporting])
      .then(() => (isOurs ? client.cameras.release(id, watcher, { timeoutMs: LEASE_REQUEST_MS }) : undefined))
      // The lease ends by itself.
      .then(
        () => {},
        () => {},
      )
      .finally(() => leaves.delete(left))
    leaves.add(left)
    return left
  }

  const hold = (camera: WatchedCamera) => {
    const { id } = camera
    const leaving = new AbortController()
    const one: HeldCamera = { watch: start(camera), leaving, reporting: Promise.resolve() }
    held.set(id, one)
    const leased = { id, report: () => one.watch.report(), picture: () => one.watch.picture() }
    const ended = keepLease(client, watcher, leased, leaving.signal)
    one.reporting = ended.then(end => {
      if (end && held.get(id) === one) void leave(id, end === 'gone')
    })
  }

  const change = async (one: HeldCamera, camera: WatchedCamera): Promise<void> => {
    const { url, options } = one.watch.camera
    if (url === camera.url && isDeepStrictEqual(options, camera.options)) return one.watch.change(camera)
    await one.watch.stop()
    // Another watcher may have taken the camera meanwhile.
    if (held.get(camera.id) === one) one.watch = start(camera)
  }

  return {
    /** By id. */
    held,
    /**
     * Leaves cameras that are not listed, restarts those with another URL or other options, changes regions, and takes some
     * free cameras. Returns whether more may be free.
     */
    async follow(listed: readonly WatchedCamera[], signal: AbortSignal): Promise<boolean> {
      const byId = new Map(listed.map(camera => [camera.id, camera]))
      await Promise.all([...held.keys()].filter(id => !byId.has(id)).map(id => leave(id, true)))
      const changed = [...held].flatMap(([id, one]) => {
        const camera = byId.get(id)!
        return isDeepStrictEqual(one.watch.camera, camera) ? [] : [change(one, camera)]
      })
      await Promise.all(changed)
      const free = listed.filter(({ id }) => !held.has(id)).map(({ id }) => id)
      const taken = await take(free, maxCameras - held.size, signal)
      for (const id of taken) hold(byId.get(id)!)
      return taken.length === CAMERAS_PER_ROUND
    },
    /** Stops all cameras, and gives them back. */
    async leaveAll(): Promise<void> {
      for (const id of held.keys()) void leave(id, true)
      await Promise.all(leaves)
    },
  }
}
