/** The pages of a signed-in visitor: header with the pages that the token allows, the page of the address, footer. */
import { useEffect, useRef, useState } from 'preact/hooks'
import { AlertPage, AlertsPage, NewAlertPage } from '../alerts/alerts-page.tsx'
import { useNotifications } from '../alerts/notifications.tsx'
import { CameraPage, CamerasPage, NewCameraPage } from '../cameras/cameras-page.tsx'
import { PageHead, Wordmark } from '../components/page.tsx'
import { useService, useStore } from '../connection/service.ts'
import { type Permission, useTabs, useToken } from '../connection/session.ts'
import { EventsPage } from '../events/events-page.tsx'
import { FacePage } from '../faces/face-details.tsx'
import { formatCount } from '../format.ts'
import { CheckPage } from '../galleries/check-page.tsx'
import { interruptedEnrolment } from '../galleries/enrolment-memory.ts'
import { GalleriesPage } from '../galleries/galleries-page.tsx'
import { GalleryPage } from '../galleries/gallery-page.tsx'
import { enrolment } from '../galleries/running-enrolment.ts'
import { HelpPage, helpOf } from '../help/help-page.tsx'
import { OperatorPage } from '../operator/operator-page.tsx'
import type { Merge } from '../persons/merge.ts'
import { PersonPage } from '../persons/person-page.tsx'
import { PersonsPage } from '../persons/persons-page.tsx'
import { enterRoute, hashOf, type Route, routeOf } from '../route.ts'
import { SettingsPage } from '../settings/settings-page.tsx'
import { TEXTS } from '../texts.ts'
import { ComparePage } from '../try/compare-page.tsx'
import { TryPage } from '../try/try-page.tsx'
import { PasskeyNotice } from './passkey-notice.tsx'
import { SiteSearch } from './site-search.tsx'

interface Link {
  page: 'try' | 'compare' | 'galleries' | 'persons' | 'events' | 'cameras' | 'alerts' | 'service' | 'settings'
  /** Permission without which the token cannot use the page. */
  needs: Permission
}

const LINKS: readonly Link[] = [
  { page: 'try', needs: 'read' },
  { page: 'compare', needs: 'read' },
  { page: 'galleries', needs: 'read' },
  { page: 'persons', needs: 'read' },
  { page: 'events', needs: 'read' },
  { page: 'cameras', needs: 'read_cameras' },
  { page: 'alerts', needs: 'read' },
  { page: 'service', needs: 'administer' },
  { page: 'settings', needs: 'read' },
]

export function Pages({ onSignOut }: { onSignOut: () => void }) {
  const { permissions } = useToken()
  const links = LINKS.filter(({ needs }) => permissions.includes(needs))
  const asked = useRoute()
  const [first] = links
  const isAllowed = asked.page === 'help' || links.some(({ page }) => isWithin(asked, page))
  const route = isAllowed || !first ? asked : { page: first.page }
  const service = useService()
  const isOnline = useStore(service.isOnline)
  const notice = useStore(service.notice)
  const hash = hashOf(route)
  useEffect(() => {
    if (notice && notice.hash !== hash) service.notice.set(undefined)
  }, [hash])
  useNotifications()
  return (
    <>
      <button type="button" class="skip" onClick={() => document.getElementById('content')?.focus()}>
        {TEXTS.navigation.skip}
      </button>
      <header class="row site-head">
        <a class="wordmark" href={hashOf({ page: first?.page ?? 'try' })}>
          <Wordmark />
        </a>
        <nav class="tabs grow" aria-label={TEXTS.navigation.label}>
          {links.map(({ page }) => (
            <NavigationLink key={page} page={page} isCurrent={isWithin(route, page)} />
          ))}
        </nav>
        {permissions.includes('read') && (
          <SiteSearch pages={links.map(({ page }) => ({ route: { page }, name: TEXTS.navigation[page] }))} />
        )}
        <a href={hashOf(helpOf(route))}>{TEXTS.help.link}</a>
        <button type="button" class="quiet" onClick={onSignOut}>
          {TEXTS.navigation.signOut}
        </button>
      </header>
      <div class="connection" role="status">
        {!isOnline && <p>{TEXTS.connection.lost}</p>}
      </div>
      <EnrolmentBar hash={hash} />
      <main id="content" class="stack" tabIndex={-1}>
        <PasskeyNotice />
        {notice?.hash === hash && <p role="status">{notice.text}</p>}
        {first || route.page === 'help' ? <Page route={route} /> : <NoPages />}
      </main>
    </>
  )
}

