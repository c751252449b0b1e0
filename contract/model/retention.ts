/** Retention: number of days after which the service deletes faces. */
import * as z from 'zod'
import { LIMITS } from '../limits.ts'

/** Retention in responses. Absent: the service does not delete the faces. */
export const RetentionDays = z.int().min(1).max(LIMITS.retentionDays)

/** Retention in requests. 0: the service does not delete the faces. */
export const NewRetentionDays = z.int().min(0).max(LIMITS.retentionDays)
