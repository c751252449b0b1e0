/** Alerts as lines, and the unseen alerts. */
import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { AlertData, AlertHistoryEntry } from '../../clients/typescript/src/index.ts'
import { Thumbnail, useSeenFace, WhoLine } from '../components/face-boxes.tsx'
import { Problem } from '../components/state.tsx'
import { useService, useStore } from '../connection/service.ts'
import { useAllowed } from '../connection/session.ts'
import { useAction, useTask } from '../connection/task.ts'
import { formatDate } from '../format.ts'
import { hashOf } from '../route.ts'
import { TEXTS } from '../texts.ts'
import { whoOfAlert, whoOfFace } from '../who.ts'

/** Unseen alerts above the events: fewer in a narrow window, where the events come first. */
const shownAlerts = () => (matchMedia('(max-width: 48rem)').matches ? 1 : 3)

/** The newest unseen alerts, and tests among the `alerts` that have just arrived. Nothing without one. */
export function LatestAlerts({ alerts }: { alerts: readonly AlertData[] }) {
  const { client, unseen } = useService()
  const count = useStore(unseen)
  const action = useAction()
  const mayMark = useAllowed('change')
  const newest = alerts[0]?.event_id
  useEffect(() => void client.alerts.unseen().then(unseen.set, () => undefined), [newest])
  const waiting = useTask(
    signal => client.alerts.history({ seen: false, pageSize: 3 }, { signal }).toArray(shownAlerts()),
    [],
    [count, newest],
  ).value
  const tests = alerts.filter(({ face }) => !face).slice(0, 1)
  if (tests.length === 0 && !waiting?.length) return null
  const markAll = async () => {
    const [last] = await client.alerts.history({ seen: false, pageSize: 1 }).toArray(1)
    if (last) unseen.set((await client.alerts.markSeen(last.id, true, true)).unseen)
  }
  const texts = TEXTS.latestAlerts
  return (
    <section class="card stack tight" aria-label={texts.title}>
      <div class="row">
        <h2 class="grow">{texts.title}</h2>
        <a href={hashOf({ page: 'alerts' })}>{texts.all}</a>
        {mayMark && count > 0 && (
          <button
            type="button"
            class="small"
            disabled={action.isRunning}
            onClick={() => void action.run(markAll)}
          >
            {texts.markAll(count)}
          </button>
        )}
      </div>
      <Problem error={action.problem} />
      <ul class="stack tight small-faces" role="log">
        {tests.map(data => (
          <AlertLine key={data.event_id} data={data} />
        ))}
        {waiting?.map(entry => (
          <AlertLine key={entry.id} data={entry}>
            <Seen entry={entry} />
          </AlertLine>
        ))}
      </ul>
    </section>
  )
}

/** One alert. `children` follow its text. */
export function AlertLine({ data, children }: { data: AlertData; children?: ComponentChildren }) {
  const { alert, face, person } = data
  const { value: seen, error } = useSeenFace(face?.id)
  const rule = alert.name || TEXTS.alerts.unnamed
  const texts = TEXTS.latestAlerts
  return (
    <li class="line">
      <Thumbnail face={face} />
      <div class="grow">
        {face ? (
          <WhoLine
            who={whoOfAlert(data) ?? whoOfFace(seen ?? face)}
            isLoading={!seen && error === undefined}
          />
        ) : (
          <strong>{texts.test}</strong>
        )}
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

/** Who saw an alert, and the button that marks it or takes the mark back. */
export function Seen({ entry }: { entry: AlertHistoryEntry }) {
  const { client, unseen } = useService()
  const mayMark = useAllowed('change')
  const action = useAction()
  const [seen, setSeen] = useState(entry.seen)
  useEffect(() => setSeen(entry.seen), [entry.seen])
  const mark = async () => {
    const answer = await client.alerts.markSeen(entry.id, !seen)
    setSeen(answer.seen)
    unseen.set(answer.unseen)
  }
  const texts = TEXTS.alertHistory
  return (
    <span class="row">
      <small>{seen ? texts.seenBy(seen.by, formatDate(seen.time)) : texts.unseen}</small>
      <Problem error={action.problem} />
      {mayMark && (
        <button type="button" class="small" disabled={action.isRunning} onClick={() => void action.run(mark)}>
          {seen ? texts.takeBack : texts.mark}
        </button>
      )}
    </span>
  )
}
