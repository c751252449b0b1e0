/** Stored faces: enrolment, single faces with their snapshots and clips, pages of faces, and their metas. */
import * as z from 'zod'
import { FaceId } from '../ids.ts'
import { FOOTAGE_KINDS } from '../limits/cameras.ts'
import { FACE_LIMITS } from '../limits/faces.ts'
import { PHOTO_LIMITS } from '../limits/photos.ts'
import { REQUEST_LIMITS } from '../limits/requests.ts'
import { checkedEnrolment, preparation } from '../model/enrolment.ts'
import { FaceSchema, MetaEntrySchema, REVIEWS, withLinks } from '../model/face.ts'
import { GalleryChangeSchema, GalleryName } from '../model/gallery.ts'
import { HistoryFilter } from '../model/history.ts'
import { FacePersonId, PersonId } from '../model/person.ts'
import { PhotoAnalysisSchema } from '../model/photo-analysis.ts'
import {
  boolean,
  json,
  metaToDelete,
  metaToFind,
  metaToStore,
  nameToFind,
  oneOf,
  optional,
  personName,
  timeToStore,
  withDefault,
} from '../parameters/fields.ts'
import {
  cameraFilter,
  cameraId,
  galleries,
  gallery,
  galleryChange,
  id,
  numberInPath,
  personId,
} from '../parameters/ids.ts'
import {
  filterOf,
  filterQuery,
  PageLinks,
  type PageParameters,
  pageLinks,
  pageParameters,
  pageQuery,
  pageRequest,
  sightingParameters,
  timeParameters,
} from '../parameters/pages.ts'
import {
  attributeParameters,
  boxes,
  detailParameters,
  file,
  livenessParameters,
  minQuality,
  photo,
  selector,
} from '../parameters/photos.ts'
import { change, deletedFaces, neighbours, ofOwner, ownedCall, page, stream, view } from '../rpc/message.ts'
import { Share } from '../scalars.ts'
import { ENROLLED_FACE, FACE, LAST_PAGE } from './examples.ts'
import { type ApiCall, operationOf } from './operation.ts'
import { FACE_REFUSALS, FACES_SEEN_HEADERS, RECOGNITION_HEADERS } from './photos.ts'

const operation = operationOf('Faces')

const byId = { path: '/face/id/:id', aliases: ['/faces/id/:id'], refusals: ['NOT_FOUND'] } as const

/** The audit log has no texts of callers. */
const auditedPerson = (id: number | string | undefined) => (typeof id === 'string' ? 'a text' : id)

const filterParameters = {
  meta: metaToFind.optional().describe('Faces with exactly this meta; empty for faces without a meta.'),
  ...sightingParameters,
  cam_id: withDefault(cameraFilter, []),
  ...timeParameters,
}

const listParameters = z.object({ ...pageParameters, ...filterParameters })
type ListCall = ApiCall<z.output<typeof listParameters> & { gallery?: string }>

/** Faces that meet a filter, of all galleries or of one gallery. NOT_FOUND when the gallery does not exist. */
const facesPage = view('faces.page', {
  words: 'looked at a list of faces',
  request: {
    ...ofOwner,
    ...page,
    gallery: GalleryName.optional(),
    meta: z.string().optional(),
    filter: HistoryFilter.optional(),
  },
  response: { faces: z.array(FaceSchema), ...neighbours },
  views: ({ gallery, filter }, { faces }) => ({ gallery, person: filter?.personId, shown: faces.length }),
})

const pageFields = {
  method: 'get',
  permission: 'read',
  details:
    'All given filters must hold. `start` and `end` are inclusive, and refer to the `timestamp` of a face. `friend` is the field ' +
    'of a face. Links to other pages keep the filters.',
  answer: z.strictObject({ results: z.array(FaceSchema), ...PageLinks }),
  example: { results: [FACE], ...LAST_PAGE },
  core: facesPage,
  toRequest: ({ params: { meta, cam_id, gallery, ...rest } }: ListCall) => ({
    ...pageRequest(rest),
    gallery,
    meta,
    filter: filterOf(cam_id, rest),
  }),
  toBody({ faces, newer, older }: z.infer<typeof facesPage.response>, { params, origin, path }: ListCall) {
    const { meta, cam_id, ...rest } = params
    const query = {
      ...pageQuery(params),
      ...(meta !== undefined && { meta }),
      ...filterQuery({ cam_id }, rest),
    }
    return {
      results: faces.map(face => withLinks(face, origin)),
      ...pageLinks(path, { items: faces, newer, older }, params, query),
    }
  },
} as const

const putFields = {
  method: 'put',
  permission: 'post',
  refusals: ['NOT_FOUND', 'PHOTO_TOO_LARGE', 'BAD_IMAGE'],
  // Blob: the file. `hash`: of the file of a snapshot. BAD_PARAM unless the camera of the face keeps files of this kind.
  core: change('face.footage', {
    words: 'stored a snapshot or a clip',
    request: { id: FaceId, kind: z.enum(FOOTAGE_KINDS), hash: z.string().optional() },
    response: {},
    audit: ({ id, kind }) => ({ face: id, kind }),
  }),
} as const

