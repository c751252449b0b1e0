/** Galleries: their names in the API and in the store, retention, and findings of a check. */
import * as z from 'zod'
import { FACE_LIMITS } from '../limits/faces.ts'
import { Natural, Positive, Share } from '../scalars.ts'
import { FaceSchema, withLinks } from './face.ts'
import { FacePersonId } from './person.ts'

/** Retention in responses. Absent: the service does not delete the faces. */
export const RetentionDays = Positive.max(FACE_LIMITS.retentionDays)

/** Retention in requests. 0: the service does not delete the faces. */
export const NewRetentionDays = Natural.max(FACE_LIMITS.retentionDays)

/** Gallery with every face of an owner. It cannot be deleted. */
export const DEFAULT_GALLERY = 'default'

export const GalleryName = z
  .string()
  .regex(/^[a-zA-Z0-9_-]{1,48}$/, 'A gallery name has 1 to 48 characters of a-z, A-Z, 0-9, _ and -.')

/** What pages show in place of the name. */
const DisplayName = z.string().min(1).max(FACE_LIMITS.displayNameLength)

/** In requests. Empty: the gallery has none. */
export const NewDisplayName = z.string().max(FACE_LIMITS.displayNameLength)

/** Display names by the names of the galleries that have one. */
export const DisplayNames = z.record(GalleryName, DisplayName)

/** A gallery in responses. */
export const GallerySchema = z
  .strictObject({
    name: GalleryName,
    display_name: DisplayName.optional(),
    /** Days until its faces are deleted. For `default`: of faces in no named gallery and without a camera. */
    retention_days: RetentionDays.optional(),
  })
  .meta({ id: 'Gallery' })
export type Gallery = z.infer<typeof GallerySchema>

/** Id of an owner: 24 hexadecimal digits. */
export const OwnerId = z.string().regex(/^[0-9a-f]{24}$/)

/** Name of an owner's gallery in the store. It is unique across owners. */
export const storeGallery = (owner: string, gallery: string): string => `${owner}_${gallery}`

/** Matches a name of `storeGallery`: group 1 is the owner, group 2 the gallery. Other names belong to store operators. */
export const GALLERY_OF_OWNER = /^([0-9a-f]{24})_([a-zA-Z0-9_-]{1,48})$/

/** Change of a face's galleries: add names, delete names, or set the list. Every face stays in `default`. */
export const GalleryChangeSchema = z.strictObject({
  kind: z.enum(['add', 'del', 'set']),
  names: z.array(GalleryName),
})
export type GalleryChange = z.infer<typeof GalleryChangeSchema>

/** Numbers about a gallery: its faces, its vectors, and the state of its index. */
export const GalleryStatisticsSchema = z
  .strictObject({
    name: GalleryName,
    display_name: DisplayName.optional(),
    retention_days: RetentionDays.optional(),
    faces: Natural.describe('Number of enrolled faces.'),
    vectors: Natural.optional().describe(
      'Number of vectors in the vector store. Smaller than `faces` while vectors are missing. Absent while the store is ' +
        'unavailable.',
    ),
    indexed: Natural.optional().describe(
      'Number of vectors in the index. The other vectors are compared one by one.',
    ),
    index: z
      .enum(['none', 'building', 'ready'])
      .optional()
      .describe('State of the index. Without one, every search compares all vectors.'),
  })
  .meta({ id: 'GalleryStatistics' })
export type GalleryStatistics = z.infer<typeof GalleryStatisticsSchema>

/**
 * `disagrees`: a face that is not like the others of its person. `divided`: faces of one person that look like two. `alike`: two
 * persons that look like one. `poor`: a face that is too poor, or covered. `duplicate`: one picture that is enrolled twice.
 */
const FINDING_KINDS = ['disagrees', 'divided', 'alike', 'poor', 'duplicate'] as const

export const FindingSchema = z
  .strictObject({
    kind: z.enum(FINDING_KINDS),
    confidence: Share.optional().describe(
      'That the face and the others of its person, the two persons, or the two faces show the same person. Absent for `poor`.',
    ),
    quality: Share.optional().describe('Of a `poor` face.'),
    faces: z.array(FaceSchema).min(1).describe('The faces that can be set aside or confirmed.'),
    persons: z
      .array(
        z
          .strictObject({
            person_id: FacePersonId.optional(),
            meta: z.string().describe('Name of the person, or meta of the face.'),
            face: FaceSchema.describe('A face that shows the person.'),
          })
          .meta({ id: 'FoundPerson' }),
      )
      .describe(
        'Persons of the finding: the person of the faces first, then the person that they look like.',
      ),
  })
  .meta({ id: 'Finding' })
export type Finding = z.infer<typeof FindingSchema>

export const findingWithLinks = ({ faces, persons, ...finding }: Finding, origin: string): Finding => ({
  ...finding,
  faces: faces.map(face => withLinks(face, origin)),
  persons: persons.map(({ face, ...person }) => ({ ...person, face: withLinks(face, origin) })),
})
