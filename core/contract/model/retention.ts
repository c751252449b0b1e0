/** Retention: after how many days faces are deleted by the service itself. */
import * as z from 'zod'
import { LIMITS } from '../limits.ts'

/** As answers carry it: absent where faces stay until somebody deletes them. */
export const RetentionDays = z.int().min(1).max(LIMITS.retentionDays)

/** As it is set: 0 for never. */
export const NewRetentionDays = z.int().min(0).max(LIMITS.retentionDays)
