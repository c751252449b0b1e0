/** The cameras that this watcher holds: takes and leaves them as the list of the service says, and keeps their leases while it watches them. */
import { isDeepStrictEqual } from 'node:util'
import { type MienClient, MienError } from '../clients/typescript/src/index.ts'
import { environment } from '../contract/environment.ts'
import { CAMERA_LIMITS } from '../contract/limits/cameras.ts'
import type { CameraReport } from '../contract/model/camera.ts'
import { omitNull } from '../contract/omit-undefined.ts'
import {
  type CameraParts,
  type CameraSettings,
  type CameraWatch,
  type WatchedCamera,
  watchCamera,
} from './camera.ts'
import { pause } from './frames/back-off.ts'

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
  const leave = (id: string, isOurs: boolean) => {
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

  const change = async (one: HeldCamera, camera: WatchedCamera) => {
    const { url, options } = one.watch.camera
    if (url === camera.url && isDeepStrictEqual(options, camera.options)) return one.watch.change(camera)
    await one.watch.stop()
    // Another watcher may have taken the camera by now.
    if (held.get(camera.id) === one) one.watch = start(camera)
  }

  return {
    /** By id. */
    held,
    /**
     * Leaves cameras that are not listed, restarts cameras with another URL or other options, changes regions, and takes some free
     * cameras. Returns whether more may be free.
     */
    async follow(listed: readonly WatchedCamera[], signal: AbortSignal) {
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
    async leaveAll() {
      for (const id of held.keys()) void leave(id, true)
      await Promise.all(leaves)
    },
  }
}

/** Cameras that a watcher takes at most before it reads the list again. */
const CAMERAS_PER_ROUND = 4

/** Milliseconds for one request: two attempts fit into a lease. */
const LEASE_REQUEST_MS = 5_000

/** Longest pause in milliseconds before each attempt. */
const LONGEST_PAUSE_MS = 500

/** Returns a function that takes at most `most` of some cameras, and returns their ids. */
function openTaker(client: MienClient, watcher: string) {
  /** When the lease of another watcher ends, in milliseconds of `environment.monotonic()`, by camera. */
  const heldUntil = new Map<string, number>()

  const isTaken = async (id: string, signal: AbortSignal) => {
    try {
      await client.cameras.lease(id, { watcher }, { signal, timeoutMs: LEASE_REQUEST_MS })
      return true
    } catch (error) {
      const seconds = error instanceof MienError && error.status === 409 ? (error.retryAfter ?? 0) : 0
      heldUntil.set(id, environment.monotonic() + seconds * 1_000)
      return false
    }
  }

  return async (ids: readonly string[], most: number, signal: AbortSignal): Promise<string[]> => {
    for (const id of heldUntil.keys()) if (!ids.includes(id)) heldUntil.delete(id)
    const taken: string[] = []
    for (const id of shuffled(ids.filter(id => (heldUntil.get(id) ?? 0) <= environment.monotonic()))) {
      if (taken.length >= Math.min(most, CAMERAS_PER_ROUND)) break
      await pause(environment.random() * LONGEST_PAUSE_MS, signal)
      if (signal.aborted) break
      if (await isTaken(id, signal)) taken.push(id)
    }
    return taken
  }
}

const shuffled = (ids: readonly string[]) =>
  ids
    .map(id => ({ id, at: environment.random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ id }) => id)

interface LeasedCamera {
  /** Id of the camera. */
  id: string
  report(): CameraReport
  picture(): Promise<Uint8Array<ArrayBuffer> | undefined>
}

/**
 * Reports until the signal aborts, then resolves with undefined. Resolves with `taken` when another watcher has taken the camera,
 * and with `gone` when the camera was deleted. While the service does not answer, the watcher continues: it learns later whether
 * another one has taken the camera.
 */
async function keepLease(
  client: MienClient,
  watcher: string,
  camera: LeasedCamera,
  signal: AbortSignal,
): Promise<'taken' | 'gone' | undefined> {
  for (let isWanted = false; ; ) {
    await pause(isWanted ? CAMERA_LIMITS.pictureMs : CAMERA_LIMITS.reportMs, signal)
    if (signal.aborted) return
    try {
      const picture = isWanted ? await camera.picture() : undefined
      const known = omitNull(camera.report())
      const lease = await client.cameras.lease(
        camera.id,
        { watcher, ...known, ...(picture && { picture }) },
        { signal, timeoutMs: LEASE_REQUEST_MS },
      )
      isWanted = lease.picture_wanted
    } catch (error) {
      const status = error instanceof MienError ? error.status : 0
      if (status === 409) return 'taken'
      if (status === 404) return 'gone'
    }
  }
}
