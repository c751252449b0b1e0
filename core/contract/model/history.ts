/** History: faces that cameras posted, seen as events. */
import * as z from 'zod'
import { FaceId } from '../ids.ts'
import { CameraId } from './camera.ts'
import { PersonId } from './person.ts'

/** A face posted with a `cam_id`. Its id is the face's. */
export const HistoryEventSchema = z
  .strictObject({
    id: FaceId,
    friend: z.boolean(),
    meta: z.string(),
    photo_hash: z.string(),
    /** URL as sent, name of the uploaded file, or "". */
    photo: z.string(),
    cam_id: CameraId,
    /** Absent while nobody has said who it is. */
    person_id: z.union([z.number(), z.string()]).optional(),
    /** UTC, six decimals, no zone. */
    timestamp: z.string(),
    x1: z.int(),
    y1: z.int(),
    x2: z.int(),
    y2: z.int(),
  })
  .meta({ id: 'HistoryEvent' })
export type HistoryEvent = z.infer<typeof HistoryEventSchema>

/** The same event in the history of one person. */
export const PersonHistoryEntrySchema = z
  .strictObject({
    person_id: PersonId,
    face_id: FaceId,
    cam_id: CameraId,
    meta: z.string(),
    /** Signed link to the thumbnail: a path at core, an absolute URL once the edge has answered. */
    screenshot: z.string(),
    timestamp: z.string(),
  })
  .meta({ id: 'PersonHistoryEntry' })
export type PersonHistoryEntry = z.infer<typeof PersonHistoryEntrySchema>

/** Which events are asked for: all conditions hold at once, and what is absent is no condition. */
export const HistoryFilter = z.strictObject({
  personId: PersonId.optional(),
  /** Posted by one of these; an empty list is no condition. */
  cameras: z.array(CameraId),
  /** First and last moment, both included: microseconds since 1970. */
  start: z.number().optional(),
  end: z.number().optional(),
  friend: z.boolean().optional(),
})
export type HistoryFilter = z.infer<typeof HistoryFilter>
