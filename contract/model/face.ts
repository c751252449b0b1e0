/** A stored face in responses. */
import * as z from 'zod'
import { FaceId } from '../ids.ts'
import { LivenessScore } from './liveness.ts'
import { QualitySchema } from './quality.ts'

export const FaceSchema = z
  .strictObject({
    id: FaceId,
    timestamp: z.string().describe('UTC with six decimals, without a zone.'),
    photo: z.string().describe('URL as sent, name of the uploaded file, or empty.'),
    photo_hash: z.string().describe('Equal photos have equal hashes.'),
    /** `thumbnail` and `normalized` are signed links. Core returns paths, the edge absolute URLs. */
    thumbnail: z.string().describe('Link to the thumbnail. It needs no token and expires.'),
    normalized: z
      .string()
      .describe('Link to the aligned square crop of the face. It needs no token and expires.'),
    x1: z.int(),
    y1: z.int(),
    x2: z.int(),
    y2: z.int(),
    meta: z.string(),
    galleries: z.array(z.string()),
    friend: z.boolean().describe('Whether the camera has seen this person on several recent days.'),
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

/** A candidate of a search. `confidence` is 0..1 with four decimals. */
export const MatchSchema = z
  .strictObject({ confidence: z.number().min(0).max(1), face: FaceSchema })
  .meta({ id: 'Match' })
export type Match = z.infer<typeof MatchSchema>

/** The face with absolute links to its pictures: core makes paths, callers need URLs that an `<img>` can load. */
export const withLinks = (face: Face, origin: string): Face => ({
  ...face,
  thumbnail: face.thumbnail && origin + face.thumbnail,
  normalized: face.normalized && origin + face.normalized,
})
