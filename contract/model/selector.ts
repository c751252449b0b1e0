/** Selection of faces on a photo. */
import * as z from 'zod'
import { BoxSchema } from './bbox.ts'
import { byFaceDetail } from './face-details.ts'

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
