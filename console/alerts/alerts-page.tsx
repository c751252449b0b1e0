/** The page Alerts: all rules, with a switch for each. */
import type { Alert } from '../../clients/typescript/src/index.ts'
import { cameraName, useCameras } from '../cameras/use-cameras.ts'
import { EnabledSwitch } from '../components/enabled-switch.tsx'
import { Problem } from '../components/problem.tsx'
import { Status } from '../components/status.tsx'
import { useService } from '../connection/context.ts'
import { useTask } from '../connection/task.ts'
import { hashOf } from '../route.ts'
import { TEXTS } from '../texts.ts'
import { conditionLines, hostOf, settingsOf } from './conditions.ts'

export function AlertsPage() {
  const { client } = useService()
  const rules = useTask(signal => client.alerts.list({ signal }).toArray(), [])
  const cameras = useCameras()
  const nameOf = (id: string) => cameraName(cameras, id) ?? TEXTS.alert.cameraId(id)
  return (
    <>
      <header class="page-head">
        <h1>{TEXTS.alerts.title}</h1>
        <p>{TEXTS.alerts.intro}</p>
        <a class="button primary" href={hashOf({ page: 'new alert' })}>
          {TEXTS.alerts.create}
        </a>
      </header>
      {rules.state === 'running' && <Status text={TEXTS.loading} />}
      {rules.state === 'failed' && <Problem error={rules.error} onRetry={rules.retry} />}
      {rules.state === 'done' && rules.value.length === 0 && <p class="empty">{TEXTS.alerts.empty}</p>}
      {rules.state === 'done' && (
        <ul class="alert-rules">
          {rules.value.map(rule => (
            <RuleCard key={rule.id} rule={rule} cameraName={nameOf} />
          ))}
        </ul>
      )}
    </>
  )
}

function RuleCard({ rule, cameraName }: { rule: Alert; cameraName: (id: string) => string }) {
  const { client } = useService()
  const name = rule.name || TEXTS.alerts.unnamed
  const enable = async (enabled: boolean) => {
    // Another visitor may have changed the rule since the list was loaded.
    const present = settingsOf(await client.alerts.get(rule.id))
    return (await client.alerts.update(rule.id, { ...present, enabled })).enabled
  }
  return (
    <li class="card alert-rule">
      <h2>
        <a href={hashOf({ page: 'alert', id: rule.id })}>{name}</a>
      </h2>
      <ul>
        {conditionLines(rule, cameraName).map(line => (
          <li key={line}>{line}</li>
        ))}
      </ul>
      <p class="hint">{rule.url === '' ? TEXTS.alerts.live : TEXTS.alerts.webhook(hostOf(rule.url))}</p>
      <EnabledSwitch label={TEXTS.alerts.enabled} name={name} isEnabled={rule.enabled} onChange={enable} />
    </li>
  )
}
