/** The page Settings: what a visitor can set, one part at a time. */
import { PageHead, Sections } from '../components/page.tsx'
import { type Permission, useToken } from '../connection/session.ts'
import { hashOf, SETTINGS, type Setting } from '../route.ts'
import { TEXTS } from '../texts.ts'
import { Backup } from './backup.tsx'
import { General } from './general.tsx'
import { PersonSettings, SearchRecordSettings } from './person-settings.tsx'
import { Retention } from './retention.tsx'

const Privacy = () => (
  <>
    <SearchRecordSettings />
    <Retention />
  </>
)

/** The forms are on the page of the alert rules. */
const Notifications = () => (
  <section class="card stack">
    <p>{TEXTS.settings.notifications}</p>
    <a class="button" href={hashOf({ page: 'alerts' })}>
      {TEXTS.settings.rules}
    </a>
  </section>
)

/** Each part, and the permission without which nobody can use it. */
const PARTS = {
  general: [General, 'read'],
  persons: [PersonSettings, 'administer'],
  privacy: [Privacy, 'administer'],
  notifications: [Notifications, 'read'],
  backup: [Backup, 'administer'],
} as const satisfies Record<Setting, readonly [() => preact.ComponentChildren, Permission]>

export function SettingsPage({ section }: { section: Setting }) {
  const { permissions } = useToken()
  const shown = SETTINGS.filter(name => permissions.includes(PARTS[name][1]))
  const current = shown.includes(section) ? section : 'general'
  const [Part] = PARTS[current]
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
