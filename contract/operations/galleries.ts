/** Galleries: named sets of faces. */
import * as z from 'zod'
import { FaceId } from '../ids.ts'
import { FACE_LIMITS } from '../limits/faces.ts'
import {
  DisplayNames,
  FindingSchema,
  findingWithLinks,
  GalleryName,
  GallerySchema,
  GalleryStatisticsSchema,
  NewDisplayName,
  NewRetentionDays,
} from '../model/gallery.ts'
import { omitUndefined } from '../omit-undefined.ts'
import { integer, optional, text, withDefault } from '../parameters/fields.ts'
import { gallery, id, retentionDays } from '../parameters/ids.ts'
import { openapiOverrides } from '../parameters/json-schema.ts'
import { PageLinks } from '../parameters/pages.ts'
import { change, ownedCall } from '../rpc/message.ts'
import { Positive } from '../scalars.ts'
import { FACE } from './examples.ts'
import { operationOf, resultsOf } from './operation.ts'

const operation = operationOf('Galleries')

const example = { name: 'staff', display_name: 'Our staff', retention_days: 365 }

const settable = {
  retention_days: optional(retentionDays),
  display_name: text(FACE_LIMITS.displayNameLength)
    .transform(name => name.trim())
    .register(openapiOverrides, {
      type: 'string',
      maxLength: FACE_LIMITS.displayNameLength,
      description: 'A name for people, with spaces and any letters. Empty: none. `default` has none.',
      examples: ['Our staff'],
    })
    .optional(),
}

/** The settable fields in messages. */
const set = { retentionDays: NewRetentionDays.optional(), displayName: NewDisplayName.optional() }

const toCreate = change('gallery.create', {
  words: 'made a gallery',
  request: { gallery: GalleryName, ...set },
  response: { gallery: GallerySchema },
  audit: ({ gallery, retentionDays }) => ({ gallery, retention_days: retentionDays }),
})

const creation = {
  method: 'post',
  permission: 'change',
  status: 201,
  answer: GallerySchema,
  example,
  refusals: ['GALLERY_EXISTS'],
  core: toCreate,
} as const

const byName = { path: '/galleries/:gallery', refusals: ['NOT_FOUND'] } as const

