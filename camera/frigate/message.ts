/** Messages of Frigate's topic `events`: one for each change of a tracked object. https://docs.frigate.video/integrations/mqtt */
import * as z from 'zod'
import type { Box } from '../../contract/model/bbox.ts'

export interface FrigateMessage {
  id: string
  /** Name of Frigate's camera. */
  camera: string
  /** Unix seconds. */
  start: number
  /** Unix seconds; undefined while the person is there. */
  end: number | undefined
  snapshot: FrigateSnapshot | undefined
}

export interface FrigateSnapshot {
  /** Time of its frame in Unix seconds. */
  time: number
  /** Box of the person on it; undefined if Frigate tells only that of another frame. */
  person: Box | undefined
}

/** Names that Frigate allows for cameras. */
const CAMERA = /^[\w-]{1,100}$/

const URL_OF_CAMERA = /^frigate:\/\/([\w-]{1,100})\/?$/

/** Frigate's camera of the URL `frigate://NAME`; undefined for another URL. */
export const frigateCamera = (url: string | undefined): string | undefined =>
  URL_OF_CAMERA.exec(url ?? '')?.[1]

/** Unix seconds of the years 2001 to 2286. */
const Time = z.number().min(1e9).max(1e10)
const Corners = z.tuple([z.number(), z.number(), z.number(), z.number()])

const MessageSchema = z.object({
  type: z.enum(['new', 'update', 'end']),
  after: z.object({
    // It is a part of URLs and of file names.
    id: z.string().regex(/^[\w.-]{1,100}$/),
    camera: z.string().regex(CAMERA),
    label: z.string(),
    start_time: Time,
    end_time: Time.nullish(),
    frame_time: Time.nullish(),
    box: Corners.nullish(),
    has_snapshot: z.boolean().optional(),
    /** Until 0.13 `snapshot_time`, which is 0 without a snapshot; later `snapshot`. */
    snapshot_time: z.number().nullish(),
    snapshot: z.object({ frame_time: Time, box: Corners.nullish() }).nullish(),
  }),
})

/** Bytes of a message. Frigate's have some kilobytes. */
const MAX_BYTES = 256 * 1024

/** The message about a person; `other` about another object; `malformed` if it is none of Frigate. */
export function readMessage(payload: Buffer): FrigateMessage | 'other' | 'malformed' {
  if (payload.length > MAX_BYTES) return 'malformed'
  const parsed = MessageSchema.safeParse(jsonOf(payload)).data
  if (!parsed) return 'malformed'
  const { type, after } = parsed
  if (after.label !== 'person') return 'other'
  return {
    id: after.id,
    camera: after.camera,
    start: after.start_time,
    end: type === 'end' ? (after.end_time ?? after.frame_time ?? after.start_time) : undefined,
    snapshot: snapshotOf(after),
  }
}

type Tracked = z.infer<typeof MessageSchema>['after']

function snapshotOf({ snapshot, snapshot_time, frame_time, box, has_snapshot }: Tracked) {
  if (snapshot) return { time: snapshot.frame_time, person: boxOf(snapshot.box) }
  if (snapshot_time && Time.safeParse(snapshot_time).success)
    return { time: snapshot_time, person: snapshot_time === frame_time ? boxOf(box) : undefined }
  return has_snapshot && frame_time ? { time: frame_time, person: undefined } : undefined
}

const boxOf = (corners: z.infer<typeof Corners> | null | undefined): Box | undefined =>
  corners ? { x1: corners[0], y1: corners[1], x2: corners[2], y2: corners[3] } : undefined

function jsonOf(payload: Buffer): unknown {
  try {
    return JSON.parse(payload.toString('utf8'))
  } catch {
    return undefined
  }
}
