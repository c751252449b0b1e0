/** Settings of a camera: those of the watcher, and the camera's own options. */
import type { CameraOptions } from '../contract/model/camera.ts'
import type { StreamSettings } from './stream.ts'
import type { TrackerSettings } from './tracker.ts'

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
    leastSide: options.min_face ?? watcher.leastSide,
    leastQuality: options.min_quality ?? watcher.leastQuality,
    absenceMs: options.absence === undefined ? watcher.absenceMs : options.absence * 1_000,
    longestMs: (options.early ?? watcher.early) ? Math.min(EARLY_MS, longestMs) : longestMs,
    ...(leastLiveness !== undefined && { leastLiveness }),
  }
}
