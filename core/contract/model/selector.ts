/** Which of several faces on a photo a request means. */
import * as z from 'zod'
import { BoxSchema } from './bbox.ts'

export const SELECTORS = ['reject', 'biggest', 'all'] as const

/** Boxes given by the caller override the selector. */
export const SelectionSchema = z.strictObject({
  /** `any`, which no caller can name: all faces, and no refusal when there are none. */
  selector: z.enum([...SELECTORS, 'any']),
  boxes: z.array(BoxSchema),
  /** The parameter that brought the boxes, for errors; `bbox` when absent. */
  boxesParam: z.string().optional(),
  /** Is the quality of each of them asked for, too? */
  quality: z.boolean().optional(),
  /** Is it asked whether each of them is alive? */
  liveness: z.boolean().optional(),
})
export type Selection = z.infer<typeof SelectionSchema>
