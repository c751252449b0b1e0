/** Serves pictures by signed links. */
import { Hono } from 'hono'
import { ServiceError } from '../../contract/errors.ts'
import type { Services } from '../operations/services.ts'
import { openLink } from '../pictures/links.ts'
import { PICTURES } from '../pictures/pictures.ts'

/** GET of path and query of a link. NOT_FOUND for an invalid link, an expired link, or a deleted face. */
export function pictureRoutes({ links, pictures, now }: Pick<Services, 'links' | 'pictures' | 'now'>): Hono {
  return new Hono().get('/pictures/*', async context => {
    const { pathname, search } = new URL(context.req.url)
    const open = openLink(links(), pathname + search, now())
    const bytes = open && (await pictures.read(open.key, open.kind))
    if (!bytes) throw new ServiceError('NOT_FOUND')
    return context.body(bytes, 200, {
      'content-type': PICTURES[open.kind].type,
      'x-content-type-options': 'nosniff',
      // A cache would serve pictures of deleted faces.
      'cache-control': 'private, no-store',
    })
  })
}
