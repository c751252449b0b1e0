/** The pages of a signed-in visitor: header, the page of the address, footer. */
import { useEffect, useState } from 'preact/hooks'
import { useService } from '../connection/context.ts'
import { useStore } from '../connection/store.ts'
import { GalleriesPage } from '../galleries/galleries-page.tsx'
import { GalleryPage } from '../galleries/gallery-page.tsx'
import { PersonPage } from '../persons/person-page.tsx'
import { PersonsPage } from '../persons/persons-page.tsx'
import { hashOf, type Route, routeOf } from '../route.ts'
import { TEXTS } from '../texts.ts'
import { ComparePage } from '../try/compare-page.tsx'
import { TryPage } from '../try/try-page.tsx'
import { Documents } from './documents.tsx'
import { Mark } from './mark.tsx'

const LINKS = ['try', 'compare', 'galleries', 'persons'] as const

/** The link of a page below another one. */
const ABOVE: Partial<Record<Route['page'], (typeof LINKS)[number]>> = {
  gallery: 'galleries',
  person: 'persons',
}

export function Pages({ onSignOut }: { onSignOut: () => void }) {
  const route = useRoute()
  const isOnline = useStore(useService().isOnline)
  return (
    <>
      <button type="button" class="skip" onClick={() => document.getElementById('content')?.focus()}>
        {TEXTS.navigation.skip}
      </button>
      <header class="site-head">
        <a class="wordmark" href={hashOf({ page: 'try' })}>
          <Mark /> {TEXTS.name}
        </a>
        <nav aria-label={TEXTS.navigation.label}>
          {LINKS.map(page => (
            <a key={page} href={hashOf({ page })} aria-current={isWithin(route, page) ? 'page' : undefined}>
              {TEXTS.navigation[page]}
            </a>
          ))}
        </nav>
        <button type="button" class="quiet" onClick={onSignOut}>
          {TEXTS.navigation.signOut}
        </button>
      </header>
      <div class="connection" role="status">
        {!isOnline && <p>{TEXTS.connection.lost}</p>}
      </div>
      <main id="content" tabIndex={-1}>
        <Page route={route} />
      </main>
      <Documents />
    </>
  )
}

function Page({ route }: { route: Route }) {
  if (route.page === 'compare') return <ComparePage />
  if (route.page === 'galleries') return <GalleriesPage />
  if (route.page === 'gallery')
    return <GalleryPage key={route.name} name={route.name} query={route.query ?? ''} />
  if (route.page === 'persons') return <PersonsPage />
  if (route.page === 'person') return <PersonPage key={route.id} id={route.id} />
  return <TryPage />
}

const isWithin = (route: Route, page: (typeof LINKS)[number]): boolean =>
  route.page === page || ABOVE[route.page] === page

/** The route of the address. A new page begins at its top; a filter is no new page. */
function useRoute(): Route {
  const [hash, setHash] = useState(location.hash)
  useEffect(() => {
    let page = pageOf(location.hash)
    const follow = () => {
      setHash(location.hash)
      if (page !== pageOf(location.hash)) scrollTo(0, 0)
      page = pageOf(location.hash)
    }
    addEventListener('hashchange', follow)
    return () => removeEventListener('hashchange', follow)
  }, [])
  return routeOf(hash)
}

/** The part of a hash before its query. */
const pageOf = (hash: string): string => hash.replace(/\?.*/, '')
