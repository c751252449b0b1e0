/** RPC operations on galleries. See operations.ts. */
import * as z from 'zod'
import { GalleryName, GallerySchema, GalleryStatisticsSchema } from '../model/gallery.ts'
import { NewRetentionDays } from '../model/retention.ts'
import { changing, empty, owned } from './fields.ts'

const GalleryAnswer = z.strictObject({ gallery: GallerySchema })

/** Schemas of the request (`question`) and of the response (`answer`). */
export const GALLERY_OPERATIONS = {
  'galleries.list': {
    question: z.strictObject(owned),
    answer: z.strictObject({ galleries: z.array(GalleryName) }),
  },
  /** `default`, then the others sorted by name. */
  'galleries.statistics': {
    question: z.strictObject(owned),
    answer: z.strictObject({ galleries: z.array(GalleryStatisticsSchema) }),
  },
  'gallery.get': { question: z.strictObject({ ...owned, gallery: GalleryName }), answer: GalleryAnswer },
  'gallery.create': {
    question: z.strictObject({
      ...changing,
      gallery: GalleryName,
      retentionDays: NewRetentionDays.optional(),
    }),
    answer: GalleryAnswer,
  },
  /** Changes the given fields. */
  'gallery.update': {
    question: z.strictObject({
      ...changing,
      gallery: GalleryName,
      retentionDays: NewRetentionDays.optional(),
    }),
    answer: GalleryAnswer,
  },
  'gallery.delete': { question: z.strictObject({ ...changing, gallery: GalleryName }), answer: empty },
} as const
