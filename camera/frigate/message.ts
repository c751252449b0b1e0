/**
 * Messages of Frigate about a tracked object (topic `events`), its snapshots, and the name that Mien sends back.
 * https://docs.frigate.video/integrations/mqtt
 */

import sharp from 'sharp'
import * as z from 'zod'
import { environment } from '../../contract/environment.ts'
import type { Box } from '../../contract/model/bbox.ts'
import type { Raster } from '../../wasm/imaging/orientation.ts'
import { MAX_FRAME_PIXELS } from '../frames/ppm.ts'

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
  /** Box of the person on it; undefined if Frigate sends only the box of another frame. */
  person: Box | undefined
}

/** Names that Frigate allows for cameras. */
const CAMERA = /^[\w-]{1,100}$/

/** Unix seconds of the years 2001 to 2286. */
const Time = z.number().min(1e9).max(1e10)
const Corners = z.tuple([z.number(), z.number(), z.number(), z.number()])

const MessageSchema = z.object({
  type: z.enum(['new', 'update', 'end']),
  after: z.object({
    // The id is a part of URLs and of file names.
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
const MAX_MESSAGE_BYTES = 256 * 1024

/** The message about a person; `other` about another object; `malformed` if it is not from Frigate. */
export function readMessage(payload: Buffer): FrigateMessage | 'other' | 'malformed' {
  if (payload.length > MAX_MESSAGE_BYTES) return 'malformed'
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

export interface Snapshot {
  photo: Uint8Array<ArrayBuffer>
  picture: Raster
}

/** Bytes of a snapshot. Frigate takes it from the stream for detection. This stream is mostly smaller than 1920 x 1080. */
const MAX_SNAPSHOT_BYTES = 4 * 2 ** 20

const FETCH_MS = 10_000

/** Until the event ends, these parameters have an effect. Then the settings of Frigate's `snapshots` count. */
const PARAMETERS = 'crop=0&bbox=0&timestamp=0&quality=90'

/**
 * The best snapshot so far. Undefined if Frigate has none. Rejects when Frigate does not answer, and for an answer that is no
 * picture within the bounds.
 */
export async function fetchSnapshot(
  frigate: string,
  id: string,
  signal: AbortSignal,
): Promise<Snapshot | undefined> {
  const response = await fetch(`${frigate}/api/events/${id}/snapshot.jpg?${PARAMETERS}`, {
    signal: AbortSignal.any([signal, environment.deadline(FETCH_MS)]),
    redirect: 'error',
  })
  if (!response.ok) {
    await response.body?.cancel()
    if (response.status === 404) return undefined
    throw new Error(`Frigate answers ${response.status}.`)
  }
  const photo = await bytesOf(response)
  const { data, info } = await sharp(photo, { limitInputPixels: MAX_FRAME_PIXELS })
    .removeAlpha()
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true })
  // The memory moves to the thread that analyses the picture.
  return { photo, picture: { data: new Uint8Array(data), width: info.width, height: info.height } }
}

/** Characters of a sub label. */
const LABEL_LENGTH = 100

/** Names the person of an event. Rejects when Frigate does not take the name. */
export async function nameEvent(frigate: string, id: string, name: string): Promise<void> {
  const response = await fetch(`${frigate}/api/events/${id}/sub_label`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ subLabel: [...name].slice(0, LABEL_LENGTH).join('') }),
    signal: environment.deadline(FETCH_MS),
    redirect: 'error',
  })
  await response.body?.cancel()
  if (!response.ok) throw new Error(`Frigate answers ${response.status}.`)
}

async function bytesOf({ body }: Response): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array[] = []
  let length = 0
  for await (const part of body ?? []) {
    length += part.length
    if (length > MAX_SNAPSHOT_BYTES) throw new Error('The snapshot is too large.')
    parts.push(part)
  }
  return new Uint8Array(Buffer.concat(parts))
}
