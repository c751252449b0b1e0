/** GET /faces: all faces of the owner, newest first, in pages. */
import * as z from 'zod'
import { FaceSchema } from '../../core/contract/face.ts'
import { LIMITS } from '../../core/contract/limits.ts'
import { integer, optional } from '../fields.ts'
import { PageLinks, pageLinks, withLinks } from '../links.ts'
import { operation } from '../operation.ts'
import { answer } from '../route.ts'

const id = integer(0, Number.MAX_SAFE_INTEGER)

const PageParameters = z.object({
  max_id: optional(id),
  min_id: optional(id),
  limit: optional(integer(1, LIMITS.pageSize)),
})

export const listFaces = operation(
  {
    name: 'listFaces',
    method: 'get',
    path: '/faces',
    topic: 'Faces',
    summary: 'All faces, newest first, in pages',
    parameters: PageParameters,
    status: 200,
    answer: z.strictObject({ results: z.array(FaceSchema), ...PageLinks }),
  },
  async ({ core }, { caller, params, origin, path }) => {
    const question = {
      owner: caller.owner,
      limit: params.limit ?? LIMITS.defaultPageSize,
      ...(params.max_id === undefined ? {} : { maxId: params.max_id }),
      ...(params.min_id === undefined ? {} : { minId: params.min_id }),
    }
    const page = (await core.ask('faces.page', question)).answer
    const kept: Record<string, number> = params.limit === undefined ? {} : { limit: params.limit }
    return answer({
      results: page.faces.map(face => withLinks(face, origin)),
      ...pageLinks(path, page, kept),
    })
  },
)
