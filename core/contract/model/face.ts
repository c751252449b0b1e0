/** A stored face, as answers carry it. */
import * as z from 'zod'
import { FaceId } from '../ids.ts'
import { LivenessScore } from './liveness.ts'
import { QualitySchema } from './quality.ts'

export const FaceSchema = z
  .strictObject({
    id: FaceId,
    timestamp: z.string().describe('UTC, six decimals, no zone.'),
    photo: z.string().describe('URL as sent, name of the uploaded file, or empty.'),
    photo_hash: z.string().describe('Equal photos have equal hashes.'),
    /** Signed links: a path at core, an absolute URL once the edge has answered. */
    thumbnail: z.string().describe('A link that needs no token; it ends.'),
    normalized: z.string().describe('The same face, turned upright and cut out.'),
    x1: z.int(),
    y1: z.int(),
    x2: z.int(),
    y2: z.int(),
    meta: z.string(),
    galleries: z.array(z.string()),
    friend: z.boolean().describe('The camera has often seen this person lately.'),
    person_id: z.union([z.number(), z.string()]).optional(),
    cam_id: z.string().optional(),
    age: z.number().optional(),
    gender: z.string().optional(),
    emotions: z.array(z.string()).optional(),
    quality: QualitySchema.optional(),
    liveness: LivenessScore.optional(),
    detector_info: z.unknown().optional(),
  })
  .meta({ id: 'Face' })

export type Face = z.infer<typeof FaceSchema>

/** A face that a search found, and how sure it is: 0..1, four decimals. */
export const MatchSchema = z
  .strictObject({ confidence: z.number().min(0).max(1), face: FaceSchema })
  .meta({ id: 'Match' })
export type Match = z.infer<typeof MatchSchema>
