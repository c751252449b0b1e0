/** Backups: when the last ones were, a button that asks for one, and how often they are repeated. */
import { useEffect } from 'preact/hooks'
import type { ServiceSettings, ServiceState } from '../../clients/typescript/src/index.ts'
import { SelectField } from '../components/fields.tsx'
import { SaveFormEnd, useSaveForm } from '../components/save-form.tsx'
import { Loaded, Problem, Status } from '../components/state.tsx'
import { useService } from '../connection/service.ts'
import { useAction, useTask } from '../connection/task.ts'
import { hashOf } from '../route.ts'
import { TEXTS } from '../texts.ts'

type BackupState = ServiceState['backup']

/** Milliseconds between two looks at a backup that is expected. */
const POLL_MS = 1_000

export function Backup() {
  const { client } = useService()
  const service = useTask(signal => client.service.get({ signal }), [])
  const { value, reload } = service
  useEffect(() => {
    if (!value || !isExpected(value.backup)) return
    const timer = setTimeout(reload, POLL_MS)
    return () => clearTimeout(timer)
  }, [value])
  return (
    <Loaded task={service}>
      {({ backup }) => (
        <>
          <Times backup={backup} />
          {backup.has_place ? <Plan backup={backup} onRequested={reload} /> : <p>{TEXTS.backup.noPlace}</p>}
        </>
      )}
    </Loaded>
  )
}

/** Whether a backup is asked for, in progress, or begins with the service. */
const isExpected = (backup: BackupState): boolean =>
  isWaiting(backup) || isUnfinished(backup) || (!!backup.has_place && !backup.started)

// Times of the API sort as texts.
const isWaiting = ({ requested = '', started = '' }: BackupState): boolean => requested > started

const isUnfinished = ({ started = '', completed = '', failed = '' }: BackupState): boolean =>
  started > completed && started > failed

function Times({ backup }: { backup: BackupState }) {
  const { started = '', completed = '', failed = '', drilled } = backup
  const texts = TEXTS.backup
  return (
    <section class="card stack tight">
      <h2>{texts.title}</h2>
      {!(started || completed || failed) && <p>{texts.noBackup}</p>}
      {completed && <p>{texts.completed(completed)}</p>}
      {failed > completed && <Problem error={texts.failed(failed)} />}
      {isUnfinished(backup) && <p>{texts.unfinished(started)}</p>}
      {completed && <p>{drilled === undefined ? texts.noDrill : texts.drilled(drilled)}</p>}
      <a href={hashOf({ page: 'help', name: 'backup' })}>{texts.help}</a>
    </section>
  )
}

/** The button, and the interval, which one of several owners cannot change. */
function Plan({ backup, onRequested }: { backup: BackupState; onRequested: () => void }) {
  const { client } = useService()
  const settings = useTask(signal => client.service.settings({ signal }), [])
  const request = useAction()
  const texts = TEXTS.backup
  const ask = () =>
    void request.run(async () => {
      await client.service.requestBackup()
      onRequested()
    })
  return (
    <>
      <section class="card stack">
        <button type="button" disabled={request.isRunning || isWaiting(backup)} onClick={ask}>
          {texts.now}
        </button>
        {isWaiting(backup) && <Status text={texts.waiting} />}
        <Problem error={request.problem} />
      </section>
      <Loaded task={settings}>
        {state =>
          state.fixed_by ? (
            <p>{TEXTS.personSettings.shared}</p>
          ) : (
            <Interval hours={hoursIn(state)} onSaved={settings.reload} />
          )
        }
      </Loaded>
    </>
  )
}

const hoursIn = ({ settings }: ServiceSettings): number =>
  Number(settings.find(({ name }) => name === 'backup_hours')?.value ?? 0)

function Interval({ hours, onSaved }: { hours: number; onSaved: () => void }) {
  const { client } = useService()
  const { action, attributes } = useSaveForm({
    read: fields => ({ backup_hours: Number(fields.get('hours')) }),
    async save(change) {
      await client.service.changeSettings(change)
      onSaved()
    },
  })
  const offered = [...new Set([0, 1, 6, 24, 168, hours])].sort((a, b) => a - b)
  return (
    <form class="card stack" {...attributes}>
      <SelectField
        label={TEXTS.backup.interval}
        name="hours"
        options={offered.map(count => [count, TEXTS.backup.every(count)] as const)}
        chosen={hours}
      />
      <SaveFormEnd action={action} />
    </form>
  )
}
