/** The page of one rule, stored or new. */
import { useState } from 'preact/hooks'
import type { Alert, AlertParameters } from '../../clients/typescript/src/index.ts'
import { NewSecret } from '../components/new-secret.tsx'
import { Problem } from '../components/problem.tsx'
import { Status } from '../components/status.tsx'
import { useService } from '../connection/context.ts'
import { useTask } from '../connection/task.ts'
import { hashOf } from '../route.ts'
import { TEXTS } from '../texts.ts'
import { AlertActions } from './alert-actions.tsx'
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
      <Head title={(rule.state === 'done' && rule.value.name) || TEXTS.alert.editTitle} />
      {rule.state === 'running' && <Status text={TEXTS.loading} />}
      {rule.state === 'failed' && <Problem error={rule.error} onRetry={rule.retry} />}
      {rule.state === 'done' && <StoredRule rule={rule.value} />}
    </>
  )
}

function StoredRule({ rule }: { rule: Alert }) {
  const { client } = useService()
  const [hasWebhook, setHasWebhook] = useState(rule.url !== '')
  const [secret, setSecret] = useState<string>()
  const [sent, setSent] = useState(0)
  const save = async (parameters: AlertParameters) => {
    const changed = await client.alerts.update(rule.id, parameters)
    setHasWebhook(changed.url !== '')
    setSecret(changed.secret)
  }
  return (
    <>
      <AlertForm rule={rule} onSave={save} />
      <AlertActions
        id={rule.id}
        hasWebhook={hasWebhook}
        onSecret={setSecret}
        onTest={() => setSent(count => count + 1)}
      />
      <Deliveries id={rule.id} changes={sent} />
      {secret !== undefined && (
        <NewSecret text={secret} texts={TEXTS.alert.secret} onClose={() => setSecret(undefined)} />
      )}
    </>
  )
}

const Head = ({ title }: { title: string }) => (
  <header class="page-head">
    <a class="back" href={hashOf({ page: 'alerts' })}>
      {TEXTS.alert.back}
    </a>
    <h1>{title}</h1>
  </header>
)
