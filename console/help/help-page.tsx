/** A page of the documentation. */
import { useEffect } from 'preact/hooks'
import { PageHead } from '../components/page.tsx'
import { Loaded } from '../components/state.tsx'
import { useTask } from '../connection/task.ts'
import type { Route, Setting } from '../route.ts'
import { TEXTS } from '../texts.ts'
import { GUIDE, loadDocument } from './documents.ts'
import { Markdown } from './markdown.tsx'

/** The list of all pages. */
const ALL = 'README'

/** A page, and the id of a heading. */
type Target = readonly [name: string, section?: string]

const OF_PAGES: Partial<Record<Route['page'], Target>> = {
  try: [GUIDE, 'enrol-people'],
  compare: ['accuracy'],
  check: [GUIDE, 'mistakes'],
  face: [GUIDE, 'mistakes'],
  galleries: [GUIDE, 'enrol-people'],
  gallery: [GUIDE, 'enrol-people'],
  persons: [GUIDE, 'mistakes'],
  person: [GUIDE, 'mistakes'],
  events: [GUIDE, 'evidence'],
  cameras: [GUIDE, 'cameras'],
  camera: ['cameras'],
  'new camera': [GUIDE, 'cameras'],
  alerts: [GUIDE, 'alerts'],
  alert: ['alerts'],
  'new alert': ['alerts'],
  service: ['administration'],
}

const OF_SETTINGS: Record<Setting, Target> = {
  general: [GUIDE],
  persons: [GUIDE],
  privacy: ['data-protection'],
  notifications: [GUIDE, 'alerts'],
  backup: ['backup'],
}

/** The page of the documentation that matches a page of the console. */
export function helpOf(route: Route): Route & { page: 'help' } {
  const target = route.page === 'settings' ? OF_SETTINGS[route.section ?? 'general'] : OF_PAGES[route.page]
  const [name, section] = target ?? [GUIDE]
  return { page: 'help', name, section }
}

export function HelpPage({ name, section }: { name: string; section: string | undefined }) {
  const page = useTask(signal => loadDocument(name, signal), [name])
  useEffect(() => {
    if (page.value !== undefined && section !== undefined) document.getElementById(section)?.scrollIntoView()
  }, [page.value, section])
  return (
    <>
      <PageHead back={{ route: { page: 'help', name: ALL }, text: TEXTS.help.all }} />
      <Loaded task={page}>
        {text => (
          <article class="card stack help">
            <Markdown text={text} page={name} />
          </article>
        )}
      </Loaded>
    </>
  )
}
