/** GET /pictures/...: thumbnails and normalized pictures. Core checks the signature of the link. */
import { ServiceError } from '../../contract/errors.ts'
import type { EdgeServices } from '../deps.ts'
import type { EdgeContext } from './route.ts'

export const pictures =
  ({ core }: EdgeServices) =>
  async (context: EdgeContext): Promise<Response> => {
    const { pathname, search } = new URL(context.req.url)
    // Routes match before dot segments are resolved. Without this check, a path could reach other endpoints of core.
    if (!pathname.startsWith('/pictures/')) throw new ServiceError('NOT_FOUND')
    const picture = await core.picture(pathname + search)
    return new Response(picture.body, picture)
  }
