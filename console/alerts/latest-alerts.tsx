/** Alerts as lines, and the latest ones of the stream of events. */
import type { ComponentChildren } from 'preact'
import type { AlertData } from '../../clients/typescript/src/index.ts'
import { Thumbnail, useSeenFace, WhoLine } from '../components/faces.tsx'
import { hashOf } from '../route.ts'
import { TEXTS } from '../texts.ts'
import { whoOfAlert, whoOfFace } from '../who.ts'

/** Alerts as lines, newest first. Nothing without one. */
export function LatestAlerts({ alerts }: { alerts: readonly AlertData[] }) {
  if (alerts.length === 0) return null
  return (
    <section class="card stack tight" aria-label={TEXTS.latestAlerts.title}>
      <h2>{TEXTS.latestAlerts.title}</h2>
      <ul class="stack tight small-faces" role="log">
        {alerts.map(data => (
          <AlertLine key={`${data.alert.id} ${data.event_id}`} data={data} />
        ))}
      </ul>
    </section>
  )
}

/** One alert. `children` follow what it says. */
export function AlertLine({ data, children }: { data: AlertData; children?: ComponentChildren }) {
  const { alert, face, person } = data
  const seen = useSeenFace(face?.id).value
  const rule = alert.name || TEXTS.alerts.unnamed
  const texts = TEXTS.latestAlerts
  return (
    <li class="line">
      <Thumbnail face={face} />
      <div class="grow">
        {face ? <WhoLine who={whoOfAlert(data) ?? whoOfFace(seen ?? face)} /> : <strong>{texts.test}</strong>}
        <small>{face ? texts.about(rule, face.timestamp, person?.seen ?? 0) : rule}</small>
        {children}
      </div>
      {face && (
        <a class="push" href={hashOf({ page: 'face', id: face.id })}>
          {TEXTS.face.open}
        </a>
      )}
    </li>
  )
}
