/** GET /galleries, GET /statistics/galleries, GET, POST, PUT and DELETE /galleries/<gallery>: named sets of faces. */
import * as z from 'zod'
import { GalleryName, GallerySchema, GalleryStatisticsSchema } from '../../contract/model/gallery.ts'
import type { RpcRequest } from '../../contract/rpc/operations.ts'
import { changedBy } from '../admission/tokens.ts'
import type { Core } from '../core-client/core-client.ts'
import { omitUndefined } from '../parameters/omit-undefined.ts'
import { gallery, optional, retentionDays } from '../parameters/parameter-fields.ts'
import { operation } from './operation.ts'
import { jsonResponse, noContent } from './route.ts'

export const listGalleries = operation(
  {
    name: 'listGalleries',
    needs: 'read',
    method: 'get',
    path: '/galleries',
    topic: 'Galleries',
    summary: 'List the names of all galleries',
    parameters: z.object({}),
    status: 200,
    answer: z.strictObject({ results: z.array(GalleryName) }),
  },
  async ({ core }, { caller }) => {
    const { galleries } = (await core.call('galleries.list', { owner: caller.owner })).answer
    return jsonResponse({ results: galleries })
  },
)

/** A path below /galleries would be that of a gallery. */
export const galleryStatistics = operation(
  {
    name: 'galleryStatistics',
    needs: 'read',
    method: 'get',
    path: '/statistics/galleries',
    topic: 'Galleries',
    summary: 'List all galleries with the numbers of their faces and the states of their indexes',
    details:
      '`vectors`, `indexed` and `index` are absent while the vector store is unavailable. The counts are of one moment; an ' +
      'enrolment in progress can be in some of them.',
    parameters: z.object({}),
    status: 200,
    answer: z.strictObject({ results: z.array(GalleryStatisticsSchema) }),
  },
  async ({ core }, { caller }) =>
    jsonResponse({
      results: (await core.call('galleries.statistics', { owner: caller.owner })).answer.galleries,
    }),
)

const settable = { retention_days: optional(retentionDays) }

const creation = {
  method: 'post',
  topic: 'Galleries',
  status: 201,
  answer: GallerySchema,
  refusals: ['GALLERY_EXISTS'],
} as const

export const createGallery = operation(
  {
    ...creation,
    name: 'createGallery',
    needs: 'change',
    path: '/galleries/:gallery',
    summary: 'Create a gallery',
    parameters: z.object({ gallery, ...settable }),
  },
  ({ core }, { caller, params: { gallery, retention_days } }) =>
    create(core, { ...changedBy(caller), gallery, ...omitUndefined('retentionDays', retention_days) }),
)

/** POST /galleries with the name as a parameter, which some clients use. */
export const createNamedGallery = operation(
  {
    ...creation,
    name: 'createNamedGallery',
    needs: 'change',
    path: '/galleries',
    summary: 'Create a gallery with the name in a parameter',
    parameters: z.object({ name: gallery, ...settable }),
  },
  ({ core }, { caller, params: { name, retention_days } }) =>
    create(core, { ...changedBy(caller), gallery: name, ...omitUndefined('retentionDays', retention_days) }),
)

async function create(core: Core, question: RpcRequest<'gallery.create'>): Promise<Response> {
  return jsonResponse((await core.call('gallery.create', question)).answer.gallery, 201)
}

export const getGallery = operation(
  {
    name: 'getGallery',
    needs: 'read',
    method: 'get',
    path: '/galleries/:gallery',
    topic: 'Galleries',
    summary: 'Get a gallery',
    parameters: z.object({ gallery }),
    status: 200,
    answer: GallerySchema,
    refusals: ['NOT_FOUND'],
  },
  async ({ core }, { caller, params }) =>
    jsonResponse((await core.call('gallery.get', { owner: caller.owner, ...params })).answer.gallery),
)

export const changeGallery = operation(
  {
    name: 'changeGallery',
    needs: 'administer',
    method: 'put',
    path: '/galleries/:gallery',
    topic: 'Galleries',
    summary: 'Change the retention of a gallery',
    details:
      'The service deletes an older face from every gallery. The retention of `default` applies to faces without another ' +
      'gallery and without a camera.',
    parameters: z.object({ gallery, ...settable }),
    status: 200,
    answer: GallerySchema,
    refusals: ['NOT_FOUND'],
  },
  async ({ core }, { caller, params: { gallery, retention_days } }) => {
    const question = { ...changedBy(caller), gallery, ...omitUndefined('retentionDays', retention_days) }
    return jsonResponse((await core.call('gallery.update', question)).answer.gallery)
  },
)

export const deleteGallery = operation(
  {
    name: 'deleteGallery',
    needs: 'administer',
    method: 'delete',
    path: '/galleries/:gallery',
    topic: 'Galleries',
    summary: 'Delete a gallery and the faces in it',
    details: 'The faces are deleted from every gallery. The gallery `default` itself remains.',
    parameters: z.object({ gallery }),
    status: 204,
    refusals: ['NOT_FOUND'],
  },
  async ({ core }, { caller, params }) => {
    await core.call('gallery.delete', { ...changedBy(caller), gallery: params.gallery })
    return noContent()
  },
)
