/** Addresses of the pages: the part after `#`, which the browser sends to no server. */

export type Route =
  | { page: 'try' }
  | { page: 'compare' }
  | { page: 'galleries' }
  | { page: 'gallery'; name: string }
  | { page: 'service'; section?: Section }

/** Parts of the page for operators. */
export const SECTIONS = ['tokens', 'retention', 'audit-log', 'calibration', 'state'] as const

export type Section = (typeof SECTIONS)[number]

/** The route of a location's hash. Unknown ones lead to the first page. */
export function routeOf(hash: string): Route {
  const [page = '', name = ''] = hash.replace(/^#\/?/, '').split('/')
  if (page === 'compare') return { page }
  if (page === 'galleries') return name === '' ? { page } : { page: 'gallery', name: decoded(name) }
  if (page === 'service') return { page, section: SECTIONS.find(known => known === name) ?? 'tokens' }
  return { page: 'try' }
}

/** The hash of a route. */
export function hashOf(route: Route): string {
  if (route.page === 'gallery') return `#/galleries/${encodeURIComponent(route.name)}`
  if (route.page === 'service' && route.section) return `#/service/${route.section}`
  return `#/${route.page}`
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
