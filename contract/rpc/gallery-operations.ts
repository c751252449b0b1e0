/** RPC operations on galleries. See operations.ts. */
import * as z from 'zod'
import { GalleryName, GallerySchema, GalleryStatisticsSchema } from '../model/gallery.ts'
import { NewRetentionDays } from '../model/retention.ts'
import { change, changing, empty, owned } from './fields.ts'

const GalleryAnswer = z.strictObject({ gallery: GallerySchema })

/** What the audit log records of a new or changed gallery. */
const auditedGallery = ({
  gallery,
  retentionDays,
}: {
  gallery: string
  retentionDays?: number | undefined
}) => ({
  gallery,
  retention_days: retentionDays,
})

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
  'gallery.create': change({
    question: z.strictObject({
      ...changing,
      gallery: GalleryName,
      retentionDays: NewRetentionDays.optional(),
    }),
    answer: GalleryAnswer,
    audit: auditedGallery,
  }),
  /** Changes the given fields. */
  'gallery.update': change({
    question: z.strictObject({
      ...changing,
      gallery: GalleryName,
      retentionDays: NewRetentionDays.optional(),
    }),
    answer: GalleryAnswer,
    audit: auditedGallery,
  }),
  'gallery.delete': change({
    question: z.strictObject({ ...changing, gallery: GalleryName }),
    answer: empty,
    audit: ({ gallery }) => ({ gallery }),
    disk: 'frees',
  }),
} as const
