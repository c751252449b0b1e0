/** Watches one camera: its stream, its frames, and the events of its visits. */
import type { Camera } from '../clients/typescript/src/index.ts'
import type { Region } from '../core/contract/model/camera.ts'
import { type Log, traceOf } from '../core/log.ts'
import type { Analyzer } from './analysis/analyzer.ts'
import { frameLoop, type WatchedRegions } from './analysis/frame-loop.ts'
import { frigateCamera } from './frigate/message.ts'
import { type FrameShot, type VisitEvent, visitEvent } from './posting/visit-event.ts'
import { keepStream, type StreamSettings } from './stream.ts'
import { openTracker, type Track, type TrackerSettings } from './tracking/tracker.ts'

/** The fields of a camera that the watcher uses. */
export interface WatchedCamera extends WatchedRegions {
  id: string
  url: string
}

export interface CameraSettings extends StreamSettings, TrackerSettings {
  /** Least side of a face in pixels. */
  leastSide: number
  /** Least quality of a reported picture, 0..1. */
  leastQuality: number
}

export interface CameraParts {
  analyzer: Analyzer
  onVisit: (event: VisitEvent) => void
  log: Log
}

export interface CameraWatch {
  readonly camera: WatchedCamera
  /** Takes new regions. The URL stays. */
  change(camera: WatchedCamera): void
  /** Ends the stream and reports the visits. Resolves when ffmpeg has ended. */
  stop(): Promise<void>
}

/** How often the watcher looks for visits that ended, in milliseconds. */
const DUE_EVERY_MS = 500

export function watchCamera(
  first: WatchedCamera,
  settings: CameraSettings,
  { analyzer, onVisit, log: logAll }: CameraParts,
): CameraWatch {
  let camera = first
  const log: Log = (event, facts) => logAll(event, { camera: first.id, ...facts })
  const stopping = new AbortController()
  const tracker = openTracker<FrameShot>(settings)
  const frames = frameLoop({ settings, analyzer, tracker, log, regions: () => camera })
  const reports = new Set<Promise<void>>()

  const report = (tracks: readonly Track<FrameShot>[]) => {
    for (const track of tracks) {
      const done = visitEvent(first.id, track)
        .then(onVisit, error => log('visit lost', { track: track.id, ...traceOf(error) }))
        .finally(() => reports.delete(done))
      reports.add(done)
    }
  }

  const due = setInterval(() => report(tracker.due(frames.seenUntil())), DUE_EVERY_MS)
  const streaming = keepStream(first.url, settings, frames.put, log, stopping.signal)

  return {
    get camera() {
      return camera
    },
    change(changed) {
      camera = { ...changed, url: first.url }
      frames.reset()
    },
    async stop() {
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
  { id, url, rot, roi, enabled, detector }: Camera,
  name: string | undefined,
): WatchedCamera | undefined {
  if (!enabled || !url || frigateCamera(url) || (detector || undefined) !== name) return undefined
  return { id, url, ...(rot && { rot: rot as Region }), ...(roi && { roi: roi as Region }) }
}
