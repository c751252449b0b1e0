/** Pictures over HTTP, for whoever holds an open link. */
import { Hono } from 'hono'
import { ServiceError } from '../contract/errors.ts'
import type { Services } from '../operations/services.ts'
import { openLink } from '../pictures/links.ts'
import { PICTURES } from '../pictures/pictures.ts'

/** GET of a link's path and query. Wrong, expired, and of a face that is gone: all of these are NOT_FOUND. */
export function pictureRoutes({ links, pictures, now }: Pick<Services, 'links' | 'pictures' | 'now'>): Hono {
  return new Hono().get('/pictures/*', async context => {
    const { pathname, search } = new URL(context.req.url)
    const open = openLink(links(), pathname + search, now())
    const bytes = open && (await pictures.read(open.key, open.kind))
    if (!bytes) throw new ServiceError('NOT_FOUND')
    return context.body(bytes, 200, {
      'content-type': PICTURES[open.kind].type,
      'x-content-type-options': 'nosniff',
      // A cache would show the picture of a face that was deleted meanwhile.
      'cache-control': 'private, no-store',
    })
  })
}
