/** GET /galleries, GET, POST, PUT and DELETE /galleries/<gallery>: named sets of faces. */
import * as z from 'zod'
import { GalleryName, GallerySchema } from '../../core/contract/model/gallery.ts'
import type { Question } from '../../core/contract/rpc/operations.ts'
import { changedBy } from '../admission/tokens.ts'
import type { Core } from '../core-client/core-client.ts'
import { omitUndefined } from '../parameters/omit-undefined.ts'
import { gallery, optional, retentionDays } from '../parameters/parameter-fields.ts'
import { operation } from './operation.ts'
import { answer, noContent } from './route.ts'

export const listGalleries = operation(
  {
    name: 'listGalleries',
    needs: 'read',
    method: 'get',
    path: '/galleries',
    topic: 'Galleries',
    summary: 'The names of all galleries',
    parameters: z.object({}),
    status: 200,
    answer: z.strictObject({ results: z.array(GalleryName) }),
  },
  async ({ core }, { caller }) => {
    const { galleries } = (await core.ask('galleries.list', { owner: caller.owner })).answer
    return answer({ results: galleries })
  },
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
    summary: 'Make a gallery',
    parameters: z.object({ gallery, ...settable }),
  },
  ({ core }, { caller, params: { gallery, retention_days } }) =>
    make(core, { ...changedBy(caller), gallery, ...omitUndefined('retentionDays', retention_days) }),
)

/** POST /galleries with the name as a parameter, as some clients do. */
export const createNamedGallery = operation(
  {
    ...creation,
    name: 'createNamedGallery',
    needs: 'change',
    path: '/galleries',
    summary: 'Make a gallery that is named by a parameter',
    parameters: z.object({ name: gallery, ...settable }),
  },
  ({ core }, { caller, params: { name, retention_days } }) =>
    make(core, { ...changedBy(caller), gallery: name, ...omitUndefined('retentionDays', retention_days) }),
)

async function make(core: Core, question: Question<'gallery.create'>): Promise<Response> {
  return answer((await core.ask('gallery.create', question)).answer.gallery, 201)
}

export const getGallery = operation(
  {
    name: 'getGallery',
    needs: 'read',
    method: 'get',
    path: '/galleries/:gallery',
    topic: 'Galleries',
    summary: 'One gallery',
    parameters: z.object({ gallery }),
    status: 200,
    answer: GallerySchema,
    refusals: ['NOT_FOUND'],
  },
  async ({ core }, { caller, params }) =>
    answer((await core.ask('gallery.get', { owner: caller.owner, ...params })).answer.gallery),
)

export const changeGallery = operation(
  {
    name: 'changeGallery',
    needs: 'administer',
    method: 'put',
    path: '/galleries/:gallery',
    topic: 'Galleries',
    summary: 'Change how long a gallery keeps its faces',
    details:
      'A face that is older than that is deleted whole, from every gallery. What is set for `default` is for faces that are ' +
      'in no named gallery and of no camera.',
    parameters: z.object({ gallery, ...settable }),
    status: 200,
    answer: GallerySchema,
    refusals: ['NOT_FOUND'],
  },
  async ({ core }, { caller, params: { gallery, retention_days } }) => {
    const question = { ...changedBy(caller), gallery, ...omitUndefined('retentionDays', retention_days) }
    return answer((await core.ask('gallery.update', question)).answer.gallery)
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
    details: 'The faces are gone from every gallery. `default` stays.',
    parameters: z.object({ gallery }),
    status: 204,
    refusals: ['NOT_FOUND'],
  },
  async ({ core }, { caller, params }) => {
    await core.ask('gallery.delete', { ...changedBy(caller), gallery: params.gallery })
    return noContent()
  },
)
