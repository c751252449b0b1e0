/** GET /faces and GET /faces/gallery/<gallery>: pages of faces, newest first, filtered by meta, person, camera, time and friend. */
import * as z from 'zod'
import { FaceSchema } from '../../contract/model/face.ts'
import type { HistoryFilter } from '../../contract/model/history.ts'
import type { Core } from '../core-client/core-client.ts'
import { PageLinks, pageLinks, withLinks } from '../http/links.ts'
import { pageParameters, pageQuery, pageRequest } from '../http/pagination.ts'
import { filterOf, filterQuery, sightingParameters, timeParameters } from '../parameters/event-filter.ts'
import { metaToFind } from '../parameters/meta.ts'
import { omitUndefined } from '../parameters/omit-undefined.ts'
import { cameraFilter, gallery, withDefault } from '../parameters/parameter-fields.ts'
import { operation } from './operation.ts'
import { jsonResponse, type OperationCall } from './route.ts'

const filterParameters = {
  meta: metaToFind.optional().describe('Faces with exactly this meta; empty for faces without a meta.'),
  ...sightingParameters,
  cam_id: withDefault(cameraFilter, []),
  ...timeParameters,
}

const FacesParameters = z.object({ ...pageParameters, ...filterParameters })
type FacesParameters = z.output<typeof FacesParameters>

const paged = {
  method: 'get',
  topic: 'Faces',
  details:
    'All given filters must hold. `start` and `end` are inclusive, and refer to the `timestamp` of a face. `friend` is the field ' +
    'of a face. Links to other pages keep the filters.',
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
    parameters: FacesParameters,
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
    parameters: FacesParameters.extend({ gallery }),
    refusals: ['NOT_FOUND'],
  },
  ({ core }, call) => facesPage(core, call, { gallery: call.params.gallery }),
)

async function facesPage(
  core: Core,
  { caller, params, origin, path }: OperationCall<FacesParameters>,
  scope: { gallery?: string } = {},
): Promise<Response> {
  const question = { owner: caller.owner, ...pageRequest(params), ...scope, ...filterRequest(params) }
  const page = (await core.call('faces.page', question)).answer
  return jsonResponse({
    results: page.faces.map(face => withLinks(face, origin)),
    ...pageLinks(path, page, params, { ...pageQuery(params), ...facesQuery(params) }),
  })
}

/** The filter as fields of an RPC request. Without a filter there are none: a core of an older version understands them. */
function filterRequest({ meta, cam_id, ...params }: FacesParameters): {
  meta?: string
  filter?: HistoryFilter
} {
  const filter = filterOf(cam_id, params)
  const filters = cam_id.length > 0 || Object.keys(filter).length > 1
  return { ...omitUndefined('meta', meta), ...(filters ? { filter } : {}) }
}

/** The filter as fields of a query. */
const facesQuery = ({ meta, cam_id, ...params }: FacesParameters): Record<string, string> => ({
  ...omitUndefined('meta', meta),
  ...filterQuery({ cam_id }, params),
})
