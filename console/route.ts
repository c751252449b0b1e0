/** Addresses of the pages: the part after `#`, which the browser sends to no server. */

export type Route =
  | { page: 'try' }
  | { page: 'compare' }
  | { page: 'galleries' }
  | { page: 'events' }
  | { page: 'gallery'; name: string }

/** The route of a location's hash. Unknown ones lead to the first page. */
export function routeOf(hash: string): Route {
  const [page = '', name = ''] = hash.replace(/^#\/?/, '').split('/')
  if (page === 'compare' || page === 'events') return { page }
  if (page === 'galleries') return name === '' ? { page } : { page: 'gallery', name: decoded(name) }
  return { page: 'try' }
}

/** The hash of a route. */
export const hashOf = (route: Route): string =>
  route.page === 'gallery' ? `#/galleries/${encodeURIComponent(route.name)}` : `#/${route.page}`

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
