/** GET /galleries, POST and DELETE /galleries/<gallery>: named sets of faces. */
import * as z from 'zod'
import { GalleryName } from '../../core/contract/gallery.ts'
import { gallery } from '../fields.ts'
import { operation } from '../operation.ts'
import { answer, noContent } from '../route.ts'
import { changedBy } from '../tokens.ts'

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

const creation = {
  method: 'post',
  topic: 'Galleries',
  status: 201,
  answer: z.strictObject({ name: GalleryName }),
  refusals: ['GALLERY_EXISTS'],
} as const

export const createGallery = operation(
  {
    ...creation,
    name: 'createGallery',
    needs: 'change',
    path: '/galleries/:gallery',
    summary: 'Make a gallery',
    parameters: z.object({ gallery }),
  },
  async ({ core }, { caller, params }) => {
    await core.ask('gallery.create', { ...changedBy(caller), gallery: params.gallery })
    return answer({ name: params.gallery }, 201)
  },
)

/** POST /galleries with the name as a parameter, as some clients do. */
export const createNamedGallery = operation(
  {
    ...creation,
    name: 'createNamedGallery',
    needs: 'change',
    path: '/galleries',
    summary: 'Make a gallery that is named by a parameter',
    parameters: z.object({ name: gallery }),
  },
  async ({ core }, { caller, params }) => {
    await core.ask('gallery.create', { ...changedBy(caller), gallery: params.name })
    return answer({ name: params.name }, 201)
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
