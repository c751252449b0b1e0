/** Cameras, as answers carry them. */
import * as z from 'zod'
import { RetentionDays } from './retention.ts'

/** A camera's id within: 32 hexadecimal digits, as faces and events carry it. */
export const CameraId = z.string().regex(/^[0-9a-f]{32}$/)

/** `[width, height, x, y]` in pixels of the stream. */
export const RegionSchema = z.tuple([
  z.int().min(1),
  z.int().min(1),
  z.int().nonnegative(),
  z.int().nonnegative(),
])
export type Region = z.infer<typeof RegionSchema>

/** What is not set is absent. */
export const CameraSchema = z
  .strictObject({
    /** With hyphens. */
    id: z.uuid(),
    meta: z.string().optional(),
    /** Of the stream. The service never connects to it. */
    url: z.string().optional(),
    /** What the client that watches the camera calls itself; set on creation only. */
    detector: z.string().optional(),
    /** Faces are detected and tracked only inside it. */
    rot: RegionSchema.optional(),
    /** Only faces detected inside it are posted. */
    roi: RegionSchema.optional(),
    enabled: z.boolean(),
    /** Days after which what it posted is deleted. */
    retention_days: RetentionDays.optional(),
  })
  .meta({ id: 'Camera' })
export type Camera = z.infer<typeof CameraSchema>

/** The id with the hyphens of a UUID. */
export const hyphenated = (id: string): string =>
  id.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
