/** The pages of a signed-in visitor: header, the page of the address, footer. */
import { useEffect, useState } from 'preact/hooks'
import { useService } from '../connection/context.ts'
import { useStore } from '../connection/store.ts'
import { EventsPage } from '../events/events-page.tsx'
import { GalleriesPage } from '../galleries/galleries-page.tsx'
import { GalleryPage } from '../galleries/gallery-page.tsx'
import { hashOf, type Route, routeOf } from '../route.ts'
import { TEXTS } from '../texts.ts'
import { ComparePage } from '../try/compare-page.tsx'
import { TryPage } from '../try/try-page.tsx'
import { Documents } from './documents.tsx'
import { Mark } from './mark.tsx'

const LINKS = ['try', 'compare', 'galleries', 'events'] as const

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
  if (route.page === 'events') return <EventsPage />
  if (route.page === 'galleries') return <GalleriesPage />
  if (route.page === 'gallery') return <GalleryPage key={route.name} name={route.name} />
  return <TryPage />
}

const isWithin = (route: Route, page: (typeof LINKS)[number]): boolean =>
  route.page === page || (route.page === 'gallery' && page === 'galleries')

/** The route of the address. A new page begins at its top. */
function useRoute(): Route {
  const [hash, setHash] = useState(location.hash)
  useEffect(() => {
    const follow = () => {
      setHash(location.hash)
      scrollTo(0, 0)
    }
    addEventListener('hashchange', follow)
    return () => removeEventListener('hashchange', follow)
  }, [])
  return routeOf(hash)
}
