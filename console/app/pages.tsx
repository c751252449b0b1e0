/** The pages of a signed-in visitor: header with the pages that the token allows, the page of the address, footer. */
import { useEffect, useState } from 'preact/hooks'
import { useService } from '../connection/context.ts'
import { useStore } from '../connection/store.ts'
import { type Permission, useToken } from '../connection/token.ts'
import { GalleriesPage } from '../galleries/galleries-page.tsx'
import { GalleryPage } from '../galleries/gallery-page.tsx'
import { OperatorPage } from '../operator/operator-page.tsx'
import { hashOf, type Route, routeOf } from '../route.ts'
import { TEXTS } from '../texts.ts'
import { ComparePage } from '../try/compare-page.tsx'
import { TryPage } from '../try/try-page.tsx'
import { Documents } from './documents.tsx'
import { Mark } from './mark.tsx'

interface Link {
  page: 'try' | 'compare' | 'galleries' | 'service'
  /** Permission without which the token cannot use the page. */
  needs: Permission
}

const LINKS: readonly Link[] = [
  { page: 'try', needs: 'read' },
  { page: 'compare', needs: 'read' },
  { page: 'galleries', needs: 'read' },
  { page: 'service', needs: 'administer' },
]

export function Pages({ onSignOut }: { onSignOut: () => void }) {
  const { permissions } = useToken()
  const links = LINKS.filter(({ needs }) => permissions.includes(needs))
  const asked = useRoute()
  const [first] = links
  const route = links.some(({ page }) => isWithin(asked, page)) || !first ? asked : { page: first.page }
  const isOnline = useStore(useService().isOnline)
  return (
    <>
      <button type="button" class="skip" onClick={() => document.getElementById('content')?.focus()}>
        {TEXTS.navigation.skip}
      </button>
      <header class="site-head">
        <a class="wordmark" href={hashOf({ page: first?.page ?? 'try' })}>
          <Mark /> {TEXTS.name}
        </a>
        <nav aria-label={TEXTS.navigation.label}>
          {links.map(({ page }) => (
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
        {first ? <Page route={route} /> : <NoPages />}
      </main>
      <Documents />
    </>
  )
}

function Page({ route }: { route: Route }) {
  if (route.page === 'compare') return <ComparePage />
  if (route.page === 'galleries') return <GalleriesPage />
  if (route.page === 'gallery') return <GalleryPage key={route.name} name={route.name} />
  if (route.page === 'service') return <OperatorPage section={route.section ?? 'tokens'} />
  return <TryPage />
}

/** For a token whose scope allows none of the pages. */
function NoPages() {
  const { scope } = useToken()
  return (
    <header class="page-head">
      <h1>{TEXTS.noPages.title}</h1>
      <p>{TEXTS.noPages.text(scope)}</p>
    </header>
  )
}

const isWithin = (route: Route, page: Link['page']): boolean =>
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
