/** A stored face, as answers carry it. */
import * as z from 'zod'
import { FaceId } from './ids.ts'

export const FaceSchema = z.strictObject({
  id: FaceId,
  /** UTC, six decimals, no zone. */
  timestamp: z.string(),
  /** URL as sent, name of the uploaded file, or "". */
  photo: z.string(),
  photo_hash: z.string(),
  /** Signed links: a path at core, an absolute URL once the edge has answered. */
  thumbnail: z.string(),
  normalized: z.string(),
  x1: z.int(),
  y1: z.int(),
  x2: z.int(),
  y2: z.int(),
  meta: z.string(),
  galleries: z.array(z.string()),
  friend: z.boolean(),
  person_id: z.union([z.number(), z.string()]).optional(),
  cam_id: z.string().optional(),
  age: z.number().optional(),
  gender: z.string().optional(),
  emotions: z.array(z.string()).optional(),
  detector_info: z.unknown().optional(),
})

export type Face = z.infer<typeof FaceSchema>

/** A face that a search found, and how sure it is: 0..1, four decimals. */
export const MatchSchema = z.strictObject({ confidence: z.number().min(0).max(1), face: FaceSchema })
export type Match = z.infer<typeof MatchSchema>
