/** GET /faces and GET /faces/gallery/<gallery>: pages of faces, newest first. */
import * as z from 'zod'
import { FaceSchema } from '../../core/contract/model/face.ts'
import type { Core } from '../core-client/core-client.ts'
import { PageLinks, pageLinks, withLinks } from '../http/links.ts'
import { type PageParameters, pageParameters, pageQuery, pageRequest } from '../http/pagination.ts'
import { gallery } from '../parameters/parameter-fields.ts'
import { operation } from './operation.ts'
import { jsonResponse, type OperationCall } from './route.ts'

const paged = {
  method: 'get',
  topic: 'Faces',
  status: 200,
  answer: z.strictObject({ results: z.array(FaceSchema), ...PageLinks }),
} as const

export const listFaces = operation(
  {
    ...paged,
    name: 'listFaces',
    needs: 'read',
    path: '/faces',
    summary: 'List all faces, newest first, in pages',
    parameters: z.object(pageParameters),
  },
  ({ core }, call) => facesPage(core, call),
)

export const listGalleryFaces = operation(
  {
    ...paged,
    name: 'listGalleryFaces',
    needs: 'read',
    path: '/faces/gallery/:gallery',
    aliases: ['/face/gallery/:gallery'],
    summary: 'List the faces of a gallery, newest first, in pages',
    parameters: z.object({ ...pageParameters, gallery }),
    refusals: ['NOT_FOUND'],
  },
  ({ core }, call) => facesPage(core, call, { gallery: call.params.gallery }),
)

async function facesPage(
  core: Core,
  { caller, params, origin, path }: OperationCall<PageParameters>,
  scope: { gallery?: string } = {},
): Promise<Response> {
  const question = { owner: caller.owner, ...pageRequest(params), ...scope }
  const page = (await core.call('faces.page', question)).answer
  return jsonResponse({
    results: page.faces.map(face => withLinks(face, origin)),
    ...pageLinks(path, page, params, pageQuery(params)),
  })
}
