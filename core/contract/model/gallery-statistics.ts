/** Numbers about a gallery: its faces, its vectors, and the state of its index. */
import * as z from 'zod'
import { GalleryName } from './gallery.ts'
import { RetentionDays } from './retention.ts'

const count = z.int().min(0)

export const GalleryStatisticsSchema = z
  .strictObject({
    name: GalleryName,
    retention_days: RetentionDays.optional(),
    faces: count.describe('Number of enrolled faces.'),
    vectors: count
      .optional()
      .describe(
        'Number of vectors in the vector store. Smaller than `faces` while vectors are missing. Absent while the store is ' +
          'unavailable.',
      ),
    indexed: count
      .optional()
      .describe('Number of vectors in the index. The other vectors are compared one by one.'),
    index: z
      .enum(['none', 'building', 'ready'])
      .optional()
      .describe('State of the index. Without one, every search compares all vectors.'),
  })
  .meta({ id: 'GalleryStatistics' })
export type GalleryStatistics = z.infer<typeof GalleryStatisticsSchema>
