/** History: faces posted by cameras, as events. */
import * as z from 'zod'
import { FaceId } from '../ids.ts'
import { Natural } from '../scalars.ts'
import { BoxSchema } from './bbox.ts'
import { CameraId } from './camera.ts'
import { candidate } from './face.ts'
import { GalleryName } from './gallery.ts'
import { PersonId } from './person.ts'

/** Position of a live event or alert: rises from one to the next in the order of their commits. */
export const EventId = Natural

/** A face posted with a `cam_id`. The event has the id of the face. */
export const HistoryEventSchema = z
  .strictObject({
    id: FaceId,
    friend: z.boolean(),
    meta: z.string(),
    photo_hash: z.string(),
    /** URL as sent, name of the uploaded file, or "". */
    photo: z.string(),
    cam_id: CameraId,
    /** Absent for a face without a person. */
    person_id: z.union([z.number(), z.string()]).optional(),
    candidate,
    /** As in the face. */
    silent: z.boolean().optional(),
    /** UTC with six decimals, without a zone. */
    timestamp: z.string(),
    ...BoxSchema.shape,
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
    /** Core returns a path, the edge an absolute URL. */
    screenshot: z.string().describe('Signed link to the thumbnail. Empty if no picture is stored.'),
    timestamp: z.string(),
  })
  .meta({ id: 'PersonHistoryEntry' })
export type PersonHistoryEntry = z.infer<typeof PersonHistoryEntrySchema>

/** A key that signs exported evidence. */
export const EvidenceKeySchema = z
  .strictObject({
    id: z.int(),
    public_key: z.string().describe('Ed25519, PEM.'),
    created: z.string(),
    signs: z.boolean().describe('False for a key that a later one has replaced.'),
  })
  .meta({ id: 'EvidenceKey' })
export type EvidenceKey = z.infer<typeof EvidenceKeySchema>

/** Filter of events, and of faces. All conditions must hold. Absent fields add no condition. */
export const HistoryFilter = z.strictObject({
  personId: PersonId.optional(),
  /** Faces of one of these cameras. An empty list adds no condition. */
  cameras: z.array(CameraId),
  /** First and last time, both included, in microseconds since 1970. */
  start: z.number().optional(),
  end: z.number().optional(),
  friend: z.boolean().optional(),
  gallery: GalleryName.optional(),
})
export type HistoryFilter = z.infer<typeof HistoryFilter>
