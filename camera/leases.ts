/** Takes cameras for this watcher, and keeps their leases while it watches them. */
import { type MienClient, MienError } from '../clients/typescript/src/index.ts'
import { environment } from '../contract/environment.ts'
import { CAMERA_LIMITS } from '../contract/limits/cameras.ts'
import type { CameraReport } from '../contract/model/camera.ts'
import { omitNull } from '../contract/omit-undefined.ts'
import { pause } from './frames/back-off.ts'

/** Cameras that a watcher takes at most before it reads the list again. */
export const CAMERAS_PER_ROUND = 4

/** Milliseconds for one request: two attempts fit into a lease. */
export const LEASE_REQUEST_MS = 5_000

/** Longest pause in milliseconds before each attempt. */
const LONGEST_PAUSE_MS = 500

/** Returns a function that takes at most `most` of some cameras, and returns the ids of those that it took. */
export function openTaker(client: MienClient, watcher: string) {
  /** When the lease of another watcher ends, in milliseconds of `environment.monotonic()`, by camera. */
  const heldUntil = new Map<string, number>()

  const isTaken = async (id: string, signal: AbortSignal): Promise<boolean> => {
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

const shuffled = (ids: readonly string[]): string[] =>
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
export async function keepLease(
  client: MienClient,
  watcher: string,
  camera: LeasedCamera,
  signal: AbortSignal,
): Promise<'taken' | 'gone' | undefined> {
  for (let isWanted = false; ; ) {
    await pause(isWanted ? CAMERA_LIMITS.pictureMs : CAMERA_LIMITS.reportMs, signal)
    if (signal.aborted) return
    try {
      const picture: Uint8Array<ArrayBuffer> | undefined = isWanted ? await camera.picture() : undefined
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
