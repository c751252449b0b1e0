/** The messages of a rule: a table by state, with a button to send one again. */
import { useState } from 'preact/hooks'
import type { Delivery } from '../../clients/typescript/src/index.ts'
import { Thumbnail, useSeenFace, WhoLine } from '../components/face-boxes.tsx'
import { SelectField } from '../components/fields.tsx'
import { Loaded, Problem } from '../components/state.tsx'
import { type Row, RowButton, Table } from '../components/table.tsx'
import { useService } from '../connection/service.ts'
import { useAction, useTask } from '../connection/task.ts'
import { formatDate } from '../format.ts'
import { TEXTS } from '../texts.ts'
import { whoOfFace } from '../who.ts'

type State = keyof typeof TEXTS.deliveries.states

/** Messages that the button adds. */
const DELIVERIES_PER_PAGE = 50

/** Milliseconds between two looks at the messages. */
const POLL_MS = 3_000

interface Properties {
  id: string
  /** Another number loads the table again. */
  changes: number
}

export function Deliveries({ id, changes }: Properties) {
  const { client } = useService()
  const [state, setState] = useState<State>('')
  const [shown, setShown] = useState(DELIVERIES_PER_PAGE)
  const retrying = useAction()
  const list = useTask(
    // One more shows that there are older ones.
    signal =>
      client.alerts
        .deliveries(id, { pageSize: DELIVERIES_PER_PAGE, ...(state !== '' && { state }) }, { signal })
        .toArray(shown + 1),
    [id],
    [changes, state, shown],
    () => POLL_MS,
  )
  const texts = TEXTS.deliveries
  const retry = (delivery: number) => client.alerts.retry(id, delivery).then(list.reload)
  const rowOf = (delivery: Delivery) =>
    deliveryRow(delivery, () => void retrying.run(() => retry(delivery.id)))
  return (
    <section class="stack" aria-label={texts.title}>
      <h2>{texts.title}</h2>
      <SelectField
        label={texts.filter}
        options={Object.entries(texts.states)}
        value={state}
        onChange={event => setState(event.currentTarget.value as State)}
      />
      <Problem error={retrying.problem} />
      <Loaded task={list} empty={texts.none}>
        {found => (
          <Table
            caption={texts.caption}
            columns={texts.columns}
            rows={found.slice(0, shown).map(rowOf)}
            classes={{ action: 'row-actions' }}
          />
        )}
      </Loaded>
      {list.value && list.value.length > shown && (
        <button type="button" class="quiet" onClick={() => setShown(shown + DELIVERIES_PER_PAGE)}>
          {texts.more}
        </button>
      )}
    </section>
  )
}

/** The face of a message, and who it is now. */
function SeenFace({ id }: { id: number }) {
  const face = useSeenFace(id).value
  if (!face) return <>{TEXTS.deliveries.face(id)}</>
  return (
    <span class="line small-faces">
      <Thumbnail face={face} />
      <WhoLine who={whoOfFace(face)} />
    </span>
  )
}

function deliveryRow(delivery: Delivery, onRetry: () => void): Row<keyof typeof TEXTS.deliveries.columns> {
  const texts = TEXTS.deliveries
  const { id, created, state, attempts, fault, next_attempt, face_id } = delivery
  return {
    key: id,
    cells: {
      created: formatDate(created),
      about: face_id === undefined ? texts.test : <SeenFace id={face_id} />,
      state: (
        <>
          {state === 'delivered' && attempts === 0 ? texts.listed : texts.states[state]}
          {state !== 'delivered' && fault !== undefined && (
            <small> {texts.fault(texts.faults[fault] ?? fault)}</small>
          )}
          {next_attempt !== undefined && attempts > 0 && <small> {texts.next(next_attempt)}</small>}
        </>
      ),
      attempts,
      action: state !== 'delivered' && attempts > 0 && (
        <RowButton text={texts.retry} label={texts.retryOf(id)} onClick={onRetry} />
      ),
    },
  }
}
