/** The page Settings: shows one part at a time. */

import { useState } from 'preact/hooks'
import { NotificationsButton } from '../alerts/notifications.tsx'
import { SelectField } from '../components/fields.tsx'
import { DocumentLinks, PageHead, Sections } from '../components/page.tsx'
import { Loaded } from '../components/state.tsx'
import { Facts } from '../components/table.tsx'
import { useClient } from '../connection/service.ts'
import { type Permission, useAllowed, useToken } from '../connection/session.ts'
import { useTask } from '../connection/task.ts'
import { GUIDE } from '../help/documents.ts'
import { hashOf, SETTINGS, type Setting } from '../route.ts'
import { TEXTS } from '../texts.ts'
import { Backup } from './backup.tsx'
import { PersonSettings, SearchRecordSettings } from './person-settings.tsx'
import { Retention } from './retention.tsx'

const General = () => (
  <div class="cards few">
    <section class="card stack tight">
      <h2>{TEXTS.settings.appearance}</h2>
      <ThemeField />
    </section>
    <section class="card stack tight">
      <h2>{TEXTS.settings.elsewhere}</h2>
      {Object.entries(TEXTS.settings.places).map(([section, text]) => (
        <a key={section} href={hashOf({ page: 'help', name: GUIDE, section })}>
          {text}
        </a>
      ))}
    </section>
    <section class="card stack tight">
      <h2>{TEXTS.settings.reading}</h2>
      <a href={hashOf({ page: 'help', name: GUIDE })}>{TEXTS.help.guide}</a>
      <a href={hashOf({ page: 'help', name: 'README' })}>{TEXTS.help.all}</a>
      <DocumentLinks />
      {useAllowed('administer') && <Version />}
    </section>
  </div>
)

function Version() {
  const client = useClient()
  const service = useTask(signal => client.service.get({ signal }), [])
  return (
    <Loaded task={service}>
      {({ version, pack, later_version }) => (
        <>
          <Facts
            class="facts"
            facts={[
              [TEXTS.state.version, version],
              [TEXTS.state.pack, pack],
            ]}
          />
          {later_version && (
            <a href={hashOf({ page: 'help', name: 'upgrade' })}>{TEXTS.settings.later(later_version)}</a>
          )}
        </>
      )}
    </Loaded>
  )
}

/** Key of the local storage. console/theme.ts reads it before the page is shown. */
const KEY = 'mien.theme'

/** The choice between light, dark, and the theme of the system. It stays in this browser. */
function ThemeField() {
  const [theme, setTheme] = useState(() => localStorage.getItem(KEY) ?? '')
  const choose = (chosen: string) => {
    if (chosen === '') localStorage.removeItem(KEY)
    else localStorage.setItem(KEY, chosen)
    document.documentElement.dataset.theme = chosen
    setTheme(chosen)
  }
  return (
    <SelectField
      label={TEXTS.settings.theme}
      options={Object.entries(TEXTS.settings.themes)}
      value={theme}
      onChange={event => choose(event.currentTarget.value)}
    />
  )
}

const Privacy = () => (
  <>
    <SearchRecordSettings />
    <Retention />
  </>
)

/** The forms of rules are on the page of alerts. */
const Notifications = () => (
  <section class="card stack">
    <NotificationsButton />
    <p>{TEXTS.settings.notifications}</p>
    <a class="button" href={hashOf({ page: 'alerts' })}>
      {TEXTS.settings.rules}
    </a>
  </section>
)

/** Each part, and the permission that it needs. */
const SETTING_PARTS = {
  general: [General, 'read'],
  persons: [PersonSettings, 'administer'],
  privacy: [Privacy, 'administer'],
  notifications: [Notifications, 'read'],
  backup: [Backup, 'administer'],
} as const satisfies Record<Setting, readonly [() => preact.ComponentChildren, Permission]>

export function SettingsPage({ section }: { section: Setting }) {
  const { permissions } = useToken()
  const shown = SETTINGS.filter(name => permissions.includes(SETTING_PARTS[name][1]))
  const current = shown.includes(section) ? section : 'general'
  const [Part] = SETTING_PARTS[current]
  return (
    <>
      <PageHead title={TEXTS.settings.title} intro={TEXTS.settings.intro} />
      <Sections
        label={TEXTS.settings.label}
        links={shown.map(name => ({
          hash: hashOf({ page: 'settings', section: name }),
          text: TEXTS.settings.sections[name],
          isCurrent: name === current,
        }))}
      />
      <Part />
    </>
  )
}
