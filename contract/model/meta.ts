/** Metas: the distinct meta texts of faces. */
import * as z from 'zod'
import { FaceSchema } from './face.ts'

export const MetaEntrySchema = z
  .strictObject({
    meta: z.string(),
    /** Number of faces with this meta. */
    count: z.int().min(1),
    /** The face with the lowest id. */
    face: FaceSchema,
  })
  .meta({ id: 'MetaEntry' })
export type MetaEntry = z.infer<typeof MetaEntrySchema>
