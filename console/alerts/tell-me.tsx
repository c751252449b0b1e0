/** The button that asks to be told when a person is seen: notifications in this browser, and a rule about the person. */
import type { MienClient } from '../../clients/typescript/src/index.ts'
import { Problem } from '../components/state.tsx'
import { useClient } from '../connection/service.ts'
import { useAllowed, useToken } from '../connection/session.ts'
import { useAction, useTask } from '../connection/task.ts'
import { hashOf } from '../route.ts'
import { TEXTS } from '../texts.ts'
import { LOCAL_TIME_ZONE } from './conditions.ts'
import { canNotify, isSubscribed, subscribe } from './notifications.tsx'

/** Seconds without another alert about the person. */
const COOLDOWN_SECONDS = 300

interface Properties {
  id: number
  name: string
}

/** Nothing for visitors who may not make rules. */
export const TellMe = (person: Properties) => (useAllowed('manage') ? <TellMeOf {...person} /> : null)

function TellMeOf({ id, name }: Properties) {
  const client = useClient()
  const action = useAction()
  const state = useTask(
    async signal => ({
      rule: await ruleAbout(client, id, signal),
      isSubscribed: await isSubscribed(client, signal),
    }),
    [id],
  )
  const texts = TEXTS.tellMe
  if (!state.value) return <Problem error={state.error} isLoad />
  const { rule, isSubscribed: isOn } = state.value
  const run = (work: () => Promise<unknown>) => void action.run(() => work().finally(state.reload))
  const tell = async () => {
    const conditions = { person_ids: [id], time_zone: LOCAL_TIME_ZONE, cooldown_seconds: COOLDOWN_SECONDS }
    if (!rule) await client.alerts.create({ name: texts.rule(name), browsers: true, ...conditions })
    if (!isOn && canNotify()) await subscribe(client)
  }
  return (
    <div class="stack tight">
      {rule && (
        <p role="status">
          {isOn ? texts.told(name) : texts.listed(name)}{' '}
          <a href={hashOf({ page: 'alert', id: rule.id })}>{texts.change}</a>
        </p>
      )}
      {!canNotify() && <p class="hint">{TEXTS.notifications.impossible}</p>}
      {!(rule && (isOn || !canNotify())) && (
        <button type="button" disabled={action.isRunning} onClick={() => run(tell)}>
          {texts.tell}
        </button>
      )}
      <RecognitionOffHint />
      <Problem error={action.problem} />
    </div>
  )
}

/** The first rule that notifies browsers of this person. */
async function ruleAbout(client: MienClient, id: number, signal: AbortSignal) {
  const rules = await client.alerts.list({ signal }).toArray()
  return rules.find(rule => rule.enabled && rule.browsers && rule.person_ids?.includes(id))
}

const RECOGNIZE = { person_identify: true, person_identify_global: true }

/** Says that new faces get no person, with a button that changes it. Nothing where they get one. */
export function RecognitionOffHint() {
  const client = useClient()
  const { persons } = useToken()
  const mayAdminister = useAllowed('administer')
  const action = useAction()
  if (persons) return null
  return (
    <div class="row">
      <p>{TEXTS.tellMe.unrecognized}</p>
      {mayAdminister && (
        <button
          type="button"
          class="primary"
          disabled={action.isRunning}
          onClick={() => void action.run(() => client.service.changeSettings(RECOGNIZE))}
        >
          {TEXTS.tellMe.recognize}
        </button>
      )}
      <Problem error={action.problem} />
    </div>
  )
}