function Page({ route }: { route: Route }) {
  const [merge, setMerge] = useMerge()
  if (route.page === 'compare') return <ComparePage />
  if (route.page === 'events') return <EventsPage query={route.query} />
  if (route.page === 'galleries') return <GalleriesPage />
  if (route.page === 'gallery')
    return <GalleryPage key={route.name} name={route.name} query={route.query ?? ''} />
  if (route.page === 'check') return <CheckPage key={route.name} name={route.name} />
  if (route.page === 'persons') return <PersonsPage merge={merge} onMerge={setMerge} />
  if (route.page === 'person')
    return <PersonPage key={route.id} id={route.id} merge={merge} onMerge={setMerge} />
  if (route.page === 'face') return <FacePage key={route.id} id={route.id} />
  if (route.page === 'cameras') return <CamerasPage />
  if (route.page === 'new camera') return <NewCameraPage />
  if (route.page === 'camera') return <CameraPage key={route.id} id={route.id} />
  if (route.page === 'alerts') return <AlertsPage event={route.event} />
  if (route.page === 'new alert') return <NewAlertPage />
  if (route.page === 'alert') return <AlertPage key={route.id} id={route.id} />
  if (route.page === 'service') return <OperatorPage section={route.section ?? 'tokens'} />
  if (route.page === 'settings') return <SettingsPage section={route.section ?? 'general'} />
  if (route.page === 'help') return <HelpPage key={route.name} name={route.name} section={route.section} />
  return <TryPage />
}

/** The last merge. Any other change ends its way back. */
function useMerge(): [Merge | undefined, (merge: Merge) => void] {
  const { changes } = useService()
  const present = useStore(changes)
  const [done, setDone] = useState<{ merge: Merge; changes: number }>()
  const isLast = done && (done.merge.isUndoing || done.changes === present)
  return [isLast ? done.merge : undefined, merge => setDone({ merge, changes: changes.get() })]
}

/** The link of the current page scrolls into the navigation of a narrow window. */
function NavigationLink({ page, isCurrent }: { page: Link['page']; isCurrent: boolean }) {
  const link = useRef<HTMLAnchorElement>(null)
  // The number of alerts makes the navigation wider.
  const hasUnseen = useStore(useService().unseen) > 0
  useEffect(() => {
    if (isCurrent) link.current?.scrollIntoView({ block: 'nearest', inline: 'center' })
  }, [isCurrent, hasUnseen])
  return (
    <a
      ref={link}
      href={hashOf({ page })}
      aria-current={isCurrent ? 'page' : undefined}
      onFocus={() => link.current?.scrollIntoView({ block: 'nearest', inline: 'nearest' })}
    >
      {TEXTS.navigation[page]} {page === 'alerts' && <UnseenAlerts />}
    </a>
  )
}

/**
 * The running enrolment, or its end until the visitor has seen it, with a link to the gallery. After a reload, the interrupted one on
 * all pages but this one.
 */
function EnrolmentBar({ hash }: { hash: string }) {
  const running = useStore(enrolment)
  const interrupted = running ? undefined : interruptedEnrolment()
  const { settings } = running ?? interrupted ?? {}
  const progress = running?.progress ?? interrupted
  if (!settings || !progress || running?.isSeen) return null
  const { photos, done } = progress
  const gallery = hashOf({ page: 'gallery', name: settings.gallery })
  if (interrupted && gallery === hash) return null
  const state = running?.isPaused ? 'paused' : (running?.state ?? 'stopped')
  return (
    <p class="row centered small">
      <a href={gallery}>{TEXTS.enrol.bar[state](photos - done, running?.progress?.failures.length ?? 0)}</a>
      <progress value={done} max={photos} aria-label={TEXTS.enrol.progress} />
    </p>
  )
}

/** Milliseconds between two counts of the alerts. */
const COUNT_MS = 30_000

/** The number of unseen alerts. */
function UnseenAlerts() {
  const { client, unseen } = useService()
  const count = useStore(unseen)
  // The last count that this tab has told or was told. What another tab told is not sent back.
  const shared = useRef(count)
  const tell = useTabs<number>('unseen', told => {
    shared.current = told
    unseen.set(told)
  })
  useEffect(() => {
    if (unseen.get() === shared.current) return
    shared.current = unseen.get()
    tell(shared.current)
  }, [count])
  useEffect(() => {
    const load = () => void client.alerts.unseen().then(unseen.set, () => undefined)
    load()
    const timer = setInterval(load, COUNT_MS)
    return () => clearInterval(timer)
  }, [client])
  if (count === 0) return null
  return (
    <span class="badge danger solid" role="img" aria-label={TEXTS.alertHistory.unseenCount(count)}>
      {formatCount(count)}
    </span>
  )
}

/** For a token whose scope allows none of the pages. */
function NoPages() {
  const { scope } = useToken()
  return <PageHead title={TEXTS.noPages.title} intro={TEXTS.noPages.text(scope)} />
}

/** Links of the pages that the header does not name. */
const LINK_OF: Partial<Record<Route['page'], Link['page']>> = {
  gallery: 'galleries',
  check: 'galleries',
  person: 'persons',
  face: 'galleries',
  camera: 'cameras',
  'new camera': 'cameras',
  alert: 'alerts',
  'new alert': 'alerts',
}

const isWithin = ({ page }: Route, link: Link['page']) => (LINK_OF[page] ?? page) === link

/** The route of the address. A new page begins at its top; a filter is no new page. */
function useRoute(): Route {
  const [hash, setHash] = useState(location.hash)
  useEffect(() => {
    let page = pageOf(location.hash)
    enterRoute()
    const follow = () => {
      enterRoute()
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
const pageOf = (hash: string) => hash.replace(/\?.*/, '')
