/** Fields of the messages of an enrolment. */
import * as z from 'zod'
import { PHOTO_LIMITS } from '../limits/photos.ts'
import { Positive } from '../scalars.ts'
import { RequestedAttributesSchema } from './attributes.ts'
import { CameraId } from './camera.ts'
import { GalleryName } from './gallery.ts'
import { FacePersonId } from './person.ts'

/** Fields of an enrolment that core checks before it embeds a face. */
export const checkedEnrolment = {
  galleries: z.array(GalleryName),
  camera: CameraId.optional(),
  /** Attributes to estimate and store. BAD_PARAM when attributes are requested and their estimation is off. */
  asked: RequestedAttributesSchema.optional(),
  /** The person of the face, or the name of the person. BAD_PARAM with several faces. */
  personId: FacePersonId.optional(),
  personName: z.string().optional(),
  idempotency: z.strictObject({ key: z.string(), requestHash: z.string() }).optional(),
  /** Replaces the face that an earlier request with the key stored. BAD_PARAM without a key, and for several faces. */
  update: z.boolean().optional(),
}

/** Names faces that `faces.prepare` sends before the enrolment, and their number. */
export const preparation = {
  /** A UUID, unguessable. */
  preparation: z.uuid(),
  count: Positive.max(PHOTO_LIMITS.selectedFaces),
}
