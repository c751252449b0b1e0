/** Reads the list of cameras of the service repeatedly. */
import { type Camera, type MienClient, MienError } from '../clients/typescript/src/index.ts'
import type { Log } from '../core/log.ts'

/** Milliseconds between two readings. */
export const LIST_EVERY_MS = 5_000

export type CameraList = Awaited<ReturnType<typeof openCameraList>>

/** Rejects when the first reading fails. */
export async function openCameraList(client: MienClient, log: Log, signal: AbortSignal) {
  const read = () => client.cameras.list({ signal }).toArray()
  let cameras: readonly Camera[] = await read()
  let isAway = false
  return {
    /** The cameras at the last reading that succeeded. */
    get cameras() {
      return cameras
    },
    /** Reads the list. While the service does not answer, the last one stays; the log has the first failure and the recovery. */
    async refresh() {
      try {
        cameras = await read()
        if (isAway) log('cameras known again')
        isAway = false
      } catch (error) {
        if (!isAway && !signal.aborted)
          log('cameras unknown', { code: error instanceof MienError ? error.code : 'no answer' })
        isAway = true
      }
    },
  }
}