export const galleryOperations = {
  listGalleries: operation({
    client: 'galleries.list',
    method: 'get',
    path: '/galleries',
    permission: 'read',
    summary: 'List the names of all galleries',
    answer: z.strictObject({
      results: z.array(GalleryName),
      display_names: DisplayNames.optional().describe('By name, of the galleries that have one.'),
    }),
    example: { results: ['default', 'staff'], display_names: { staff: 'Our staff' } },
    core: ownedCall('galleries.list', {
      request: {},
      response: { galleries: z.array(GalleryName), displayNames: DisplayNames.optional() },
    }),
    toBody: ({ galleries, displayNames }) => ({
      results: galleries,
      ...omitUndefined({ display_names: displayNames }),
    }),
  }),

  /** A path below /galleries would name a gallery. */
  galleryStatistics: operation({
    client: 'galleries.statistics',
    method: 'get',
    path: '/statistics/galleries',
    permission: 'read',
    summary: 'List all galleries with the numbers of their faces and the states of their indexes',
    details:
      '`vectors`, `indexed` and `index` are absent while the vector store is unavailable. The counts are of one moment; an ' +
      'enrolment in progress can be in some of them.',
    answer: resultsOf(GalleryStatisticsSchema),
    example: {
      results: [
        { name: 'default', faces: 41_210, vectors: 41_210, indexed: 40_000, index: 'ready' },
        { ...example, faces: 120, vectors: 120, indexed: 0, index: 'none' },
      ],
    },
    // `default`, then the others sorted by name.
    core: ownedCall('galleries.statistics', {
      request: {},
      response: { galleries: z.array(GalleryStatisticsSchema) },
    }),
  }),

  /** The name is a parameter, which some clients use. */
  createNamedGallery: operation({
    ...creation,
    path: '/galleries',
    summary: 'Create a gallery with the name in a parameter',
    parameters: { name: gallery, ...settable },
    toRequest: ({ params: { name, retention_days, display_name } }) => ({
      gallery: name,
      retentionDays: retention_days,
      displayName: display_name,
    }),
  }),

  createGallery: operation({
    client: 'galleries.create',
    ...creation,
    path: '/galleries/:gallery',
    summary: 'Create a gallery',
    parameters: { gallery, ...settable },
  }),

  getGallery: operation({
    client: 'galleries.get',
    ...byName,
    method: 'get',
    permission: 'read',
    summary: 'Get a gallery',
    parameters: { gallery },
    answer: GallerySchema,
    example,
    core: ownedCall('gallery.get', {
      request: { gallery: GalleryName },
      response: { gallery: GallerySchema },
    }),
  }),

  checkGallery: operation({
    client: 'galleries.check',
    ...byName,
    path: '/galleries/:gallery/check',
    method: 'get',
    permission: 'read',
    summary: 'Find mistakes among the faces of a gallery, in pages',
    details:
      'Finds faces that are not like the others of their person (`disagrees`), persons that look like two (`divided`), two persons that ' +
      'look like one (`alike`), poor faces (`poor`), and pictures that are enrolled twice (`duplicate`). The person of a face is its ' +
      '`person_id`, else its meta. A page checks `limit` faces by rising ids, and each person with the first of their faces, so it can be empty and ' +
      'have a next page. Set a face aside or confirm it with `review` of `PUT /face/id/:id`. Findings whose faces are all confirmed are left out.',
    parameters: {
      gallery,
      min_id: optional(id),
      limit: withDefault(integer(1, FACE_LIMITS.checkPage), FACE_LIMITS.checkPage),
    },
    answer: z.strictObject({ results: z.array(FindingSchema), next_page: PageLinks.next_page }),
    example: {
      results: [
        {
          kind: 'disagrees',
          confidence: 0.5231,
          faces: [FACE],
          persons: [{ person_id: 7, meta: 'Ann', face: { ...FACE, id: FACE.id + 1 } }],
        },
      ],
      next_page: null,
    },
    // `next` is the id that the next page begins above.
    core: ownedCall('gallery.check', {
      request: {
        gallery: GalleryName,
        minId: FaceId.optional(),
        limit: Positive.max(FACE_LIMITS.checkPage),
      },
      response: { findings: z.array(FindingSchema), next: FaceId.optional() },
    }),
    toBody: ({ findings, next }, { params: { limit }, origin, path }) => ({
      results: findings.map(finding => findingWithLinks(finding, origin)),
      next_page: next === undefined ? null : `${path}?limit=${limit}&min_id=${next}`,
    }),
  }),

  changeGallery: operation({
    client: 'galleries.update',
    ...byName,
    method: 'put',
    permission: 'manage',
    summary: 'Change the retention or the display name of a gallery',
    details:
      'The service deletes an older face from every gallery. The retention of `default` applies to faces without another ' +
      'gallery and without a camera.',
    parameters: { gallery, ...settable },
    answer: GallerySchema,
    example,
    core: change('gallery.update', {
      words: 'changed how long a gallery keeps faces',
      request: { gallery: GalleryName, ...set },
      response: { gallery: GallerySchema },
      audit: ({ gallery, retentionDays }) => ({ gallery, retention_days: retentionDays }),
    }),
  }),

  deleteGallery: operation({
    client: 'galleries.delete',
    ...byName,
    method: 'delete',
    permission: 'manage',
    summary: 'Delete a gallery and the faces in it',
    details: 'The faces are deleted from every gallery. The gallery `default` itself remains.',
    parameters: { gallery },
    core: change('gallery.delete', {
      words: 'deleted a gallery',
      request: { gallery: GalleryName },
      response: {},
      audit: ({ gallery }) => ({ gallery }),
      disk: 'frees',
      replay: 'gallery',
    }),
  }),
}
