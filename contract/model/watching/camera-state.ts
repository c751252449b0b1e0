/** What a watcher reports of a camera, and the state of the camera in responses. */
import * as z from 'zod'

/** Why a stream ended, as the log of the watcher names it. */
export const STREAM_ERRORS = [
  'no program',
  'silent',
  'resized',
  'bad picture',
  'access denied',
  'not found',
  'connection refused',
  'unreachable',
  'timeout',
  'not allowed',
  'no video',
  'bad option',
  'ended',
  'refused',
] as const
export type StreamError = (typeof STREAM_ERRORS)[number]

/** Name that a watcher chooses for one run of it, for example a UUID. */
export const WATCHER_PATTERN = /^[a-zA-Z0-9_.-]{1,64}$/
export const WatcherName = z.string().regex(WATCHER_PATTERN)

const count = z.int().min(0)

const reported = {
  /** Frames a second in the last seconds. */
  fps: z.number().min(0).max(1_000).nullable(),
  /** Frames that were replaced by newer ones before their analysis. */
  dropped: count.nullable(),
  /** Seconds since the last frame. */
  frame_age: z.number().min(0).max(1e9).nullable(),
  /** Why the stream ended last. */
  last_error: z.enum(STREAM_ERRORS).nullable(),
  /** Size of a frame in pixels. */
  width: count.nullable(),
  height: count.nullable(),
  /** How often the stream has ended. */
  losses: count.nullable(),
}

/** State of a camera as its watcher knows it. Null: unknown. */
export const CameraReportSchema = z.strictObject(reported)
export type CameraReport = z.infer<typeof CameraReportSchema>

/** State of a camera. Without a watcher, all fields but `live` are null. */
export const CameraStateSchema = z
  .strictObject({
    /** Whether a watcher holds the camera and frames arrive. */
    live: z.boolean(),
    /** The watcher that reported last. */
    watcher: WatcherName.nullable(),
    /** When this watcher took the camera, ISO 8601. */
    since: z.string().nullable(),
    ...reported,
  })
  .meta({ id: 'CameraState' })
export type CameraState = z.infer<typeof CameraStateSchema>
