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
import { RowButton, Table } from '../components/table.tsx'
import { useClient } from '../connection/service.ts'
import { useAction, useTask } from '../connection/task.ts'
import { saveFile } from '../download.ts'
import { formatCount, formatDate, formatSubject } from '../format.ts'
import { ACTIONS, actorText, entryText } from '../texts/audit.ts'
import { TEXTS } from '../texts.ts'
import { actorOf, csvOf, objectOf, rowsOf } from './audit-entries.ts'

/** Entries that a page shows at first, and more at each request. */
const SHOWN_ENTRIES = 50

/** Entries of a saved file. */
const SAVED_ENTRIES = 100_000

const NO_FILTER = { actor: '', action: '', object: '', day: '' }

/** Days that the filter takes. While a year is typed, the field has others. */
const DAYS = { min: '2000-01-01', max: '2999-12-31' }
const DAY = /^2\d{3}-\d\d-\d\d$/

const isFiltered = (chosen: typeof NO_FILTER) => Object.values(chosen).some(value => value !== '')

/** The filter for the API. A day is one of the visitor's zone, up to its last microsecond. */
const conditionsOf = ({ day, ...chosen }: typeof NO_FILTER): AuditLogFilter => ({
  ...Object.fromEntries(Object.entries(chosen).filter(([, value]) => value !== '')),
  ...(DAY.test(day) && {
    start: new Date(`${day}T00:00`).toISOString(),
    end: new Date(`${day}T23:59:59.999`).toISOString().replace('Z', '999Z'),
  }),
})

export function AuditLog() {
  const client = useClient()
  const [chosen, setChosen] = useState(NO_FILTER)
  const [shown, setShown] = useState(SHOWN_ENTRIES)
  const saving = useAction()
  const filter = conditionsOf(chosen)
  const log = useTask(
    // One more shows that there are older ones.
    signal => client.service.auditLog({ ...filter, pageSize: SHOWN_ENTRIES }, { signal }).toArray(shown + 1),
    [chosen],
    [shown],
  )
  const save = async () => {
    const entries = await client.service.auditLog({ ...filter, pageSize: 1_000 }).toArray(SAVED_ENTRIES + 1)
    saveFile('audit-log.csv', new Blob([csvOf(entries, SAVED_ENTRIES)], { type: 'text/csv' }))
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
      <Loaded task={log} empty={isFiltered(chosen) ? texts.noMatch : texts.none}>
        {found => (
          <Table
            caption={texts.caption}
            columns={texts.columns}
            rows={shownRows(found.slice(0, shown), isFiltered(chosen)).map(({ entry, count }) => ({
              key: entry.seq,
              cells: {
                seq: formatCount(entry.seq),
                time: formatDate(entry.time),
                what: (
                  <>
                    {entryText(entry.actor, entry.action, entry.names?.actor)}
                    {texts.times(count)}{' '}
                    <OnlyButton
                      name={actorText(entry.actor, entry.names?.actor)}
                      onClick={() => setChosen({ ...NO_FILTER, actor: actorOf(entry) })}
                    />
                  </>
                ),
                subject: <Subject entry={entry} onObject={object => setChosen({ ...NO_FILTER, object })} />,
              },
            }))}
            classes={{ seq: 'number', time: 'time', subject: 'hint' }}
          />
        )}
      </Loaded>
      {log.value && log.value.length > shown && (
        <button type="button" onClick={() => setShown(shown + SHOWN_ENTRIES)}>
          {texts.more}
        </button>
      )}
    </>
  )
}

/** Entries as rows. A filter shows each entry. */
const shownRows = (entries: readonly AuditEntry[], isEach: boolean) =>
  isEach ? entries.map(entry => ({ entry, count: 1 })) : rowsOf(entries)

interface FilterProperties {
  chosen: typeof NO_FILTER
  onChosen: (chosen: typeof NO_FILTER) => void
}

function FilterFields({ chosen, onChosen }: FilterProperties) {
  const client = useClient()
  const users = useTask(signal => client.users.list({ signal }).toArray(), []).value ?? []
  const tokens = useTask(signal => client.tokens.list({ signal }).toArray(), []).value ?? []
  const texts = TEXTS.audit
  const field = (name: keyof typeof NO_FILTER) => ({
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
  // An actor who has left, or a token that was revoked, is in entries alone.
  if (chosen.actor !== '' && !actors.some(([actor]) => actor === chosen.actor))
    actors.push([chosen.actor, actorText(chosen.actor)])
  return (
    <>
      <SelectField label={texts.actor} options={[['', texts.everyActor], ...actors]} {...field('actor')} />
      <SelectField
        label={texts.action}
        options={[['', texts.everyAction], ...Object.entries(ACTIONS)]}
        {...field('action')}
      />
      <InputField label={texts.day} type="date" {...DAYS} {...field('day')} />
      {chosen.object !== '' && <p class="badge">{chosen.object}</p>}
      {isFiltered(chosen) && (
        <button type="button" class="quiet" onClick={() => onChosen(NO_FILTER)}>
          {TEXTS.events.clear}
        </button>
      )}
    </>
  )
}

/** The subject of an entry, and a button that filters by it. */
function Subject({ entry, onObject }: { entry: AuditEntry; onObject: (object: string) => void }) {
  const object = objectOf(entry)
  return (
    <>
      {formatSubject(entry)}{' '}
      {object !== undefined && <OnlyButton name={object} onClick={() => onObject(object)} />}
    </>
  )
}

const OnlyButton = ({ name, onClick }: { name: string; onClick: () => void }) => (
  <RowButton text={TEXTS.events.filter} label={TEXTS.audit.only(name)} look="quiet small" onClick={onClick} />
)

/** Verifies the chain of the log in steps, and says how far it is right. */
function Verification() {
  const client = useClient()
  const [progress, setProgress] = useState<AuditVerification>()
  const { value, error } = useTask(signal => verifyAll(client, signal, setProgress), [])
  const texts = TEXTS.audit
  if (error !== undefined) return <Problem error={error} isLoad />
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

const endText = ({ verified_from, verified_to }: AuditVerification) =>
  verified_to === 0 ? TEXTS.audit.empty : TEXTS.audit.intact(verified_from, verified_to)

/** Asks until all entries are verified, or a fault is found. */
async function verifyAll(
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
