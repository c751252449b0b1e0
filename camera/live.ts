/** Live view: learns which cameras have viewers, and sends their newest pictures. Nothing runs without viewers. */
import type { MienClient } from '../clients/typescript/src/index.ts'
import { environment } from '../contract/environment.ts'
import type { Raster } from '../wasm/imaging/orientation.ts'
import { backOffMs, pause } from './frames/back-off.ts'
import { readJpegs } from './frames/jpegs.ts'
import { sourceOf } from './frames/source.ts'
import { drawnPicture } from './report.ts'
import type { StreamSettings } from './stream.ts'

export type OnJpeg = (jpeg: Uint8Array<ArrayBuffer>) => void

/** Without pictures of the second connection for this time in milliseconds, the frames of the analysis are shown. */
const STALE_PICTURE_MS = 1_000

/** Pictures of one camera for viewers. They come over a second connection: the connection of the analysis has fewer frames a second. */
export function liveSource(url: string, settingsNow: () => StreamSettings) {
  let onJpeg: OnJpeg | undefined
  let arrivedAt = Number.NEGATIVE_INFINITY
  const isStale = () => onJpeg !== undefined && environment.monotonic() - arrivedAt >= STALE_PICTURE_MS
  return {
    /** Takes a frame of the analysis: for the first moments, and for cameras that refuse a second connection. */
    frame(frame: Raster) {
      if (!isStale()) return
      drawnPicture(frame, []).then(
        jpeg => isStale() && onJpeg?.(jpeg),
        () => {},
      )
    },
    /** Calls back with pictures until the signal aborts. Resolves when ffmpeg has ended. */
    async run(callback: OnJpeg, signal: AbortSignal) {
      onJpeg = callback
      const arrived: OnJpeg = jpeg => {
        arrivedAt = environment.monotonic()
        callback(jpeg)
      }
      for (let failures = 0; !signal.aborted; failures++) {
        const settings = settingsNow()
        const input = await sourceOf(url, settings).catch(() => undefined)
        if (input) await readJpegs({ ...settings, input, onJpeg: arrived, signal })
        if (environment.monotonic() - arrivedAt < STALE_PICTURE_MS) failures = 0
        await pause(backOffMs(failures), signal)
      }
      onJpeg = undefined
    },
  }
}

interface LiveWatch {
  /** Calls back with pictures for people until the signal aborts, or the watch stops. */
  live(onJpeg: OnJpeg, signal: AbortSignal): Promise<void>
}

/** The watch of each camera that this watcher holds, by id. */
type Held = ReadonlyMap<string, { watch: LiveWatch }>

/** Pause in milliseconds after a stream that the service ended, as it does after some minutes. */
const REOPEN_PAUSE_MS = 200

/** Sends pictures of the cameras with viewers until the signal aborts. An earlier service has no live view: it is asked again. */
export async function followViewers(
  client: MienClient,
  watcher: string,
  held: Held,
  signal: AbortSignal,
): Promise<void> {
  const sending = new Map<string, { stop: AbortController; ended: Promise<void> }>()
  const send = (ids: readonly string[]) => {
    for (const [id, { stop }] of sending) if (!ids.includes(id)) stop.abort()
    for (const id of ids) {
      const watch = held.get(id)?.watch
      if (!watch || sending.has(id)) continue
      const stop = new AbortController()
      const ended = sendFrames(client, { watcher, id, watch }, stop.signal).finally(() => sending.delete(id))
      sending.set(id, { stop, ended })
    }
  }
  for (let failures = 0; !signal.aborted; ) {
    try {
      for await (const ids of client.viewers({ signal })) {
        failures = 0
        send(ids)
      }
      await pause(REOPEN_PAUSE_MS, signal)
    } catch {
      send([])
      await pause(backOffMs(failures++), signal)
    }
  }
  send([])
  await Promise.all([...sending.values()].map(({ ended }) => ended))
}

/** Frames that are sent at once: the distance to the service does not bound their rate. Core drops an overtaken frame. */
const FRAMES_IN_FLIGHT = 3

/** Milliseconds for one frame, and a pause after a failure. */
const FRAME_TIMEOUT_MS = 3_000
const FAILED_FRAME_PAUSE_MS = 1_000

/** Sends the newest picture whenever it may. Older ones are dropped. */
async function sendFrames(
  client: MienClient,
  { watcher, id, watch }: { watcher: string; id: string; watch: LiveWatch },
  signal: AbortSignal,
) {
  let newest: Uint8Array<ArrayBuffer> | undefined
  let flying = 0
  const next = () => {
    if (!newest || flying >= FRAMES_IN_FLIGHT || signal.aborted) return
    const picture = newest
    newest = undefined
    flying++
    const live = Math.round(environment.monotonic() * 1_000)
    client.cameras
      .lease(id, { watcher, live, picture }, { signal, timeoutMs: FRAME_TIMEOUT_MS })
      .catch(() => pause(FAILED_FRAME_PAUSE_MS, signal))
      .finally(() => {
        flying--
        next()
      })
  }
  await watch.live(jpeg => {
    newest = jpeg
    next()
  }, signal)
}
