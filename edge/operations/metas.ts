/** GET /meta, and the faces that carry one meta: listed, of all galleries or of one, and deleted. */
import * as z from 'zod'
import { FaceSchema } from '../../core/contract/model/face.ts'
import { MetaEntrySchema } from '../../core/contract/model/meta.ts'
import type { Question } from '../../core/contract/rpc/operations.ts'
import type { StreamQuestion } from '../../core/contract/rpc/streams.ts'
import { changedBy } from '../admission/tokens.ts'
import type { Core } from '../core-client/core-client.ts'
import { PageLinks, pageLinks, withLinks } from '../http/links.ts'
import { type PageParameters, pageParameters, pageQuery, pageQuestion } from '../http/pagination.ts'
import { streamedAnswer } from '../http/streamed.ts'
import { metaToDelete, metaToFind } from '../parameters/meta.ts'
import { gallery } from '../parameters/parameter-fields.ts'
import { operation } from './operation.ts'
import { answer, noContent, type OperationCall } from './route.ts'

const paged = {
  method: 'get',
  topic: 'Faces',
  details:
    'Each meta comes with the number of faces that carry it and the first of these. The meta whose first face is the ' +
    'newest comes first; `max_id` and `min_id` are ids of first faces. Faces without a meta are not counted.',
  status: 200,
  answer: z.strictObject({ results: z.array(MetaEntrySchema), ...PageLinks }),
} as const

export const listMetas = operation(
  {
    ...paged,
    name: 'listMetas',
    needs: 'read',
    path: '/meta',
    summary: 'All metas, in pages',
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
    summary: 'The metas in a gallery, in pages',
    parameters: z.object({ ...pageParameters, gallery }),
    refusals: ['NOT_FOUND'],
  },
  ({ core }, call) => metasPage(core, call, { gallery: call.params.gallery }),
)

async function metasPage(
  core: Core,
  { caller, params, origin, path }: OperationCall<PageParameters>,
  within: { gallery?: string } = {},
): Promise<Response> {
  const question = { owner: caller.owner, ...pageQuestion(params), ...within }
  const { metas, newer, older } = (await core.ask('metas.page', question)).answer
  const page = { faces: metas.map(({ face }) => face), newer, older }
  return answer({
    results: metas.map(entry => ({ ...entry, face: withLinks(entry.face, origin) })),
    ...pageLinks(path, page, params, pageQuery(params)),
  })
}

const MATCHED =
  'The meta is matched letter by letter. In the path it is URL-encoded, with %20 for a space. Without it in the path, ' +
  '`meta` is a parameter.'

const byMeta = {
  topic: 'Faces',
  details: MATCHED,
  path: '/face/meta/:meta',
  aliases: ['/faces/meta/:meta', '/face/meta', '/faces/meta'],
} as const

const byGalleryAndMeta = {
  topic: 'Faces',
  details: MATCHED,
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
  answer: z.strictObject({ results: z.array(FaceSchema) }),
} as const

export const facesWithMeta = operation(
  {
    ...byMeta,
    ...listed,
    name: 'facesWithMeta',
    needs: 'read',
    summary: 'All faces with a meta, newest first',
    parameters: z.object({ meta: metaToFind }),
  },
  ({ core }, { caller, params, origin }) =>
    facesStreamed(core, { owner: caller.owner, meta: params.meta }, origin),
)

export const galleryFacesWithMeta = operation(
  {
    ...byGalleryAndMeta,
    ...listed,
    name: 'galleryFacesWithMeta',
    needs: 'read',
    summary: 'The faces of a gallery with a meta, newest first',
    parameters: z.object({ gallery, meta: metaToFind }),
  },
  ({ core }, { caller, params: { gallery, meta }, origin }) =>
    facesStreamed(core, { owner: caller.owner, gallery, meta }, origin),
)

const facesStreamed = async (
  core: Core,
  question: StreamQuestion<'faces.with-meta'>,
  origin: string,
): Promise<Response> =>
  streamedAnswer(await core.stream('faces.with-meta', question), face => withLinks(face, origin))

const deletion = { needs: 'administer', method: 'delete', status: 204 } as const

export const deleteFacesWithMeta = operation(
  {
    ...byMeta,
    ...deletion,
    name: 'deleteFacesWithMeta',
    summary: 'Forget all faces with a meta',
    parameters: z.object({ meta: metaToDelete }),
  },
  ({ core }, { caller, params: { meta } }) => facesDeleted(core, { ...changedBy(caller), meta }),
)

export const deleteGalleryFacesWithMeta = operation(
  {
    ...byGalleryAndMeta,
    ...deletion,
    name: 'deleteGalleryFacesWithMeta',
    summary: 'Forget the faces of a gallery with a meta',
    details: `The faces are gone from every gallery. Faces with this meta that are not in the gallery stay. ${MATCHED}`,
    parameters: z.object({ gallery, meta: metaToDelete }),
  },
  ({ core }, { caller, params: { gallery, meta } }) =>
    facesDeleted(core, { ...changedBy(caller), gallery, meta }),
)

async function facesDeleted(core: Core, question: Question<'faces.delete-with-meta'>): Promise<Response> {
  await core.ask('faces.delete-with-meta', question)
  return noContent()
}
