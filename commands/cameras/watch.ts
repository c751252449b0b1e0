/** Connects `mien watch` with the service, and runs it until a signal: with cameras, or with the events of Frigate. */
import { statSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { setFlagsFromString } from 'node:v8'
import { omitUndefined } from '../../contract/omit-undefined.ts'
import { logToStdout } from '../../core/log.ts'
import type { ServiceOptions } from '../api/options.ts'
import { KEEP_WASM_CODE } from '../processes/child.ts'
import { requireFfmpeg } from '../processes/ffmpeg-program.ts'
import { stopOnSignal, UsageError } from '../terminal/command-line.ts'
import { connect } from '../terminal/connection.ts'
import { pathOf } from '../terminal/paths.ts'
import { type BrokerOptions, brokerOf } from './broker-options.ts'

interface WatchOptions extends ServiceOptions, BrokerOptions {
  detector?: string
  fps: number
  threads?: number
  hwaccel?: string
  files?: string
  devices?: boolean
  file?: string
  camera?: string
  /** Unix milliseconds. */
  start?: number
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
  /** URL of the broker of Frigate. */
  frigate?: string
  frigateUrl?: string
  frigateNames?: true
  frigateTopic: string
}

/** Milliseconds for one request. The outbox repeats requests itself. */
const REQUEST_MS = 30_000

/** Runs until SIGINT or SIGTERM. A second signal ends the process at once. */
export async function runWatch(options: WatchOptions): Promise<number> {
  const recording = recordingOf(options)
  const settings =
    options.frigate !== undefined ? await frigateSettings(options) : await cameraSettings(options)
  const { client } = await connect({ ...options, retries: 0, timeoutMs: REQUEST_MS })
  // Threads start from here on.
  setFlagsFromString(KEEP_WASM_CODE)
  setFlagsFromString(SMALL_YOUNG_GENERATION)
  const stop = stopOnSignal()
  if ('broker' in settings) {
    const { watchFrigate } = await import('../../camera/frigate/watch.ts')
    await watchFrigate(client, settings, logToStdout, stop.signal)
    return 0
  }
  if (recording) {
    const { watchRecording } = await import('../../camera/recording.ts')
    const isRead = await watchRecording(client, { ...settings, ...recording }, logToStdout, stop.signal)
    return isRead ? 0 : 1
  }
  // `mien start --watch` waits for the message. When it ends, the watcher ends.
  process.once('disconnect', () => stop.abort())
  process.send?.({ ready: true, port: 0 })
  const { watchCameras } = await import('../../camera/watch.ts')
  await watchCameras(client, settings, logToStdout, stop.signal)
  if (process.connected) process.disconnect()
  return 0
}

/** Pictures are outside of the heaps: young generations that grow, to 64 MB in each thread, would only collect garbage. */
const SMALL_YOUNG_GENERATION = '--semi-space-growth-factor=1'

function recordingOf({ file, camera, start, frigate }: WatchOptions) {
  if (file === undefined && camera === undefined && start === undefined) return undefined
  if (file === undefined || !camera || start === undefined || frigate !== undefined)
    throw new UsageError('A recording needs --file, --camera and --start, and no --frigate.')
  return { file: pathOf(file), camera, start }
}

/** Half of the cores, and both of two: people who pass several cameras at once need them for a few seconds. */
const threadsFor = (cores: number) => Math.max(Math.min(2, cores), Math.floor(cores / 2))

/** Settings of both. */
const sharedSettings = ({ detector, threads, minFace, minQuality }: WatchOptions) => ({
  ...omitUndefined({ detector }),
  threads: threads ?? threadsFor(availableParallelism()),
  leastSide: minFace,
  leastQuality: minQuality,
})

async function cameraSettings(options: WatchOptions) {
  const { hwaccel, liveness, metrics } = options
  const files = options.files && pathOf(options.files)
  if (files && !statSync(files, { throwIfNoEntry: false })?.isDirectory())
    throw new UsageError(`--files names ${files}, which is no folder.`)
  return {
    ...sharedSettings(options),
    program: await requireFfmpeg(options.ffmpeg),
    ...omitUndefined({ hwaccel, files, leastLiveness: liveness, metrics }),
    devices: options.devices ?? false,
    fps: options.fps,
    absenceMs: options.absence * 1_000,
    longestMs: options.longest * 1_000,
    early: options.early ?? true,
    maxCameras: options.maxCameras ?? Number.POSITIVE_INFINITY,
  }
}

const frigateSettings = async (options: WatchOptions) => ({
  ...sharedSettings(options),
  broker: await brokerOf('--frigate', options.frigate, options),
  frigate: apiOf(options.frigateUrl),
  topic: options.frigateTopic,
  sendsNames: options.frigateNames ?? false,
})

function apiOf(text: string | undefined) {
  const url = text && URL.canParse(text) ? new URL(text) : undefined
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password || url.search || url.hash)
    throw new UsageError('--frigate-url: expected the URL of Frigate, without a user and password.')
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`
}
