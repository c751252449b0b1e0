/** Analysis of a photo: the selection of its faces, and the result in messages. */
import * as z from 'zod'
import { BoxSchema } from './bbox.ts'
import { byFaceDetail, FACE_DETAILS } from './face-details.ts'

/** `reject`: an error when the photo has several faces; `biggest`: the largest face; `all`: every face. */
export const SELECTORS = ['reject', 'biggest', 'all'] as const

/** The faces that a request selects. `boxes` override `selector`. */
export const SelectionSchema = z.strictObject({
  /** `any` is internal: all faces, without an error when there are none. */
  selector: z.enum([...SELECTORS, 'any']),
  boxes: z.array(BoxSchema),
  /** Name of the parameter with the boxes, for error messages. Default: `bbox`. */
  boxesParam: z.string().optional(),
  /** Whether to measure each optional detail of the selected faces. */
  ...byFaceDetail(() => z.boolean().optional()),
})
export type Selection = z.infer<typeof SelectionSchema>

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
