/** GET /pictures/...: thumbnails and normalized faces behind signed links, which core checks. */
import type { Deps } from '../deps.ts'
import type { EdgeContext } from '../route.ts'

export const pictures =
  ({ core }: Deps) =>
  async (context: EdgeContext): Promise<Response> => {
    const { pathname, search } = new URL(context.req.url)
    const picture = await core.picture(pathname + search)
    return new Response(picture.body, picture)
  }
