/** Options of a camera for its watcher. */
import * as z from 'zod'
import { CAMERA_LIMITS } from '../../limits/cameras.ts'
import { PHOTO_LIMITS } from '../../limits/photos.ts'

const fraction = z.number().min(0).max(1)
const seconds = z.int().min(1).max(CAMERA_LIMITS.visitSeconds)

/** An absent option is that of the watcher. */
export const CameraOptionsSchema = z.strictObject({
  /** Frames a second. */
  fps: z.number().min(1).max(CAMERA_LIMITS.fps).optional(),
  /** Least side of a face in pixels. */
  min_face: z.int().min(PHOTO_LIMITS.detectedFaceSide).max(CAMERA_LIMITS.faceSide).optional(),
  /** Least quality of a posted picture. */
  min_quality: fraction.optional(),
  /** Seconds without the person that end a visit. */
  absence: seconds.optional(),
  /** Seconds after which a visit that goes on is posted. */
  longest: seconds.optional(),
  /** Post a visit in its first seconds. */
  early: z.boolean().optional(),
  /** Least liveness of a posted face. */
  liveness: fraction.optional(),
})
export type CameraOptions = z.infer<typeof CameraOptionsSchema>