const MOST = `At most ${PHOTO_LIMITS.bytes / 2 ** 20} MB. A repeated request replaces the file.`

/** Metas in descending order of the ids of their first faces. The page refers to these ids. */
const metasPage = ownedCall('metas.page', {
  request: { ...page, gallery: GalleryName.optional(), name: z.string().optional() },
  response: { metas: z.array(MetaEntrySchema), ...neighbours },
})

const pagedMetas = {
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

const listFields = {
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

export const faceOperations = {
  enrol: operation({
    method: 'post',
    path: '/face',
    aliases: ['/faces'],
    permission: 'post',
    summary: 'Enrol the faces of a photo',
    details:
      'Stores all selected faces or none. Every face is also in the gallery `default`. Boxes override `mf_selector`. Either `person_id` ' +
      'or `person` names the person of the face. They need a photo with one selected face. An unknown number in `person_id` creates a ' +
      'person; a text of digits is the number, and another text refers to no person. `person` is the name of one known person, or of a ' +
      'new person. The search ignores case, accents and surrounding spaces. A face without a meta gets the name of the person.\n\n' +
      'With `update=true` and an `Idempotency-Key`, this photo replaces the photo of an earlier request with this key: a better picture ' +
      'of the same visit. The face keeps its id, galleries, person and meta, and gets a person if it has none. Its event is sent again, ' +
      'with `updated`. Without an earlier request, the face is enrolled.',
    parameters: {
      photo,
      meta: withDefault(metaToStore, ''),
      person_id: optional(personId),
      person: optional(personName),
      bbox: optional(boxes),
      mf_selector: selector,
      galleries: withDefault(galleries, []),
      cam_id: optional(cameraId),
      timestamp: optional(timeToStore),
      detectorParams: optional(json),
      quality: detailParameters.quality,
      min_quality: minQuality,
      update: withDefault(boolean, false),
      ...livenessParameters,
      ...attributeParameters,
    },
    // A camera client of the original product sends a picture of the face in this field.
    unused: ['face0'],
    requestHeaders: {
      'Idempotency-Key': {
        type: 'string',
        maxLength: REQUEST_LIMITS.idempotencyKeyLength,
        description:
          'A unique name of the request, chosen by the client. For 24 hours, a repeated request with the same key gets the ' +
          'first response. A different request with the same key is refused with `BAD_PARAM`, without `update`.',
      },
    },
    answer: z.strictObject({ results: z.array(FaceSchema) }),
    example: { results: [ENROLLED_FACE] },
    headers: { ...RECOGNITION_HEADERS, ...FACES_SEEN_HEADERS },
    refusals: [...FACE_REFUSALS, 'LOW_QUALITY'],
    // Stores all faces or none. Blobs: for each face its chip, then its thumbnail (8-bit RGB).
    core: change('enrol', {
      words: 'enrolled faces',
      request: {
        photo: z.string(),
        photoHash: z.string(),
        meta: z.string(),
        ...checkedEnrolment,
        /** Microseconds since 1970. Default: now. */
        timestamp: z.number().optional(),
        detectorInfo: z.unknown().optional(),
        /** Prepared faces, in place of the blobs. SERVICE_UNAVAILABLE when they are not there. */
        ...z.object(preparation).partial().shape,
        /** Includes quality and liveness if they are to be stored. Edges measure the quality when `caller` has said `persons`. */
        faces: z.array(
          PhotoAnalysisSchema.shape.selected.element.extend({
            measuredQuality: Share.optional(),
          }),
        ),
      },
      response: { faces: z.array(FaceSchema) },
      audit: ({ galleries, camera, personId, personName }, { faces }) => ({
        faces: faces.map(({ id }) => id),
        galleries,
        camera,
        ...((personId ?? personName) !== undefined && { person: auditedPerson(faces[0]?.person_id) }),
      }),
    }),
  }),

  getFace: operation({
    client: 'faces.get',
    ...byId,
    method: 'get',
    permission: 'read',
    summary: 'Get a face',
    parameters: { id: numberInPath, who: withDefault(boolean, false) },
    answer: FaceSchema,
    example: FACE,
    core: ownedCall('face.get', {
      request: { id: FaceId, who: z.boolean().optional() },
      response: { face: FaceSchema },
    }),
    toRequest: ({ params: { id, who } }) => ({ id, ...(who && { who }) }),
    toBody: ({ face }, { origin }) => withLinks(face, origin),
  }),

  updateFace: operation({
    client: 'faces.update',
    ...byId,
    method: 'put',
    permission: 'change',
    summary: 'Change the meta, the person, the galleries or the review of a face',
    details:
      'Absent fields stay unchanged. `person` is the name of the person; an unknown name creates a person. `person_id` is the number of the person; ' +
      'an unknown number creates a person. Other text in `person_id` is stored unchanged and refers to no person. If the meta is empty or the name of ' +
      'the previous person, it becomes the name of the new person. `not_person` is the id of a person that the face does not show: the face leaves ' +
      'this person and loses the name, and neither it nor similar new faces get this person again. A new `person` or `person_id` denies the previous ' +
      'person in the same way. `galleries` has one key: `add`, `del` or `set`; `default` contains every face. `review=set_aside` excludes the face ' +
      'from searches, persons and measurements; `confirmed` states that a finding of the check of a gallery is wrong. `none` removes both marks.',
    parameters: {
      id: numberInPath,
      meta: metaToStore.nullish(),
      person_id: optional(personId),
      person: optional(personName),
      not_person: optional(id),
      galleries: optional(galleryChange),
      review: optional(oneOf([...REVIEWS, 'none'])),
    },
    answer: FaceSchema,
    example: FACE,
    // Changes the given fields. BAD_PARAM without any change when a gallery does not exist.
    core: change('face.update', {
      words: 'changed a face',
      request: {
        id: FaceId,
        meta: z.string().optional(),
        personId: FacePersonId.optional(),
        personName: z.string().optional(),
        notPerson: PersonId.optional(),
        galleries: GalleryChangeSchema.optional(),
        review: z.enum([...REVIEWS, 'none']).optional(),
      },
      response: { face: FaceSchema },
      audit: ({ id, meta, personId, personName, notPerson, galleries, review }, { face }) => ({
        face: id,
        meta: meta === undefined ? undefined : 'changed',
        person: auditedPerson(personName === undefined ? personId : face.person_id),
        'not person': notPerson,
        review,
        ...(galleries && { [`galleries ${galleries.kind}`]: galleries.names }),
      }),
      replay: 'face galleries',
    }),
    toRequest: ({ params: { meta, person_id, person, not_person, ...params } }) => ({
      ...params,
      meta: meta ?? undefined,
      personId: person_id,
      personName: person,
      notPerson: not_person,
    }),
    toBody: ({ face }, { origin }) => withLinks(face, origin),
  }),

  deleteFace: operation({
    client: 'faces.delete',
    ...byId,
    method: 'delete',
    permission: 'change',
    summary: 'Delete a face with its vector and its pictures',
    parameters: { id: numberInPath },
    core: change('face.delete', {
      words: 'deleted a face',
      request: { id: FaceId },
      response: {},
      audit: ({ id }) => ({ face: id }),
      disk: 'frees',
      replay: 'faces',
    }),
  }),

  listFaces: operation({
    client: 'faces.list',
    ...pageFields,
    path: '/faces',
    summary: 'List all faces, newest first, in pages',
    parameters: listParameters.shape,
  }),

  listGalleryFaces: operation({
    client: 'faces.list',
    ...pageFields,
    path: '/faces/gallery/:gallery',
    aliases: ['/face/gallery/:gallery'],
    summary: 'List the faces of a gallery, newest first, in pages',
    parameters: { ...listParameters.shape, gallery },
    refusals: ['NOT_FOUND'],
  }),

  putSnapshot: operation({
    ...putFields,
    path: '/face/id/:id/snapshot',
    aliases: ['/faces/id/:id/snapshot'],
    summary: 'Store the whole photo of a face that a camera has posted',
    details:
      `The camera needs the option \`snapshot\`. The photo is exactly the one of the enrolment, as JPEG. ${MOST} Get it by the link ` +
      '`snapshot` of the face. An update of the face removes the link until its photo is sent.',
    parameters: { id: numberInPath, snapshot: file('The photo of the enrolment.') },
  }),

  putClip: operation({
    ...putFields,
    path: '/face/id/:id/clip',
    aliases: ['/faces/id/:id/clip'],
    summary: 'Store a video of the moment of a face that a camera has posted',
    details:
      `The camera needs the option \`clip\`, and the face is enrolled in the last ${REQUEST_LIMITS.idempotencyKeptMs / 3_600_000} hours. ` +
      `${MOST} Get it by the link \`clip\` of the face.`,
    parameters: { id: numberInPath, clip: file('A whole MP4 file.') },
  }),

  facesWithMeta: operation({
    ...byMeta,
    ...listFields,
    summary: 'List all faces with a meta, newest first',
    parameters: { ...pageParameters, meta: metaToFind },
  }),

  galleryFacesWithMeta: operation({
    ...byGalleryAndMeta,
    ...listFields,
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
    ...pagedMetas,
    path: '/meta',
    summary: 'List all metas, in pages',
    parameters: { ...pageParameters, name: optional(nameToFind) },
  }),

  listGalleryMetas: operation({
    client: 'metas.list',
    ...pagedMetas,
    path: '/meta/gallery/:gallery',
    summary: 'List the metas of a gallery, in pages',
    parameters: { ...pageParameters, gallery, name: optional(nameToFind) },
    refusals: ['NOT_FOUND'],
  }),
}
