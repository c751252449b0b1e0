/** The pages of alert rules: all rules with a switch for each, and one rule, stored or new. */

import { useState } from 'preact/hooks'
import type { Alert, AlertParameters } from '../../clients/typescript/src/index.ts'
import { ConfirmButton, NewSecret } from '../components/dialog.tsx'
import { PageHead } from '../components/page.tsx'
import { assertUnchanged, EnabledSwitch } from '../components/save-form.tsx'
import { Loaded, Problem } from '../components/state.tsx'
import { cameraName, titleOfGallery, useCameras, useGalleries } from '../connection/lists.ts'
import { leaveFor, useClient, useService } from '../connection/service.ts'
import { useAllowed } from '../connection/session.ts'
import { useAction, useTask } from '../connection/task.ts'
import { nameOf } from '../person-names.ts'
import { hashOf } from '../route.ts'
import { TEXTS } from '../texts.ts'
import { AlertForm } from './alert-form.tsx'
import { AlertHistory } from './alert-history.tsx'
import { conditionLines, FPIRS, hostOf, isConvertible, settingsOf, type Titles } from './conditions.ts'
import { Deliveries } from './deliveries.tsx'
import { NotificationsButton } from './notifications.tsx'

export function AlertsPage({ event }: { event: number | undefined }) {
  const client = useClient()
  const mayManage = useAllowed('manage')
  const rules = useTask(mayManage ? signal => client.alerts.list({ signal }).toArray() : undefined, [])
  const titles = useTitles(rules.value)
  return (
    <>
      <PageHead title={TEXTS.alerts.title} intro={TEXTS.alerts.intro}>
        {mayManage && (
          <a class="button primary" href={hashOf({ page: 'new alert' })}>
            {TEXTS.alerts.create}
          </a>
        )}
      </PageHead>
      <NotificationsButton />
      <AlertHistory
        rules={(rules.value ?? []).map(({ id, name }) => [id, name || TEXTS.alerts.unnamed])}
        event={event}
      />
      {mayManage && <h2>{TEXTS.alerts.rules}</h2>}
      <Loaded task={rules} empty={TEXTS.alerts.empty}>
        {found => (
          <ul class="cards wide">
            {found.map(rule => (
              <RuleCard key={rule.id} rule={rule} titles={titles} />
            ))}
          </ul>
        )}
      </Loaded>
    </>
  )
}

/** Persons whose names are asked for. Others have their number. */
const NAMED_PERSONS = 30

const personsOf = ({ person_ids = [], except_person_ids = [] }: Alert) => [
  ...person_ids,
  ...except_person_ids,
]

/** Titles of cameras, persons and galleries in the rules. */
function useTitles(rules: readonly Alert[] = []): Titles {
  const client = useClient()
  const cameras = useCameras().value
  const galleries = useGalleries().value
  const ids = [...new Set(rules.flatMap(personsOf))].slice(0, NAMED_PERSONS)
  const persons = useTask(
    signal => Promise.all(ids.map(id => client.persons.summary(id, { signal }).catch(() => undefined))),
    [ids.join()],
  ).value
  return {
    camera: id => cameraName(cameras, id) ?? TEXTS.alert.cameraId(id),
    person(id) {
      const person = persons?.find(one => one?.id === id)
      return person ? nameOf(person) : TEXTS.persons.numbered(id)
    },
    gallery: name => titleOfGallery(galleries, name),
  }
}

/** Where the alerts of a rule go. */
function targetsOf({ url, browsers }: Alert) {
  const targets = [
    url !== '' && TEXTS.alerts.webhook(hostOf(url)),
    browsers === true && TEXTS.alerts.browsers,
  ]
  return targets.filter(Boolean).join(', ') || TEXTS.alerts.live
}

function RuleCard({ rule, titles }: { rule: Alert; titles: Titles }) {
  const client = useClient()
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
        {conditionLines(rule, titles).map(line => (
          <li key={line}>{line}</li>
        ))}
      </ul>
      <p class="hint">{targetsOf(rule)}</p>
      <EnabledSwitch label={TEXTS.alerts.enabled} name={name} isEnabled={rule.enabled} onChange={enable} />
    </li>
  )
}

export function NewAlertPage() {
  const client = useClient()
  const [created, setCreated] = useState<{ id: string; secret: string }>()
  const open = (id: string) => {
    location.hash = hashOf({ page: 'alert', id })
  }
  const create = async (parameters: AlertParameters) => {
    const { id, secret } = await client.alerts.create(parameters)
    if (secret === undefined) open(id)
    else setCreated({ id, secret })
  }
  return (
    <>
      <Head title={TEXTS.alert.createTitle} />
      <AlertForm rule={undefined} onSave={create} />
      {created && (
        <NewSecret text={created.secret} texts={TEXTS.alert.secret} onClose={() => open(created.id)} />
      )}
    </>
  )
}

export function AlertPage({ id }: { id: string }) {
  const client = useClient()
  const rule = useTask(signal => client.alerts.get(id, { signal }), [id])
  return (
    <>
      <Head title={rule.value?.name || TEXTS.alert.editTitle} />
      <Loaded task={rule}>
        {found => <StoredRule key={found.fpir} rule={found} onConverted={rule.reload} />}
      </Loaded>
    </>
  )
}

const Head = ({ title }: { title: string }) => (
  <PageHead title={title} back={{ route: { page: 'alerts' }, text: TEXTS.alert.back }} />
)

function StoredRule({ rule, onConverted }: { rule: Alert; onConverted: () => void }) {
  const service = useService()
  const { client } = service
  const [stored, setStored] = useState(rule)
  const [secret, setSecret] = useState<string>()
  const [sent, setSent] = useState(0)
  const testing = useAction()
  const converting = useAction()
  const texts = TEXTS.alert
  const save = async (parameters: AlertParameters) => {
    assertUnchanged(stored, await client.alerts.get(rule.id))
    const { secret: made, ...changed } = await client.alerts.update(rule.id, parameters)
    setStored(changed)
    setSecret(made)
  }
  const test = async () => {
    await client.alerts.test(rule.id)
    setSent(sent + 1)
  }
  const convert = async () => {
    const present = settingsOf(await client.alerts.get(rule.id))
    await client.alerts.update(rule.id, { ...present, fpir: FPIRS.certain })
    onConverted()
  }
  const remove = async () => {
    await client.alerts.delete(rule.id)
    leaveFor(service, { page: 'alerts' }, texts.deleted)
  }
  return (
    <>
      {isConvertible(stored) && (
        <div class="row">
          <p>{texts.conversion.text}</p>
          <button type="button" disabled={converting.isRunning} onClick={() => void converting.run(convert)}>
            {texts.conversion.convert}
          </button>
          <Problem error={converting.problem} />
        </div>
      )}
      <AlertForm rule={rule} onSave={save} />
      <div class="row">
        <button type="button" onClick={() => void testing.run(test)}>
          {texts.test}
        </button>
        {stored.url !== '' && (
          <ConfirmButton
            {...texts.rotation}
            run={async () => setSecret((await client.alerts.rotateSecret(rule.id)).secret)}
          />
        )}
        <ConfirmButton {...texts.deletion} isDanger run={remove} />
        <p role="status">{testing.isDone && texts.tested}</p>
      </div>
      <Problem error={testing.problem} />
      <Deliveries id={rule.id} changes={sent} />
      {secret !== undefined && (
        <NewSecret text={secret} texts={texts.secret} onClose={() => setSecret(undefined)} />
      )}
    </>
  )
}
