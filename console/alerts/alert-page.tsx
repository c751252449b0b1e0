/** The page of one rule, stored or new. */
import { useState } from 'preact/hooks'
import type { Alert, AlertParameters } from '../../clients/typescript/src/index.ts'
import { ConfirmButton, NewSecret } from '../components/dialog.tsx'
import { PageHead } from '../components/page.tsx'
import { Loaded, Problem } from '../components/state.tsx'
import { useService } from '../connection/service.ts'
import { useAction, useTask } from '../connection/task.ts'
import { hashOf } from '../route.ts'
import { TEXTS } from '../texts.ts'
import { AlertForm } from './alert-form.tsx'
import { Deliveries } from './deliveries.tsx'

export function NewAlertPage() {
  const { client } = useService()
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
  const { client } = useService()
  const rule = useTask(signal => client.alerts.get(id, { signal }), [id])
  return (
    <>
      <Head title={rule.value?.name || TEXTS.alert.editTitle} />
      <Loaded task={rule}>{found => <StoredRule rule={found} />}</Loaded>
    </>
  )
}

const Head = ({ title }: { title: string }) => (
  <PageHead title={title} back={{ route: { page: 'alerts' }, text: TEXTS.alert.back }} />
)

function StoredRule({ rule }: { rule: Alert }) {
  const { client } = useService()
  const [hasWebhook, setHasWebhook] = useState(rule.url !== '')
  const [secret, setSecret] = useState<string>()
  const [sent, setSent] = useState(0)
  const testing = useAction()
  const texts = TEXTS.alert
  const save = async (parameters: AlertParameters) => {
    const changed = await client.alerts.update(rule.id, parameters)
    setHasWebhook(changed.url !== '')
    setSecret(changed.secret)
  }
  const test = async () => {
    await client.alerts.test(rule.id)
    setSent(sent + 1)
  }
  const remove = async () => {
    await client.alerts.delete(rule.id)
    location.hash = hashOf({ page: 'alerts' })
  }
  return (
    <>
      <AlertForm rule={rule} onSave={save} />
      <div class="row">
        <button type="button" onClick={() => void testing.run(test)}>
          {texts.test}
        </button>
        {hasWebhook && (
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
