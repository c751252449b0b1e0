/** Retention: number of days after which the service deletes faces. */
import * as z from 'zod'
import { FACE_LIMITS } from '../limits/faces.ts'

/** Retention in responses. Absent: the service does not delete the faces. */
export const RetentionDays = z.int().min(1).max(FACE_LIMITS.retentionDays)

/** Retention in requests. 0: the service does not delete the faces. */
export const NewRetentionDays = z.int().min(0).max(FACE_LIMITS.retentionDays)
