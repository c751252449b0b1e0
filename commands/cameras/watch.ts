/** Connects `mien watch` with the service, and runs it until a signal. */
import { availableParallelism } from 'node:os'
import { setFlagsFromString } from 'node:v8'
import { watchCameras } from '../../camera/watch.ts'
import { omitUndefined } from '../../contract/omit-undefined.ts'
import { logToStdout } from '../../core/log.ts'
import type { ServiceOptions } from '../api/options.ts'
import { KEEP_WASM_CODE } from '../processes/child.ts'
import { connect } from '../terminal/connection.ts'
import { dataFolder, pathOf } from '../terminal/paths.ts'
import { requireFfmpeg } from './ffmpeg-program.ts'
import type { FrigateOptions } from './frigate.ts'

interface WatchOptions extends ServiceOptions, FrigateOptions {
  detector?: string
  fps: number
  threads?: number
  hwaccel?: string
  files?: string
  devices?: boolean
  ffmpeg?: string
  minFace: number
  minQuality: number
  /** Seconds. */
  absence: number
  longest: number
  early?: boolean
  liveness?: number
  maxCameras?: number
  metrics?: { host: string; port: number }
}

/** Milliseconds for one request. The outbox repeats requests itself. */
const REQUEST_MS = 30_000

/** Runs until SIGINT or SIGTERM. A second signal ends the process at once. */
export async function runWatch(options: WatchOptions): Promise<number> {
  if (options.frigate !== undefined) return (await import('./frigate.ts')).runFrigate(options)
  const program = await requireFfmpeg(options.ffmpeg)
  const { url, tokenFile, data, hwaccel, files, detector } = options
  const { client } = await connect({
    ...{ url, tokenFile, data: dataFolder(data) },
    ...{ retries: 0, timeoutMs: REQUEST_MS },
  })
  const settings = {
    ...omitUndefined('detector', detector),
    ...omitUndefined('hwaccel', hwaccel),
    ...omitUndefined('files', files && pathOf(files)),
    devices: options.devices ?? false,
    program,
    fps: options.fps,
    threads: options.threads ?? Math.max(1, Math.floor(availableParallelism() / 2)),
    leastSide: options.minFace,
    leastQuality: options.minQuality,
    absenceMs: options.absence * 1_000,
    longestMs: options.longest * 1_000,
    early: options.early ?? false,
    ...omitUndefined('leastLiveness', options.liveness),
    ...omitUndefined('metrics', options.metrics),
    maxCameras: options.maxCameras ?? Number.POSITIVE_INFINITY,
  }
  // Threads start from here on.
  setFlagsFromString(KEEP_WASM_CODE)
  const stop = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort())
  // `mien start --watch` waits for the message, and its end is that of the watcher.
  process.once('disconnect', () => stop.abort())
  process.send?.({ ready: true, port: 0 })
  await watchCameras(client, settings, logToStdout, stop.signal)
  if (process.connected) process.disconnect()
  return 0
}
