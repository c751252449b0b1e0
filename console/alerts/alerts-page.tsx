/** The page Alerts: all rules, with a switch for each. */
import type { Alert } from '../../clients/typescript/src/index.ts'
import { PageHead } from '../components/page.tsx'
import { EnabledSwitch } from '../components/save-form.tsx'
import { Loaded } from '../components/state.tsx'
import { cameraName, useCameras } from '../connection/lists.ts'
import { useService } from '../connection/service.ts'
import { useTask } from '../connection/task.ts'
import { hashOf } from '../route.ts'
import { TEXTS } from '../texts.ts'
import { conditionLines, hostOf, settingsOf } from './conditions.ts'

export function AlertsPage() {
  const { client } = useService()
  const rules = useTask(signal => client.alerts.list({ signal }).toArray(), [])
  const cameras = useCameras()
  const nameOf = (id: string) => cameraName(cameras.value, id) ?? TEXTS.alert.cameraId(id)
  return (
    <>
      <PageHead title={TEXTS.alerts.title} intro={TEXTS.alerts.intro}>
        <a class="button primary" href={hashOf({ page: 'new alert' })}>
          {TEXTS.alerts.create}
        </a>
      </PageHead>
      <Loaded task={rules} empty={TEXTS.alerts.empty}>
        {found => (
          <ul class="cards wide">
            {found.map(rule => (
              <RuleCard key={rule.id} rule={rule} cameraName={nameOf} />
            ))}
          </ul>
        )}
      </Loaded>
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
    <li class="card stack tight alert-rule">
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
