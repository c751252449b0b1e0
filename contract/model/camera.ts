/** Cameras in responses, the options of their watchers, and their state. */
import * as z from 'zod'
import { CAMERA_LIMITS } from '../limits/cameras.ts'
import { PHOTO_LIMITS } from '../limits/photos.ts'
import { HexId, Natural, Positive, Share } from '../scalars.ts'
import { RetentionDays } from './gallery.ts'

const seconds = Positive.max(CAMERA_LIMITS.visitSeconds)

/** `[left, top, width, height]` in shares of the picture. */
const AreaSchema = z.tuple([Share, Share, Share, Share])
export type Area = z.infer<typeof AreaSchema>
export const AreasSchema = z.array(AreaSchema).max(CAMERA_LIMITS.areas)

/** The watcher's option replaces an absent one. */
export const CameraOptionsSchema = z.strictObject({
  /** Frames a second. */
  fps: z.number().min(1).max(CAMERA_LIMITS.fps).optional(),
  /** Least side of a face in pixels. */
  min_face: z.int().min(PHOTO_LIMITS.detectedFaceSide).max(CAMERA_LIMITS.faceSide).optional(),
  /** Least quality of a posted picture. */
  min_quality: Share.optional(),
  /** Seconds without the person that end a visit. */
  absence: seconds.optional(),
  /** Seconds after which a longer visit is posted. */
  longest: seconds.optional(),
  /** Post a visit in its first seconds, and replace its picture by better ones. */
  early: z.boolean().optional(),
  /** Least liveness of a posted face. */
  liveness: Share.optional(),
  /** Degrees by which the watcher turns the pictures clockwise, or as the faces need it. Regions are in the turned picture. */
  rotate: z.literal([0, 90, 180, 270, 'auto']).optional(),
  /** Keep the whole photo of each face, and a clip of the seconds around it. Absent: do not. */
  snapshot: z.boolean().optional(),
  clip: z.boolean().optional(),
  /** Areas whose faces and movements are ignored, `[left, top, width, height]` in shares of the turned picture. */
  masks: AreasSchema.optional(),
})
export type CameraOptions = z.infer<typeof CameraOptionsSchema>

/** Id of a camera in faces and events: 32 hexadecimal digits without hyphens. */
export const CameraId = HexId

/** `[width, height, x, y]` in pixels of the stream. */
export const RegionSchema = z.tuple([Positive, Positive, z.int().nonnegative(), z.int().nonnegative()])
export type Region = z.infer<typeof RegionSchema>

/** How the reading of a recording ended: at its end, with a file that is no video, or with another error. */
const RECORDING_ENDS = ['read', 'no video', 'failed'] as const

/** Report of the watcher about a recording. */
export const RecordingReportSchema = z.strictObject({
  /** The file that it reads: time of the first picture, ISO 8601, and bytes. */
  start: z.string(),
  size: Natural,
  /** Seconds that are read, and the length if the file says it. */
  read: z.number().min(0),
  of: z.number().min(0).optional(),
  visits: Natural,
  /** Milliseconds of the recording at which another watcher goes on, and the visits before. */
  from: Natural,
  before: Natural,
  end: z.enum(RECORDING_ENDS).optional(),
})
export type RecordingReport = z.infer<typeof RecordingReportSchema>

/** An uploaded recording. */
export const CameraRecordingSchema = z
  .strictObject({
    /** Absent, except for `start` and `size`: no watcher reads it yet. */
    ...RecordingReportSchema.partial().required({ start: true, size: true }).shape,
    /** Bytes that have arrived: none after the end. */
    received: Natural,
  })
  .meta({ id: 'CameraRecording' })
export type CameraRecording = z.infer<typeof CameraRecordingSchema>

/** A camera. Fields that are not set are absent. */
export const CameraSchema = z
  .strictObject({
    /** UUID with hyphens. */
    id: z.uuid(),
    meta: z.string().optional(),
    /** URL of the stream, with its credentials masked for scopes that may not see them. Only a watcher connects to it. */
    url: z.string().optional(),
    /** Why watchers refuse the URL. Options of a watcher can allow files and devices. */
    url_refused: z.string().optional(),
    /** Name of the client that reads the camera. Set on creation only. */
    detector: z.string().optional(),
    /** Region of tracking: the client detects and tracks faces only inside it. */
    rot: RegionSchema.optional(),
    /** Region of interest: the client posts only faces detected inside it. */
    roi: RegionSchema.optional(),
    enabled: z.boolean(),
    /** Days until the faces that the camera posted are deleted. */
    retention_days: RetentionDays.optional(),
    /** Options that override the watcher's options. */
    options: CameraOptionsSchema.optional(),
    /** The uploaded recording. Only answers to `GET` have it. */
    recording: CameraRecordingSchema.optional(),
  })
  .meta({ id: 'Camera' })
export type Camera = z.infer<typeof CameraSchema>

/** Inserts the hyphens of a UUID into 32 hexadecimal digits. */
export const hyphenated = (id: string): string =>
  id.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')

/** Why a stream ended, as the log of the watcher names it. */
export const STREAM_ERRORS = [
  'no program',
  'silent',
  'stalled',
  'behind',
  'resized',
  'bad picture',
  'too large',
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

/** Why a face could not be used. */
export const UNUSED_REASONS = [
  'small',
  'turned',
  'blurred',
  'dark',
  'bright',
  'flat',
  'grainy',
  'unclear',
  'cut',
] as const
export type UnusedReason = (typeof UNUSED_REASONS)[number]

const reported = {
  /** Frames a second in the last seconds. */
  fps: z.number().min(0).max(1_000).nullable(),
  /** Frames that were replaced by newer ones before their analysis. */
  dropped: Natural.nullable(),
  /** Seconds since the last frame. */
  frame_age: z.number().min(0).max(1e9).nullable(),
  /** Why the stream ended last. */
  last_error: z.enum(STREAM_ERRORS).nullable(),
  /** Size of a frame in pixels. */
  width: Natural.nullable(),
  height: Natural.nullable(),
  /** How often the stream has ended. */
  losses: Natural.nullable(),
  /** Where faces have not moved for ten minutes, as on posters. They make no events. Absent from earlier watchers. */
  furniture: AreasSchema.optional(),
  /** Degrees clockwise by which the picture has to be turned for most faces to be upright. */
  turn: z.literal([0, 90, 180, 270]).optional(),
  /** Frames a second that were searched for faces, and that the options ask for. Below half of them, visits are missed. */
  searched: z.number().min(0).max(1_000).optional(),
  wanted: z.number().min(0).max(1_000).optional(),
  /** Greatest delay of a frame in the last minute, in seconds; 0 up to 2 seconds. */
  behind: z.number().min(0).max(1e9).optional(),
  /** How often people were seen and no picture could be used, and the most frequent reason. */
  unused: Natural.optional(),
  unused_reason: z.enum(UNUSED_REASONS).optional(),
  /** Why the URL is not opened. */
  reason: z.string().max(200).optional(),
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
