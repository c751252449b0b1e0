/** Watches one camera with its settings: its stream, its frames, and the events of its visits. */
import type { Camera } from '../clients/typescript/src/index.ts'
import { environment } from '../contract/environment.ts'
import type { Area, CameraOptions } from '../contract/model/camera.ts'
import { frigateCamera } from '../contract/model/camera-url.ts'
import { type Log, traceOf } from '../core/log.ts'
import type { Raster } from '../wasm/imaging/orientation.ts'
import type { Analyzer } from './analysis/analyzer.ts'
import { frameLoop, type WatchedRegions } from './analysis/frame-loop.ts'
import { openRecorder } from './footage/recorder.ts'
import { liveSource, type OnJpeg } from './live.ts'
import { cameraMeter, drawnPicture } from './report.ts'
import { keepStream, type StreamSettings } from './stream.ts'
import { addTurns, type Turn } from './tilt.ts'
import { openTracker, type ReportedTrack, type TrackerSettings } from './tracker.ts'
import { type FrameShot, type VisitEvent, visitEvent } from './visit-event.ts'

/** Settings of a camera: the settings of the watcher, overridden by the options of the camera. */
export interface CameraSettings extends Omit<StreamSettings, 'rotate'>, Omit<TrackerSettings, 'earlyMs'> {
  /** `auto`: as most faces need it. */
  rotate?: Turn | 'auto'
  /** Least side of a face in pixels. */
  leastSide: number
  /** Least quality of a reported picture, 0..1. */
  leastQuality: number
  /** Whether a visit is reported in its first seconds, and again with each better picture. */
  early: boolean
  /** Areas whose faces and movements are ignored. */
  masks?: readonly Area[]
  /** Least liveness of a posted face, 0..1. */
  leastLiveness?: number
  /** Whether the photo of an event is kept as a snapshot, and the seconds around it as a clip. */
  snapshot?: boolean
  clip?: boolean
}

/** Milliseconds from the first picture to an early report: time for a better one. */
const EARLY_MS = 600

/** The settings of one camera. */
export function settingsOf(watcher: CameraSettings, options: CameraOptions = {}): CameraSettings {
  const longestMs = options.longest === undefined ? watcher.longestMs : options.longest * 1_000
  const leastLiveness = options.liveness ?? watcher.leastLiveness
  return {
    ...watcher,
    fps: options.fps ?? watcher.fps,
    ...(options.rotate !== undefined && { rotate: options.rotate }),
    ...(options.masks && { masks: options.masks }),
    leastSide: options.min_face ?? watcher.leastSide,
    leastQuality: options.min_quality ?? watcher.leastQuality,
    absenceMs: options.absence === undefined ? watcher.absenceMs : options.absence * 1_000,
    longestMs,
    early: options.early ?? watcher.early,
    leastLiveness,
    ...(options.snapshot && { snapshot: true }),
    ...(options.clip && { clip: true }),
  }
}

/** The fields of a camera that the watcher uses. */
export interface WatchedCamera extends WatchedRegions {
  id: string
  url: string
  /** The options override the settings of the watcher. */
  options?: CameraOptions
}

export interface CameraParts {
  analyzer: Analyzer
  onVisit: (event: VisitEvent) => void
  log: Log
}

export type CameraWatch = ReturnType<typeof watchCamera>

/** How often the watcher looks for visits that ended, in milliseconds. */
const DUE_EVERY_MS = 200

export function watchCamera(
  first: WatchedCamera,
  watcherSettings: CameraSettings,
  { analyzer, onVisit, log: logAll }: CameraParts,
) {
  const settings = settingsOf(watcherSettings, first.options)
  let camera = first
  const log: Log = (event, facts) => logAll(event, { camera: first.id, ...facts })
  const stopping = new AbortController()
  const tracker = openTracker<FrameShot>({ ...settings, ...(settings.early && { earlyMs: EARLY_MS }) })
  const recorder = settings.clip ? openRecorder() : undefined
  const frames = frameLoop({ settings, analyzer, tracker, log, recorder, regions: () => camera })
  const meter = cameraMeter(frames.dropped, settings.fps)
  let wasSlow = false
  const reports = new Set<Promise<void>>()
  let turn: Turn = settings.rotate === 'auto' ? 0 : (settings.rotate ?? 0)
  const turned = () => ({ ...settings, rotate: turn })
  const live = liveSource(first.url, turned)

  const report = (tracks: readonly ReportedTrack<FrameShot>[]) => {
    for (const track of tracks) {
      if (!track.isUpdate) meter.visit()
      const done = visitEvent(first.id, settings, track)
        .then(onVisit, error => log('visit lost', { track: track.id, ...traceOf(error) }))
        .finally(() => reports.delete(done))
      reports.add(done)
    }
  }

  const due = environment.interval(() => {
    report(tracker.due(frames.seenUntil()))
    const { searched } = meter.report()
    const isSlow = meter.isSlow()
    if (isSlow !== wasSlow) log(isSlow ? 'camera slow' : 'camera fast', { searched, wanted: settings.fps })
    wasSlow = isSlow
    const needed = frames.tilt.needed()
    if (needed !== 0 && settings.rotate === 'auto') turnBy(needed)
  }, DUE_EVERY_MS)
  const onFrame = (frame: Raster, time: number) => {
    meter.frame(frame, time)
    frames.put(frame, time)
    live.frame(frame)
  }
  let turning = new AbortController()
  const read = async () => {
    while (!stopping.signal.aborted) {
      turning = new AbortController()
      const signal = AbortSignal.any([stopping.signal, turning.signal])
      const events = { onFrame, spare: frames.takeSpare, onLost: meter.lost, recorder, log }
      await keepStream(first.url, turned(), events, signal)
    }
  }
  const streaming = read()
  /** Opens the stream again, turned. */
  const turnBy = (needed: Turn) => {
    turn = addTurns(turn, needed)
    log('camera turned', { degrees: turn })
    frames.tilt.reset()
    report(tracker.end())
    turning.abort()
  }

  return {
    get camera(): WatchedCamera {
      return camera
    },
    meter,
    /** Report of the camera to the service. */
    report: () => ({
      ...meter.report(),
      ...frames.unused(),
      furniture: frames.staticFaces(),
      turn: frames.tilt.needed(),
    }),
    /** The last analysed frame as a small JPEG picture with the boxes of the people on it. Undefined before the first one. */
    async picture() {
      const frame = frames.lastKnown()
      return frame && drawnPicture(frame, tracker.present())
    },
    /** Calls back with pictures for people until the signal aborts, or the watch stops. */
    live: (onJpeg: OnJpeg, signal: AbortSignal) =>
      live.run(onJpeg, AbortSignal.any([signal, stopping.signal])),
    /** Takes new regions. URL and options must be the same. */
    change(changed: WatchedCamera) {
      camera = changed
      frames.reset()
    },
    /** Ends the stream and reports the visits. Resolves when ffmpeg has ended. */
    async stop() {
      stopping.abort()
      due.cancel()
      await Promise.all([streaming, frames.end()])
      report(tracker.end())
      await Promise.all(reports)
    },
  }
}

/** The camera if it is to be watched: enabled, with a URL, and assigned to this detector. */
export function watchedCamera(
  { id, url, rot, roi, enabled, detector, options }: Camera,
  name: string | undefined,
): WatchedCamera | undefined {
  if (!enabled || !url || frigateCamera(url) || (detector || undefined) !== name) return undefined
  return {
    id,
    url,
    ...(rot && { rot }),
    ...(roi && { roi }),
    options,
  }
}
