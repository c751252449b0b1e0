/** Analysis of a photo: the selection of its faces, and the result in messages. */
import * as z from 'zod'
import { Natural, Positive } from '../scalars.ts'
import { BoxSchema } from './bbox.ts'
import { byFaceDetail, FACE_DETAILS } from './face-details.ts'

/** `reject`: an error when the photo has several faces; `biggest`: the largest face; `all`: every face. */
export const SELECTORS = ['reject', 'biggest', 'all'] as const

const coordinate = z.number()

/** A face that an analysis found, in upright pixels, not rounded. */
const LocatedSchema = z.strictObject({
  box: z.strictObject({ x1: coordinate, y1: coordinate, x2: coordinate, y2: coordinate }),
  score: z.number().optional(),
  points: z
    .array(z.strictObject({ x: coordinate, y: coordinate }))
    .readonly()
    .optional(),
})

/** The faces that a request selects. `boxes` override `selector`. */
export const SelectionSchema = z.strictObject({
  /** `any` is internal: all faces, without an error when there are none. */
  selector: z.enum([...SELECTORS, 'any']),
  boxes: z.array(BoxSchema),
  /** Name of the parameter with the boxes, for error messages. Default: `bbox`. */
  boxesParam: z.string().optional(),
  /**
   * The caller takes up to so many faces, in groups. None is cut out of more. Absent: TOO_MANY_FACES above
   * PHOTO_LIMITS.ungroupedFaces.
   */
  most: Natural.optional(),
  /** A group of `rest`, in place of `selector` and `boxes`. */
  located: z.array(LocatedSchema).optional(),
  /** Whether to measure each optional detail of the selected faces. */
  ...byFaceDetail(() => z.boolean().optional()),
})
export type Selection = z.infer<typeof SelectionSchema>

/** A thumbnail without its pixels: its size, and the box of the face on it. */
export const ThumbnailSchema = z.strictObject({ width: z.int(), height: z.int(), face: BoxSchema })

/** Analysis of one photo. Blobs of the response: for each selected face its chip, then its thumbnail. */
export const PhotoAnalysisSchema = z.strictObject({
  orientation: Positive.max(8),
  faces: z.array(BoxSchema),
  limited: z.boolean(),
  /** Number of faces that are too poor to recognise. A selection leaves them out, except for `any` and boxes. */
  tooPoor: z.int().optional(),
  /** Why there are no faces, if the photo shows faces that are too small. */
  reason: z.string().optional(),
  selected: z.array(
    z.strictObject({
      box: BoxSchema,
      thumbnail: ThumbnailSchema,
      ...FACE_DETAILS,
    }),
  ),
  /** Selected faces that are not cut out. Present with `most` only. */
  rest: z.array(LocatedSchema).optional(),
})
