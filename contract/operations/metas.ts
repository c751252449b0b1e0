/** Metas: texts of faces, and the faces with one of them. */
import * as z from 'zod'
import { FACE_LIMITS } from '../limits/faces.ts'
import { FaceSchema, MetaEntrySchema, withLinks } from '../model/face.ts'
import { GalleryName } from '../model/gallery.ts'
import { metaToDelete, metaToFind, nameToFind, optional } from '../parameters/fields.ts'
import { gallery } from '../parameters/ids.ts'
import {
  PageLinks,
  type PageParameters,
  pageLinks,
  pageParameters,
  pageQuery,
  pageRequest,
} from '../parameters/pages.ts'
import { change, deletedFaces, neighbours, ownedCall, page, stream } from '../rpc/message.ts'
import { FACE, LAST_PAGE } from './examples.ts'
import { type ApiCall, operationOf } from './operation.ts'

const operation = operationOf('Faces')

/** Metas in descending order of the ids of their first faces. The page refers to these ids. */
const metasPage = ownedCall('metas.page', {
  request: { ...page, gallery: GalleryName.optional(), name: z.string().optional() },
  response: { metas: z.array(MetaEntrySchema), ...neighbours },
})

const paged = {
  method: 'get',
  permission: 'read',
  details:
    'Each entry contains a meta, the number of its faces, and the first of these faces. Entries are in descending order of ' +
    'the ids of their first faces; `max_id` and `min_id` refer to these ids. `name` is one or more words, at most 16. It selects the metas that contain all of them, in any order, also inside a longer word: the ' +
    `first ${FACE_LIMITS.pageSize} in alphabetical order. Case and accents do not count. Faces without a meta are not counted.`,
  answer: z.strictObject({ results: z.array(MetaEntrySchema), ...PageLinks }),
  example: { results: [{ meta: 'Ann', count: 1, face: FACE }], ...LAST_PAGE },
  core: metasPage,
  toRequest: ({ params }: ApiCall<PageParameters & { gallery?: string; name?: string }>) => ({
    ...pageRequest(params),
    gallery: params.gallery,
    name: params.name,
  }),
  toBody: (
    { metas, newer, older }: z.infer<typeof metasPage.response>,
    { params, origin, path }: ApiCall<PageParameters & { name?: string }>,
  ) => ({
    results: metas.map(entry => ({ ...entry, face: withLinks(entry.face, origin) })),
    ...pageLinks(path, { items: metas.map(({ face }) => face), newer, older }, params, {
      ...pageQuery(params),
      ...(params.name !== undefined && { name: params.name }),
    }),
  }),
} as const

const META_MATCHING =
  'The meta must match exactly. In the path it is URL-encoded, with %20 for a space. On paths without a meta, it is the ' +
  'parameter `meta`.'

const DELETED_EVERYWHERE = 'The faces are deleted from every gallery.'

const PAGES =
  ' With `max_id`, `min_id` or `limit` the answer is a page with links; without them, it contains all faces.'

const byMeta = {
  details: META_MATCHING,
  path: '/face/meta/:meta',
  aliases: ['/faces/meta/:meta', '/face/meta', '/faces/meta'],
} as const

const byGalleryAndMeta = {
  details: META_MATCHING,
  path: '/face/gallery/:gallery/meta/:meta',
  aliases: [
    '/faces/gallery/:gallery/meta/:meta',
    '/face/gallery/:gallery/meta',
    '/faces/gallery/:gallery/meta',
  ],
  refusals: ['NOT_FOUND'],
} as const

const listed = {
  method: 'get',
  permission: 'read',
  details: META_MATCHING + PAGES,
  answer: z.strictObject({ results: z.array(FaceSchema), ...z.object(PageLinks).partial().shape }),
  example: { results: [FACE] },
  // All faces with exactly this meta, newest first. NOT_FOUND when the gallery does not exist.
  core: stream('faces.with-meta', {
    words: 'looked at the faces of a name',
    request: { meta: z.string(), gallery: GalleryName.optional() },
    item: FaceSchema,
    views: ({ gallery }) => ({ gallery }),
  }),
} as const

const deletion = {
  permission: 'manage',
  method: 'delete',
  // Deletes all faces with exactly this meta, in all galleries or in one. NOT_FOUND when the gallery does not exist.
  core: change('faces.delete-with-meta', {
    words: 'deleted the faces of a name',
    request: { meta: z.string(), gallery: GalleryName.optional() },
    response: deletedFaces,
    audit: ({ gallery }, { faces }) => ({ gallery, faces, count: faces.length }),
    disk: 'frees',
    replay: 'faces',
  }),
} as const

export const metaOperations = {
  facesWithMeta: operation({
    ...byMeta,
    ...listed,
    summary: 'List all faces with a meta, newest first',
    parameters: { ...pageParameters, meta: metaToFind },
  }),

  galleryFacesWithMeta: operation({
    ...byGalleryAndMeta,
    ...listed,
    summary: 'List the faces of a gallery with a meta, newest first',
    parameters: { ...pageParameters, gallery, meta: metaToFind },
  }),

  deleteFacesWithMeta: operation({
    client: 'faces.deleteWithMeta',
    ...byMeta,
    ...deletion,
    summary: 'Delete all faces with a meta',
    details: `${DELETED_EVERYWHERE} ${META_MATCHING}`,
    parameters: { meta: metaToDelete },
  }),

  deleteGalleryFacesWithMeta: operation({
    client: 'faces.deleteWithMeta',
    ...byGalleryAndMeta,
    ...deletion,
    summary: 'Delete the faces of a gallery with a meta',
    details: `${DELETED_EVERYWHERE} Faces with this meta outside the gallery remain. ${META_MATCHING}`,
    parameters: { gallery, meta: metaToDelete },
  }),

  listMetas: operation({
    client: 'metas.list',
    ...paged,
    path: '/meta',
    summary: 'List all metas, in pages',
    parameters: { ...pageParameters, name: optional(nameToFind) },
  }),

  listGalleryMetas: operation({
    client: 'metas.list',
    ...paged,
    path: '/meta/gallery/:gallery',
    summary: 'List the metas of a gallery, in pages',
    parameters: { ...pageParameters, gallery, name: optional(nameToFind) },
    refusals: ['NOT_FOUND'],
  }),
}
