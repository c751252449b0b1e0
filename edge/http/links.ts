/** Links in responses: picture URLs that an `<img>` can load, and links to other pages of a list. */
import * as z from 'zod'
import type { Face } from '../../contract/model/face.ts'

/** The face with absolute picture links. */
export const withLinks = (face: Face, origin: string): Face => ({
  ...face,
  thumbnail: face.thumbnail && origin + face.thumbnail,
  normalized: face.normalized && origin + face.normalized,
})

/** A path with one slash at its beginning. Clients make `//v1/faces` of a base URL with a slash at its end. */
export const withOneSlash = (path: string): string => path.replace(/^\/+/, '/')

/** Path of a request, as links to other pages repeat it. */
export const linkPath = ({ url }: Pick<Request, 'url'>): string => withOneSlash(new URL(url).pathname)

export interface Page {
  faces: readonly { id: number }[]
  newer: boolean
  older: boolean
}

const link = z.string().nullable()

/** The links beside a page's results: path and query, null where there is no further page. */
export const PageLinks = { prev_page: link, next_page: link }

/** Bounds that the caller set for a page. Both are exclusive. */
export interface PageBounds {
  max_id?: number | undefined
  min_id?: number | undefined
}

/**
 * Links to the pages before and after this one; null at the ends. Both links keep `query`. The neighbours of a page without
 * faces begin at its bounds.
 */
export function pageLinks(
  path: string,
  page: Page,
  { max_id = 0, min_id = 0 }: PageBounds,
  query: Record<string, string | number>,
) {
  const link = (key: string, id: number): string =>
    `${path}?${new URLSearchParams({ ...(query as Record<string, string>), [key]: String(id) })}`
  return {
    prev_page: page.newer ? link('min_id', page.faces[0]?.id ?? Math.max(0, max_id - 1)) : null,
    next_page: page.older ? link('max_id', page.faces.at(-1)?.id ?? min_id + 1) : null,
  }
}
