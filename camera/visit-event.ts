/** The event of a visit, as the watcher posts it: the best frame with the box of the face. */
import sharp from 'sharp'
import { environment } from '../contract/environment.ts'
import { PHOTO_LIMITS } from '../contract/limits/photos.ts'
import type { Box } from '../contract/model/bbox.ts'
import type { Raster } from '../wasm/imaging/orientation.ts'
import type { Parts } from './footage/recorder.ts'
import type { ReportedTrack } from './tracker.ts'

export interface VisitEvent {
  /** Id of the camera. */
  camera: string
  /** Id of the track. It is the idempotency key, too. */
  track: string
  photo: Uint8Array<ArrayBuffer>
  box: Box
  /** Time of the photo, and of the first and the last sight of the person, ISO 8601. */
  time: string
  firstSeen: string
  lastSeen: string
  /** Analysed frames with the face. */
  frames: number
  /** Quality of the best frame, 0..1. */
  quality: number
  /** Whether it replaces the picture of the visit's earlier event. */
  isUpdate?: boolean
  /** Whether the photo is kept as a snapshot, and the stream around it. Absent: not. */
  isSnapshotKept?: boolean
  clip?: Promise<Parts>
  /** The recording, and the milliseconds in it at which a later run may begin. Absent: a live camera. */
  recording?: { id: string; from: number }
  /** The service refuses a face with a lower liveness, 0..1. Absent: it measures none. */
  leastLiveness?: number
}

/** Quality of JPEG, 1..100. */
const JPEG_QUALITY = 90
const LOWER_QUALITY = 60

/** The frame as a JPEG file that the service accepts. The frame may be overwritten after the call. */
export async function jpegOf({ data, width, height }: Raster): Promise<Uint8Array<ArrayBuffer>> {
  const copy = data.slice()
  const encode = (quality: number) =>
    sharp(copy, { raw: { width, height, channels: 3 } })
      .jpeg({ quality })
      .toBuffer()
  const first = await encode(JPEG_QUALITY)
  return new Uint8Array(first.length > PHOTO_LIMITS.bytes ? await encode(LOWER_QUALITY) : first)
}

/** A frame as a JPEG file, and the stream around it. */
export interface FrameShot {
  jpeg: Promise<Uint8Array<ArrayBuffer>>
  clip?: Promise<Parts>
}

/** Encodes the frame. A failure reaches the event that needs it. */
export function shotOf(picture: Raster, clip?: Promise<Parts>): FrameShot {
  const jpeg = jpegOf(picture)
  jpeg.catch(() => {})
  return { jpeg, clip }
}

/** The event of a track that is reported now. `since1970`: Unix milliseconds of its time 0. By default, that is of `environment.monotonic()`. */
export async function visitEvent(
  camera: string,
  { leastLiveness, snapshot }: { leastLiveness?: number; snapshot?: boolean },
  { id, first, last, frames, best, isUpdate }: ReportedTrack<FrameShot>,
  since1970 = environment.now() - environment.monotonic(),
): Promise<VisitEvent> {
  const { face, shot, time } = best!
  const timeText = (time: number) => new Date(since1970 + time).toISOString()
  return {
    camera,
    track: id,
    photo: await shot.jpeg,
    box: face.box,
    frames,
    quality: face.quality,
    time: timeText(time),
    firstSeen: timeText(first),
    lastSeen: timeText(last),
    ...(isUpdate && { isUpdate }),
    ...(snapshot && { isSnapshotKept: true }),
    // The clip of the first report shows the visit.
    ...(shot.clip && !isUpdate && { clip: shot.clip }),
    leastLiveness,
  }
}
