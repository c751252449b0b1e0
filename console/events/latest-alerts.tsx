/** The latest alerts of all rules, above the events. */
import type { AlertData } from '../../clients/typescript/src/index.ts'
import { Thumbnail } from '../components/thumbnail.tsx'
import { TEXTS } from '../texts.ts'

/** Alerts in the list. */
const SHOWN = 5

export function LatestAlerts({ alerts }: { alerts: readonly AlertData[] }) {
  if (alerts.length === 0) return null
  return (
    <section class="card latest-alerts" aria-label={TEXTS.latestAlerts.title}>
      <h2>{TEXTS.latestAlerts.title}</h2>
      <ul role="log">
        {alerts.slice(0, SHOWN).map(data => (
          <li key={`${data.alert.id} ${data.event_id}`}>
            <Thumbnail face={data.face ?? { thumbnail: '' }} />
            <div>
              <strong>{titleOf(data)}</strong>
              <small>{aboutOf(data)}</small>
            </div>
          </li>
        ))}
      </ul>
    </section>
  )
}

function titleOf({ alert, face }: AlertData): string {
  const name = alert.name || TEXTS.alerts.unnamed
  return face ? TEXTS.latestAlerts.alert(name, face.timestamp) : name
}

function aboutOf({ face, person }: AlertData): string {
  if (!face) return TEXTS.latestAlerts.test
  return person
    ? TEXTS.latestAlerts.seen(person.id, face.meta, person.seen)
    : face.meta || TEXTS.latestAlerts.nobody
}

/** The names of the rules that alerted to a face. */
export const alertNames = (alerts: readonly AlertData[], face: number): string =>
  alerts
    .filter(data => data.face?.id === face)
    .map(({ alert }) => alert.name || TEXTS.alerts.unnamed)
    .join(', ')
