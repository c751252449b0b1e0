/** Serves pictures by signed links. */
import { Hono } from 'hono'
import { ServiceError } from '../../contract/errors.ts'
import { faceCount } from '../metadata/faces/faces.ts'
import type { Services } from '../operations/services.ts'
import { openLink } from '../pictures/links.ts'
import { PICTURES } from '../pictures/pictures.ts'

/** GET of path and query of a link. NOT_FOUND for an invalid link, an expired link, or a deleted face, also while its pictures are removed. */
export function pictureRoutes({
  database,
  links,
  pictures,
  now,
}: Pick<Services, 'database' | 'links' | 'pictures' | 'now'>): Hono {
  return new Hono().get('/pictures/*', async context => {
    const { pathname, search } = new URL(context.req.url)
    const open = openLink(links(), pathname + search, now())
    const found = open && (await faceCount(database, open.key.owner, { id: open.key.id }))
    const bytes = found && (await pictures.read(open.key, open.kind))
    if (!bytes) throw new ServiceError('NOT_FOUND')
    const part = partOf(bytes.length, context.req.header('range'))
    const headers = {
      'content-type': PICTURES[open.kind].type,
      'x-content-type-options': 'nosniff',
      // A cache would serve pictures of deleted faces.
      'cache-control': 'private, no-store',
      'accept-ranges': 'bytes',
    }
    if (!part) return context.body(bytes, 200, headers)
    const { first, last } = part
    const range = `bytes ${first}-${last}/${bytes.length}`
    return context.body(bytes.subarray(first, last + 1), 206, { ...headers, 'content-range': range })
  })
}

/** The part that a header asks for, as players of clips do. Undefined for the whole. */
function partOf(length: number, range: string | undefined): { first: number; last: number } | undefined {
  const [, from, to] = /^bytes=(\d{1,9})-(\d{0,9})$/.exec(range ?? '') ?? []
  if (from === undefined || Number(from) >= length) return undefined
  const last = to ? Math.min(Number(to), length - 1) : length - 1
  return last < Number(from) ? undefined : { first: Number(from), last }
}
