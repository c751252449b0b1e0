/** Reports the state of a camera that this watcher holds, which renews its lease. */
import { type MienClient, MienError } from '../../clients/typescript/src/index.ts'
import { LIMITS } from '../../contract/limits.ts'
import type { CameraReport } from '../../contract/model/watching/camera-state.ts'
import { pause } from '../frames/back-off.ts'

/** Milliseconds for one request: two attempts fit into a lease. */
export const REQUEST_MS = 5_000

export interface LeasedCamera {
  /** Id of the camera. */
  id: string
  report(): CameraReport
  picture(): Promise<Uint8Array<ArrayBuffer> | undefined>
}

/**
 * Reports until the signal aborts, then resolves with undefined. Resolves with `taken` when another watcher has taken the camera,
 * and with `gone` when the camera was deleted. While the service does not answer, the watcher goes on: it learns later whether
 * another one has taken the camera.
 */
export async function keepLease(
  client: MienClient,
  watcher: string,
  camera: LeasedCamera,
  signal: AbortSignal,
): Promise<'taken' | 'gone' | undefined> {
  for (let isWanted = false; ; ) {
    await pause(isWanted ? LIMITS.cameraPictureMs : LIMITS.cameraReportMs, signal)
    if (signal.aborted) return
    try {
      const picture: Uint8Array<ArrayBuffer> | undefined = isWanted ? await camera.picture() : undefined
      const known = knownFields(camera.report())
      const lease = await client.cameras.lease(
        camera.id,
        { watcher, ...known, ...(picture && { picture }) },
        { signal, timeoutMs: REQUEST_MS },
      )
      isWanted = lease.picture_wanted
    } catch (error) {
      const status = error instanceof MienError ? error.status : 0
      if (status === 409) return 'taken'
      if (status === 404) return 'gone'
    }
  }
}

/** The fields of a report that are not null. */
const knownFields = (report: CameraReport) =>
  Object.fromEntries(Object.entries(report).filter(([, value]) => value !== null)) as {
    [Name in keyof CameraReport]?: NonNullable<CameraReport[Name]>
  }
