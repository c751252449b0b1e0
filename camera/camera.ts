/** Watches one camera with its settings: its stream, its frames, and the events of its visits. */
import type { Camera } from '../clients/typescript/src/index.ts'
import type { CameraOptions, Region } from '../contract/model/camera.ts'
import { type Log, traceOf } from '../core/log.ts'
import type { Raster } from '../wasm/imaging/image.ts'
import type { Analyzer } from './analysis/analyzer.ts'
import { frameLoop, type WatchedRegions } from './analysis/frame-loop.ts'
import { frigateCamera } from './frigate/message.ts'
import { liveSource, type OnJpeg } from './live.ts'
import { cameraMeter, drawnPicture } from './report.ts'
import { keepStream, type StreamSettings } from './stream.ts'
import { openTracker, type Track, type TrackerSettings } from './tracker.ts'
import { type FrameShot, type VisitEvent, visitEvent } from './visit-event.ts'

/** Settings of a camera: those of the watcher, and its own options. */
export interface CameraSettings extends StreamSettings, TrackerSettings {
  /** Least side of a face in pixels. */
  leastSide: number
  /** Least quality of a reported picture, 0..1. */
  leastQuality: number
  /** Whether a visit is reported in its first seconds. */
  early?: boolean
  /** Least liveness of a posted face, 0..1. */
  leastLiveness?: number
}

/** Age in milliseconds at which a visit is reported early. It is posted within 3 s with this, the period of checks and the request. */
const EARLY_MS = 2_000

/** The settings of one camera. */
export function settingsOf(watcher: CameraSettings, options: CameraOptions = {}): CameraSettings {
  const longestMs = options.longest === undefined ? watcher.longestMs : options.longest * 1_000
  const leastLiveness = options.liveness ?? watcher.leastLiveness
  return {
    ...watcher,
    fps: options.fps ?? watcher.fps,
    ...(options.rotate !== undefined && { rotate: options.rotate }),
    leastSide: options.min_face ?? watcher.leastSide,
    leastQuality: options.min_quality ?? watcher.leastQuality,
    absenceMs: options.absence === undefined ? watcher.absenceMs : options.absence * 1_000,
    longestMs: (options.early ?? watcher.early) ? Math.min(EARLY_MS, longestMs) : longestMs,
    ...(leastLiveness !== undefined && { leastLiveness }),
  }
}

/** The fields of a camera that the watcher uses. */
export interface WatchedCamera extends WatchedRegions {
  id: string
  url: string
  /** They override the settings of the watcher. */
  options?: CameraOptions
}

export interface CameraParts {
  analyzer: Analyzer
  onVisit: (event: VisitEvent) => void
  log: Log
}

export type CameraWatch = ReturnType<typeof watchCamera>

/** How often the watcher looks for visits that ended, in milliseconds. */
const DUE_EVERY_MS = 500

export function watchCamera(
  first: WatchedCamera,
  watcherSettings: CameraSettings,
  { analyzer, onVisit, log: logAll }: CameraParts,
) {
  const settings = settingsOf(watcherSettings, first.options)
  let camera = first
  const log: Log = (event, facts) => logAll(event, { camera: first.id, ...facts })
  const stopping = new AbortController()
  const tracker = openTracker<FrameShot>(settings)
  const frames = frameLoop({ settings, analyzer, tracker, log, regions: () => camera })
  const meter = cameraMeter(frames.dropped)
  const reports = new Set<Promise<void>>()
  const live = liveSource(first.url, settings)

  const report = (tracks: readonly Track<FrameShot>[]) => {
    for (const track of tracks) {
      meter.visit()
      const done = visitEvent(first.id, settings.leastLiveness, track)
        .then(onVisit, error => log('visit lost', { track: track.id, ...traceOf(error) }))
        .finally(() => reports.delete(done))
      reports.add(done)
    }
  }

  const due = setInterval(() => report(tracker.due(frames.seenUntil())), DUE_EVERY_MS)
  const onFrame = (frame: Raster) => {
    meter.frame(frame)
    frames.put(frame)
    live.frame(frame)
  }
  const streaming = keepStream(first.url, settings, { onFrame, onLost: meter.lost, log }, stopping.signal)

  return {
    get camera(): WatchedCamera {
      return camera
    },
    meter,
    /** What the service learns of the camera. */
    report: meter.report,
    /** The last analysed frame as a small JPEG picture with the boxes of the people on it. Undefined before the first one. */
    async picture() {
      const frame = frames.lastKnown()
      return frame && drawnPicture(frame, tracker.present())
    },
    /** Calls back with pictures for people until the signal aborts, or the watch stops. */
    live: (onJpeg: OnJpeg, signal: AbortSignal): Promise<void> =>
      live.run(onJpeg, AbortSignal.any([signal, stopping.signal])),
    /** Takes new regions. URL and options must be the same. */
    change(changed: WatchedCamera): void {
      camera = changed
      frames.reset()
    },
    /** Ends the stream and reports the visits. Resolves when ffmpeg has ended. */
    async stop(): Promise<void> {
      stopping.abort()
      clearInterval(due)
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
    ...{ id, url },
    ...(rot && { rot: rot as Region }),
    ...(roi && { roi: roi as Region }),
    ...(options && { options }),
  }
}
