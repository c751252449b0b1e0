/** Addresses of the pages: the part after `#`, which the browser sends to no server. */

export type Route =
  | { page: 'try' }
  | { page: 'compare' }
  | { page: 'galleries' }
  /** `query` holds the filter. */
  | { page: 'gallery'; name: string; query?: string }

/** The route of a location's hash. Unknown ones lead to the first page. */
export function routeOf(hash: string): Route {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split('?')
  const [page = '', name = ''] = path.split('/')
  if (page === 'compare') return { page }
  if (page === 'galleries' && name === '') return { page }
  if (page === 'galleries')
    return { page: 'gallery', name: decoded(name), ...(query === '' ? {} : { query }) }
  return { page: 'try' }
}

/** The hash of a route. */
export const hashOf = (route: Route): string =>
  route.page === 'gallery'
    ? `#/galleries/${encodeURIComponent(route.name)}${route.query ? `?${route.query}` : ''}`
    : `#/${route.page}`

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
