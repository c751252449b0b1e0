/** Cameras in responses. */
import * as z from 'zod'
import { RetentionDays } from './retention.ts'
import { CameraOptionsSchema } from './watching/camera-options.ts'

/** Id of a camera in faces and events: 32 hexadecimal digits without hyphens. */
export const CameraId = z.string().regex(/^[0-9a-f]{32}$/)

/** `[width, height, x, y]` in pixels of the stream. */
export const RegionSchema = z.tuple([
  z.int().min(1),
  z.int().min(1),
  z.int().nonnegative(),
  z.int().nonnegative(),
])
export type Region = z.infer<typeof RegionSchema>

/** A camera. Fields that are not set are absent. */
export const CameraSchema = z
  .strictObject({
    /** UUID with hyphens. */
    id: z.uuid(),
    meta: z.string().optional(),
    /** URL of the stream, with its credentials masked for scopes that may not see them. The service never connects to it. */
    url: z.string().optional(),
    /** Name of the client that reads the camera. Set on creation only. */
    detector: z.string().optional(),
    /** Region of tracking: the client detects and tracks faces only inside it. */
    rot: RegionSchema.optional(),
    /** Region of interest: the client posts only faces detected inside it. */
    roi: RegionSchema.optional(),
    enabled: z.boolean(),
    /** Days until the faces that the camera posted are deleted. */
    retention_days: RetentionDays.optional(),
    /** Options that override those of the watcher. */
    options: CameraOptionsSchema.optional(),
  })
  .meta({ id: 'Camera' })
export type Camera = z.infer<typeof CameraSchema>

/** Inserts the hyphens of a UUID into 32 hexadecimal digits. */
export const hyphenated = (id: string): string =>
  id.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
