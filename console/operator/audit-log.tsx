/** The audit log of the owner, and the verification of its chain. */
import { useState } from 'preact/hooks'
import type {
  AuditEntry,
  AuditLogFilter,
  AuditVerification,
  MienClient,
} from '../../clients/typescript/src/index.ts'
import { InputField, SelectField } from '../components/fields.tsx'
import { Loaded, Problem } from '../components/state.tsx'
import { Table } from '../components/table.tsx'
import { useService } from '../connection/service.ts'
import { useAction, useTask } from '../connection/task.ts'
import { saveFile } from '../download.ts'
import { formatCount, formatDate, formatSubject } from '../format.ts'
import { ACTIONS, actorText, entryText } from '../texts/audit.ts'
import { TEXTS } from '../texts.ts'
import { csvOf, objectOf, rowsOf } from './audit-entries.ts'

const PAGE = 50

/** Entries of a saved file. */
const MOST_SAVED = 100_000

const ALL = { actor: '', action: '', object: '', day: '' }

/** The filter for the API. A day is one of the visitor's zone. */
const conditionsOf = ({ day, ...chosen }: typeof ALL): AuditLogFilter => ({
  ...Object.fromEntries(Object.entries(chosen).filter(([, value]) => value !== '')),
  ...(day !== '' && {
    start: new Date(`${day}T00:00`).toISOString(),
    end: new Date(`${day}T23:59:59.999`).toISOString(),
  }),
})

export function AuditLog() {
  const { client } = useService()
  const [chosen, setChosen] = useState(ALL)
  const [shown, setShown] = useState(PAGE)
  const saving = useAction()
  const filter = conditionsOf(chosen)
  const log = useTask(
    // One more shows that there are older ones.
    signal => client.service.auditLog({ ...filter, pageSize: PAGE }, { signal }).toArray(shown + 1),
    [chosen],
    [shown],
  )
  const save = async () => {
    const entries = await client.service.auditLog({ ...filter, pageSize: 1_000 }).toArray(MOST_SAVED)
    saveFile('audit-log.csv', new Blob([csvOf(entries)], { type: 'text/csv' }))
  }
  const texts = TEXTS.audit
  return (
    <>
      <Verification />
      <form class="row" aria-label={TEXTS.events.filter} onSubmit={event => event.preventDefault()}>
        <FilterFields chosen={chosen} onChosen={setChosen} />
        <button type="button" disabled={saving.isRunning} onClick={() => void saving.run(save)}>
          {texts.save}
        </button>
      </form>
      <Problem error={saving.problem} />
      <Loaded task={log} empty={chosen === ALL ? texts.none : texts.noMatch}>
        {found => (
          <Table
            caption={texts.caption}
            columns={texts.columns}
            rows={rowsOf(found.slice(0, shown)).map(({ entry, count }) => ({
              key: entry.seq,
              cells: {
                ...{ seq: formatCount(entry.seq), time: formatDate(entry.time) },
                what: `${entryText(entry.actor, entry.action, entry.names?.actor)}${texts.times(count)}`,
                subject: <Subject entry={entry} onObject={object => setChosen({ ...ALL, object })} />,
              },
            }))}
            classes={{ seq: 'number', time: 'time', subject: 'hint' }}
          />
        )}
      </Loaded>
      {log.value && log.value.length > shown && (
        <button type="button" onClick={() => setShown(shown + PAGE)}>
          {texts.more}
        </button>
      )}
    </>
  )
}

interface FilterProperties {
  chosen: typeof ALL
  onChosen: (chosen: typeof ALL) => void
}

function FilterFields({ chosen, onChosen }: FilterProperties) {
  const { client } = useService()
  const users = useTask(signal => client.users.list({ signal }).toArray(), []).value ?? []
  const tokens = useTask(signal => client.tokens.list({ signal }).toArray(), []).value ?? []
  const texts = TEXTS.audit
  const field = (name: keyof typeof ALL) => ({
    value: chosen[name],
    onChange: ({ currentTarget: { value } }: { currentTarget: HTMLInputElement | HTMLSelectElement }) =>
      onChosen({ ...chosen, [name]: value }),
  })
  const actors: [string, string][] = [
    ...users.map(({ id, name }): [string, string] => [`user ${id}`, name]),
    ...tokens.map(({ id, name }): [string, string] => [
      `token ${id}`,
      actorText(`token ${id}`, name || undefined),
    ]),
    ...['operator', 'service'].map((kind): [string, string] => [kind, actorText(kind)]),
  ]
  return (
    <>
      <SelectField label={texts.actor} options={[['', texts.anybody], ...actors]} {...field('actor')} />
      <SelectField
        label={texts.action}
        options={[['', texts.anything], ...Object.entries(ACTIONS)]}
        {...field('action')}
      />
      <InputField label={texts.day} type="date" {...field('day')} />
      {chosen.object !== '' && <p class="badge">{chosen.object}</p>}
      {Object.values(chosen).some(value => value !== '') && (
        <button type="button" class="quiet" onClick={() => onChosen(ALL)}>
          {TEXTS.events.clear}
        </button>
      )}
    </>
  )
}

/** What an entry is about, and a button that filters by it. */
function Subject({ entry, onObject }: { entry: AuditEntry; onObject: (object: string) => void }) {
  const object = objectOf(entry)
  return (
    <>
      {formatSubject(entry)}{' '}
      {object !== undefined && (
        <button
          type="button"
          class="quiet small"
          aria-label={TEXTS.audit.onlyObject(object)}
          onClick={() => onObject(object)}
        >
          {TEXTS.audit.only}
        </button>
      )}
    </>
  )
}

/** Verifies the chain of the log in steps, and says how far it is right. */
function Verification() {
  const { client } = useService()
  const [progress, setProgress] = useState<AuditVerification>()
  const { value, error, reload } = useTask(signal => verified(client, signal, setProgress), [])
  const texts = TEXTS.audit
  if (error !== undefined) return <Problem error={error} onRetry={reload} />
  if (progress && !progress.intact)
    return <Problem error={texts.broken(progress.fault ?? '', progress.verified_to)} />
  return (
    <div class={`note${value ? ' intact' : ''}`}>
      <p role="status">
        {value ? endText(value) : progress && texts.verifying(progress.verified_to, progress.last)}
      </p>
      <p class="hint">{texts.whole}</p>
    </div>
  )
}

const endText = ({ verified_from, verified_to }: AuditVerification): string =>
  verified_to === 0 ? TEXTS.audit.empty : TEXTS.audit.intact(verified_from, verified_to)

/** Asks until all entries are verified, or a fault is found. */
async function verified(
  client: MienClient,
  signal: AbortSignal,
  onProgress: (verification: AuditVerification) => void,
): Promise<AuditVerification> {
  for (;;) {
    const verification = await client.service.verifyAuditLog({ signal })
    onProgress(verification)
    if (!verification.intact || verification.verified_to >= verification.last) return verification
  }
}
