/** Galleries: named sets of faces. */
import * as z from 'zod'
import { GalleryName, GallerySchema, GalleryStatisticsSchema, NewRetentionDays } from '../model/gallery.ts'
import { optional } from '../parameters/fields.ts'
import { gallery, retentionDays } from '../parameters/ids.ts'
import { change, ownedCall } from '../rpc/message.ts'
import { operationOf, resultsOf } from './operation.ts'

const operation = operationOf('Galleries')

const example = { name: 'staff', retention_days: 365 }

const settable = { retention_days: optional(retentionDays) }

const toCreate = change('gallery.create', {
  request: { gallery: GalleryName, retentionDays: NewRetentionDays.optional() },
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
    method: 'get',
    path: '/galleries',
    permission: 'read',
    summary: 'List the names of all galleries',
    answer: resultsOf(GalleryName),
    example: { results: ['default', 'staff'] },
    core: ownedCall('galleries.list', { request: {}, response: { galleries: z.array(GalleryName) } }),
  }),

  /** A path below /galleries would be that of a gallery. */
  galleryStatistics: operation({
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
    toRequest: ({ params: { name, retention_days } }) => ({ gallery: name, retentionDays: retention_days }),
  }),

  createGallery: operation({
    ...creation,
    path: '/galleries/:gallery',
    summary: 'Create a gallery',
    parameters: { gallery, ...settable },
  }),

  getGallery: operation({
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

  changeGallery: operation({
    ...byName,
    method: 'put',
    permission: 'administer',
    summary: 'Change the retention of a gallery',
    details:
      'The service deletes an older face from every gallery. The retention of `default` applies to faces without another ' +
      'gallery and without a camera.',
    parameters: { gallery, ...settable },
    answer: GallerySchema,
    example,
    core: change('gallery.update', {
      request: { gallery: GalleryName, retentionDays: NewRetentionDays.optional() },
      response: { gallery: GallerySchema },
      audit: ({ gallery, retentionDays }) => ({ gallery, retention_days: retentionDays }),
    }),
  }),

  deleteGallery: operation({
    ...byName,
    method: 'delete',
    permission: 'administer',
    summary: 'Delete a gallery and the faces in it',
    details: 'The faces are deleted from every gallery. The gallery `default` itself remains.',
    parameters: { gallery },
    core: change('gallery.delete', {
      request: { gallery: GalleryName },
      response: {},
      audit: ({ gallery }) => ({ gallery }),
      disk: 'frees',
      replay: 'gallery',
    }),
  }),
}
