/** Metas: the texts that faces carry, listed each once. */
import * as z from 'zod'
import { FaceSchema } from './face.ts'

export const MetaEntrySchema = z
  .strictObject({
    meta: z.string(),
    /** Faces that carry it. */
    count: z.int().min(1),
    /** The first of them: the one with the lowest id. */
    face: FaceSchema,
  })
  .meta({ id: 'MetaEntry' })
export type MetaEntry = z.infer<typeof MetaEntrySchema>
