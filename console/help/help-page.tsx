/** A page of the documentation. */
import { PageHead } from '../components/page.tsx'
import { Loaded } from '../components/state.tsx'
import { serviceUrl } from '../connection/service.ts'
import { useTask } from '../connection/task.ts'
import type { Route, Setting } from '../route.ts'
import { TEXTS } from '../texts.ts'
import { Markdown } from './markdown.tsx'

/** The list of all pages. */
const ALL = 'README'

const OF_PAGES: Partial<Record<Route['page'], string>> = {
  ...{ try: 'accuracy', compare: 'accuracy', check: 'accuracy', face: 'accuracy' },
  ...{ galleries: 'console', gallery: 'console', persons: 'console', person: 'console' },
  ...{ events: 'cameras', cameras: 'cameras', camera: 'cameras', 'new camera': 'cameras' },
  ...{ alerts: 'alerts', alert: 'alerts', 'new alert': 'alerts', service: 'administration' },
}

const OF_SETTINGS: Record<Setting, string> = {
  ...{ general: 'console', persons: 'console', privacy: 'data-protection', notifications: 'alerts' },
  backup: 'backup',
}

/** The page of the documentation that matches a page of the console. */
export const helpOf = (route: Route): string =>
  (route.page === 'settings' ? OF_SETTINGS[route.section ?? 'general'] : OF_PAGES[route.page]) ?? ALL

export function HelpPage({ name }: { name: string }) {
  const page = useTask(
    async signal => {
      const response = await fetch(`${serviceUrl(location.href)}/console/${name}.md`, { signal })
      if (response.status === 404) throw TEXTS.help.missing
      if (!response.ok) throw TEXTS.errors.network
      return response.text()
    },
    [name],
  )
  return (
    <>
      <PageHead back={{ route: { page: 'help', name: ALL }, text: TEXTS.help.all }} />
      <Loaded task={page}>
        {text => (
          <article class="card stack help">
            <Markdown text={text} />
          </article>
        )}
      </Loaded>
    </>
  )
}
