/** GET /pictures/...: thumbnails and normalized faces behind signed links, which core checks. */
import { ServiceError } from '../../core/contract/errors.ts'
import type { EdgeServices } from '../deps.ts'
import type { EdgeContext } from './route.ts'

export const pictures =
  ({ core }: EdgeServices) =>
  async (context: EdgeContext): Promise<Response> => {
    const { pathname, search } = new URL(context.req.url)
    // Routes are matched before dot segments are resolved, and core has other doors than this one.
    if (!pathname.startsWith('/pictures/')) throw new ServiceError('NOT_FOUND')
    const picture = await core.picture(pathname + search)
    return new Response(picture.body, picture)
  }
