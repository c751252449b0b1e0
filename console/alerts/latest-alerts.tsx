/** The latest alerts of all rules: those of the stream, and those that the service keeps. */
import type { AlertData, MienClient } from '../../clients/typescript/src/index.ts'
import { Thumbnail, useSeenFace, WhoLine } from '../components/faces.tsx'
import { Loaded } from '../components/state.tsx'
import { useService } from '../connection/service.ts'
import { useTask } from '../connection/task.ts'
import { hashOf } from '../route.ts'
import { TEXTS } from '../texts.ts'
import { whoOfAlert, whoOfFace } from '../who.ts'

/** Alerts of the list of kept ones. */
const MOST_KEPT = 20

/** The newest alerts that the service keeps, for a week. */
export function KeptAlerts() {
  const { client } = useService()
  const kept = useTask(signal => keptAlerts(client, signal), [])
  return <Loaded task={kept}>{alerts => <LatestAlerts alerts={alerts} />}</Loaded>
}

async function keptAlerts(client: MienClient, signal: AbortSignal): Promise<AlertData[]> {
  const rules = await client.alerts.list({ signal }).toArray()
  const newestOf = ({ id }: { id: string }) =>
    client.alerts.deliveries(id, { limit: MOST_KEPT }, { signal }).toArray(MOST_KEPT)
  const lists = await Promise.all(
    rules.map(async rule => (await newestOf(rule)).map(delivery => ({ ...delivery, alert: rule }))),
  )
  const newest = lists.flat().filter(({ face_id }) => face_id !== undefined)
  return Promise.all(
    newest
      .sort((a, b) => b.id - a.id)
      .slice(0, MOST_KEPT)
      .map(async ({ alert: { id, name }, event_id, face_id }) => ({
        alert: { id, name },
        face: await client.faces.get(face_id!, { signal }),
        ...(event_id !== undefined && { event_id }),
      })),
  )
}

/** Alerts as lines, newest first. Nothing without one. */
export function LatestAlerts({ alerts }: { alerts: readonly AlertData[] }) {
  if (alerts.length === 0) return null
  return (
    <section class="card latest-alerts" aria-label={TEXTS.latestAlerts.title}>
      <h2>{TEXTS.latestAlerts.title}</h2>
      <ul class="stack tight" role="log">
        {alerts.map(data => (
          <AlertLine key={`${data.alert.id} ${data.event_id}`} data={data} />
        ))}
      </ul>
    </section>
  )
}

function AlertLine({ data }: { data: AlertData }) {
  const { alert, face, person } = data
  const seen = useSeenFace(face?.id).value
  const rule = alert.name || TEXTS.alerts.unnamed
  const texts = TEXTS.latestAlerts
  return (
    <li>
      <Thumbnail face={face} />
      <div>
        {face ? <WhoLine who={whoOfAlert(data) ?? whoOfFace(seen ?? face)} /> : <strong>{texts.test}</strong>}
        <small>{face ? texts.about(rule, face.timestamp, person?.seen ?? 0) : rule}</small>
      </div>
      {face && (
        <a class="row-end" href={hashOf({ page: 'face', id: face.id })}>
          {TEXTS.face.open}
        </a>
      )}
    </li>
  )
}
