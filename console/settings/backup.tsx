/** Backups: when the last ones were, a button that asks for one, and how often they are repeated. */
import { useEffect, useRef } from 'preact/hooks'
import type { ServiceSettings, ServiceState } from '../../clients/typescript/src/index.ts'
import { SelectField } from '../components/fields.tsx'
import { SaveFormEnd, useSaveForm } from '../components/save-form.tsx'
import { Loaded, Problem, Status } from '../components/state.tsx'
import { useClient } from '../connection/service.ts'
import { useAction, useTask } from '../connection/task.ts'
import { hashOf } from '../route.ts'
import { TEXTS } from '../texts.ts'

type BackupState = ServiceState['backup']

/** Least and most milliseconds between two looks at a backup that is expected. The pauses grow: a killed backup never ends. */
const POLL_MS = 1_000
const LONGEST_POLL_MS = 60_000

export function Backup() {
  const client = useClient()
  const service = useTask(signal => client.service.get({ signal }), [])
  const settings = useTask(signal => client.service.settings({ signal }), [])
  const { value, reload } = service
  const hours = settings.value ? hoursIn(settings.value) : 0
  const pause = useRef(POLL_MS)
  useEffect(() => {
    if (!value || !isExpected(value.backup, hours)) return
    const timer = setTimeout(reload, pause.current)
    pause.current = Math.min(pause.current * 1.2, LONGEST_POLL_MS)
    return () => clearTimeout(timer)
  }, [value, hours])
  const onRequested = () => {
    pause.current = POLL_MS
    reload()
  }
  return (
    <Loaded task={service}>
      {({ backup }) => (
        <>
          <Times backup={backup} />
          {backup.has_place ? (
            <Loaded task={settings}>
              {({ fixed_by }) =>
                fixed_by ? (
                  <p>{TEXTS.backup.shared}</p>
                ) : (
                  <Plan {...{ backup, onRequested, hours }} onSaved={settings.reload} />
                )
              }
            </Loaded>
          ) : (
            <p>{TEXTS.backup.noPlace}</p>
          )}
        </>
      )}
    </Loaded>
  )
}

/** Whether a backup is asked for, in progress, or begins with the service. `hours`: interval of backups, 0 for none. */
const isExpected = (backup: BackupState, hours: number) =>
  isWaiting(backup) || isUnfinished(backup) || (!!backup.has_place && !backup.started && hours > 0)

// Times of the API sort as texts.
const isWaiting = ({ requested = '', started = '' }: BackupState) => requested > started

const isUnfinished = ({ started = '', completed = '', failed = '' }: BackupState) =>
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

interface PlanProperties {
  backup: BackupState
  onRequested: () => void
  hours: number
  onSaved: () => void
}

/** The button and the interval. */
function Plan({ backup, onRequested, ...interval }: PlanProperties) {
  const client = useClient()
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
      <Interval {...interval} />
    </>
  )
}

const hoursIn = ({ settings }: ServiceSettings) =>
  Number(settings.find(({ name }) => name === 'backup_hours')?.value ?? 0)

function Interval({ hours, onSaved }: Pick<PlanProperties, 'hours' | 'onSaved'>) {
  const client = useClient()
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
