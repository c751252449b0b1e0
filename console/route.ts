/** Addresses of the pages: the part after `#`, which the browser sends to no server. */

export type Route =
  | { page: 'try' }
  | { page: 'compare' }
  | { page: 'galleries' }
  | { page: 'persons' }
  | { page: 'person'; id: number }
  | { page: 'face'; id: number }
  /** `query` holds the filter. */
  | { page: 'gallery'; name: string; query?: string }
  | { page: 'check'; name: string }
  /** `query` holds the filter and the opened event. */
  | { page: 'events'; query?: string }
  | { page: 'cameras' }
  | { page: 'camera'; id: string }
  | { page: 'new camera' }
  /** `event` has the alerts that are shown. */
  | { page: 'alerts'; event?: number }
  | { page: 'alert'; id: string }
  | { page: 'new alert' }
  | { page: 'service'; section?: Section }
  | { page: 'settings'; section?: Setting }
  /** `section` is the id of a heading. */
  | { page: 'help'; name: string; section?: string }

/** Parts of the page for operators. */
export const SECTIONS = ['tokens', 'people', 'audit-log', 'state'] as const

export type Section = (typeof SECTIONS)[number]

/** Parts of the settings. */
export const SETTINGS = ['general', 'persons', 'privacy', 'notifications', 'backup'] as const

export type Setting = (typeof SETTINGS)[number]

/** Parts of the settings that had other addresses below `service`. */
const MOVED: Readonly<Record<string, Setting>> = {
  persons: 'persons',
  retention: 'privacy',
}

/** The route of a location's hash. Unknown ones lead to the first page. */
export function routeOf(hash: string): Route {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split('?')
  const [page = '', name = '', part = ''] = path.split('/')
  if (page === 'compare') return { page }
  if (page === 'events') return { page, query }
  if (page === 'galleries' && name === '') return { page }
  if (page === 'galleries' && part === 'check') return { page: part, name: decodePart(name) }
  if (page === 'galleries')
    return { page: 'gallery', name: decodePart(name), ...(query === '' ? {} : { query }) }
  if (page === 'cameras') return cameraRoute(decodePart(name))
  if (page === 'alerts') return alertRoute(name, /^event_id=(\d{1,16})$/.exec(query)?.[1])
  if (page === 'persons') return /^\d{1,16}$/.test(name) ? { page: 'person', id: Number(name) } : { page }
  if (page === 'faces' && /^\d{1,16}$/.test(name)) return { page: 'face', id: Number(name) }
  if (page === 'help' && name !== '') return helpRoute(decodePart(name), decodePart(part))
  if (page === 'settings') return settingsRoute(name)
  if (page === 'service') return serviceRoute(name)
  return { page: 'try' }
}

/** The hash of a route. */
export function hashOf(route: Route): string {
  if (route.page === 'person') return `#/persons/${route.id}`
  if (route.page === 'help')
    return ['#/help', route.name, route.section].filter(Boolean).map(encodedPart).join('/')
  if (route.page === 'face') return `#/faces/${route.id}`
  if (route.page === 'gallery')
    return `#/galleries/${encodeURIComponent(route.name)}${route.query ? `?${route.query}` : ''}`
  if (route.page === 'events' && route.query) return `#/events?${route.query}`
  if (route.page === 'check') return `#/galleries/${encodeURIComponent(route.name)}/check`
  if ((route.page === 'service' || route.page === 'settings') && route.section)
    return `#/${route.page}/${route.section}`
  if (route.page === 'camera') return `#/cameras/${encodeURIComponent(route.id)}`
  if (route.page === 'alert') return `#/alerts/${route.id}`
  if (route.page === 'new alert') return `#/alerts/${NEW}`
  return route.page === 'new camera' ? `#/cameras/${NEW}` : `#/${route.page}`
}

/** True when the visitor has come to the present entry of the history before. */
let isKnown = false

export const isReturn = (): boolean => isKnown

/** Called once for each entry that the visitor comes to. */
export function enterRoute(): void {
  isKnown = history.state !== null
  history.replaceState(true, '')
}

const encodedPart = (part: string | undefined, i: number) => (i === 0 ? part! : encodeURIComponent(part!))

/** Stands for the id of a camera or a rule that does not exist yet. */
const NEW = 'new'

const helpRoute = (name: string, section: string): Route => ({
  page: 'help',
  name,
  ...(section !== '' && { section }),
})

const settingsRoute = (name: string): Route => ({
  page: 'settings',
  section: SETTINGS.find(known => known === name) ?? 'general',
})

const serviceRoute = (name: string): Route =>
  Object.hasOwn(MOVED, name)
    ? { page: 'settings', section: MOVED[name] }
    : { page: 'service', section: SECTIONS.find(known => known === name) ?? 'tokens' }

function cameraRoute(id: string): Route {
  if (id === '') return { page: 'cameras' }
  return id === NEW ? { page: 'new camera' } : { page: 'camera', id }
}

function alertRoute(id: string, event: string | undefined): Route {
  if (id === NEW) return { page: 'new alert' }
  if (/^[0-9a-f]{32}$/.test(id)) return { page: 'alert', id }
  return { page: 'alerts', ...(event !== undefined && { event: Number(event) }) }
}

function decodePart(text: string) {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
