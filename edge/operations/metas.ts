/** GET /meta, and the faces with one meta: list and delete them, in all galleries or in one. */
import * as z from 'zod'
import { FaceSchema } from '../../contract/model/face.ts'
import { MetaEntrySchema } from '../../contract/model/meta.ts'
import type { RpcRequest } from '../../contract/rpc/operations.ts'
import { changedBy } from '../admission/tokens.ts'
import type { Core } from '../core-client/core-client.ts'
import { PageLinks, pageLinks, withLinks } from '../http/links.ts'
import { type PageParameters, pageParameters, pageQuery, pageRequest } from '../http/pagination.ts'
import { streamedAnswer } from '../http/streamed.ts'
import { metaToDelete, metaToFind } from '../parameters/meta.ts'
import { gallery } from '../parameters/parameter-fields.ts'
import { operation } from './operation.ts'
import { jsonResponse, noContent, type OperationCall } from './route.ts'

const paged = {
  method: 'get',
  topic: 'Faces',
  details:
    'Each entry contains a meta, the number of its faces, and the first of these faces. Entries are in descending order of ' +
    'the ids of their first faces; `max_id` and `min_id` refer to these ids. Faces without a meta are not counted.',
  status: 200,
  answer: z.strictObject({ results: z.array(MetaEntrySchema), ...PageLinks }),
} as const

export const listMetas = operation(
  {
    ...paged,
    name: 'listMetas',
    needs: 'read',
    path: '/meta',
    summary: 'List all metas, in pages',
    parameters: z.object(pageParameters),
  },
  ({ core }, call) => metasPage(core, call),
)

export const listGalleryMetas = operation(
  {
    ...paged,
    name: 'listGalleryMetas',
    needs: 'read',
    path: '/meta/gallery/:gallery',
    summary: 'List the metas of a gallery, in pages',
    parameters: z.object({ ...pageParameters, gallery }),
    refusals: ['NOT_FOUND'],
  },
  ({ core }, call) => metasPage(core, call, { gallery: call.params.gallery }),
)

async function metasPage(
  core: Core,
  { caller, params, origin, path }: OperationCall<PageParameters>,
  scope: { gallery?: string } = {},
): Promise<Response> {
  const question = { owner: caller.owner, ...pageRequest(params), ...scope }
  const { metas, newer, older } = (await core.call('metas.page', question)).answer
  const page = { faces: metas.map(({ face }) => face), newer, older }
  return jsonResponse({
    results: metas.map(entry => ({ ...entry, face: withLinks(entry.face, origin) })),
    ...pageLinks(path, page, params, pageQuery(params)),
  })
}

const META_MATCHING =
  'The meta must match exactly. In the path it is URL-encoded, with %20 for a space. On paths without a meta, it is the ' +
  'parameter `meta`.'

const PAGES =
  ' With `max_id`, `min_id` or `limit` the answer is a page with links; without them, it contains all faces.'

const byMeta = {
  topic: 'Faces',
  details: META_MATCHING,
  path: '/face/meta/:meta',
  aliases: ['/faces/meta/:meta', '/face/meta', '/faces/meta'],
} as const

const byGalleryAndMeta = {
  topic: 'Faces',
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
  status: 200,
  answer: z.strictObject({ results: z.array(FaceSchema), ...z.object(PageLinks).partial().shape }),
} as const

export const facesWithMeta = operation(
  {
    ...byMeta,
    ...listed,
    name: 'facesWithMeta',
    needs: 'read',
    summary: 'List all faces with a meta, newest first',
    details: META_MATCHING + PAGES,
    parameters: z.object({ ...pageParameters, meta: metaToFind }),
  },
  ({ core }, call) => metaFaces(core, call),
)

export const galleryFacesWithMeta = operation(
  {
    ...byGalleryAndMeta,
    ...listed,
    name: 'galleryFacesWithMeta',
    needs: 'read',
    summary: 'List the faces of a gallery with a meta, newest first',
    details: META_MATCHING + PAGES,
    parameters: z.object({ ...pageParameters, gallery, meta: metaToFind }),
  },
  ({ core }, call) => metaFaces(core, call, { gallery: call.params.gallery }),
)

/** All faces as a stream, or one page of them when a page is asked for. */
async function metaFaces(
  core: Core,
  { caller, params, origin, path, outsidePath }: OperationCall<PageParameters & { meta: string }>,
  scope: { gallery?: string } = {},
): Promise<Response> {
  const { meta, max_id, min_id, limit } = params
  const question = { owner: caller.owner, meta, ...scope }
  if (max_id === undefined && min_id === undefined && limit === undefined)
    return streamedAnswer(await core.stream('faces.with-meta', question), face => withLinks(face, origin))
  const page = (await core.call('faces.page', { ...question, ...pageRequest(params) })).answer
  const query: Record<string, string> = outsidePath('meta') === undefined ? {} : { meta }
  return jsonResponse({
    results: page.faces.map(face => withLinks(face, origin)),
    ...pageLinks(path, page, params, { ...pageQuery(params), ...query }),
  })
}

const deletion = { needs: 'administer', method: 'delete', status: 204 } as const

export const deleteFacesWithMeta = operation(
  {
    ...byMeta,
    ...deletion,
    name: 'deleteFacesWithMeta',
    summary: 'Delete all faces with a meta',
    parameters: z.object({ meta: metaToDelete }),
  },
  ({ core }, { caller, params: { meta } }) => deleteFaces(core, { ...changedBy(caller), meta }),
)

export const deleteGalleryFacesWithMeta = operation(
  {
    ...byGalleryAndMeta,
    ...deletion,
    name: 'deleteGalleryFacesWithMeta',
    summary: 'Delete the faces of a gallery with a meta',
    details: `The faces are deleted from every gallery. Faces with this meta outside the gallery remain. ${META_MATCHING}`,
    parameters: z.object({ gallery, meta: metaToDelete }),
  },
  ({ core }, { caller, params: { gallery, meta } }) =>
    deleteFaces(core, { ...changedBy(caller), gallery, meta }),
)

async function deleteFaces(core: Core, question: RpcRequest<'faces.delete-with-meta'>): Promise<Response> {
  await core.call('faces.delete-with-meta', question)
  return noContent()
}
