/** Analyses of photos in messages. */
import * as z from 'zod'
import { BoxSchema } from '../model/bbox.ts'
import { FACE_DETAILS } from '../model/face-details.ts'

/** A thumbnail without its pixels: its size, and the box of the face on it. */
export const ThumbnailSchema = z.strictObject({ width: z.int(), height: z.int(), face: BoxSchema })

/** Analysis of one photo. Blobs of the response: for each selected face its chip, then its thumbnail. */
export const PhotoAnalysisSchema = z.strictObject({
  orientation: z.int().min(1).max(8),
  faces: z.array(BoxSchema),
  limited: z.boolean(),
  /** Why there are no faces, if the photo shows faces that are too small. */
  reason: z.string().optional(),
  selected: z.array(
    z.strictObject({
      box: BoxSchema,
      thumbnail: ThumbnailSchema,
      ...FACE_DETAILS,
    }),
  ),
})
