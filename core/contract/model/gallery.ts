/** Names of galleries: as callers know them, and as the store keeps them. */
import * as z from 'zod'
import { RetentionDays } from './retention.ts'

/** Holds every face of an owner; can't be deleted. */
export const DEFAULT_GALLERY = 'default'

export const GalleryName = z
  .string()
  .regex(/^[a-zA-Z0-9_-]{1,48}$/, 'A gallery name has 1 to 48 characters of a-z, A-Z, 0-9, _ and -.')

/** A gallery, as answers about one carry it. */
export const GallerySchema = z
  .strictObject({
    name: GalleryName,
    /** Days after which the faces in it are deleted; of `default`: faces in no named gallery and of no camera. */
    retention_days: RetentionDays.optional(),
  })
  .meta({ id: 'Gallery' })
export type Gallery = z.infer<typeof GallerySchema>

/** An owner's identifier: 24 hexadecimal digits. */
export const OwnerId = z.string().regex(/^[0-9a-f]{24}$/)

/** The gallery's name in the store: no two owners share one. */
export const storeGallery = (owner: string, gallery: string): string => `${owner}_${gallery}`

/** The owner and the gallery of such a name; what does not match is a gallery of the store's operators. */
export const GALLERY_OF_OWNER = /^([0-9a-f]{24})_([a-zA-Z0-9_-]{1,48})$/

/** How a face's galleries change; `default` is implied in every outcome. */
export const GalleryChangeSchema = z.strictObject({
  kind: z.enum(['add', 'del', 'set']),
  names: z.array(GalleryName),
})
export type GalleryChange = z.infer<typeof GalleryChangeSchema>
