/** The messages of a rule: a table by state, with a button to send a failed one again. */
import { useState } from 'preact/hooks'
import type { Delivery } from '../../clients/typescript/src/index.ts'
import { Field } from '../components/field.tsx'
import { Problem } from '../components/problem.tsx'
import { Status } from '../components/status.tsx'
import { useService } from '../connection/context.ts'
import { useTask } from '../connection/task.ts'
import { formatDate } from '../format.ts'
import { TEXTS } from '../texts.ts'

type State = keyof typeof TEXTS.deliveries.states

/** Messages that the button adds. */
const PAGE_SIZE = 50

interface Properties {
  id: string
  /** Another number loads the table again. */
  changes: number
}

export function Deliveries({ id, changes }: Properties) {
  const { client } = useService()
  const [state, setState] = useState<State>('')
  const [shown, setShown] = useState(PAGE_SIZE)
  const [loads, setLoads] = useState(0)
  const [last, setLast] = useState<Delivery[]>([])
  const [problem, setProblem] = useState<unknown>()
  const list = useTask(
    async signal => {
      const page: Delivery[] = []
      const filter = { limit: PAGE_SIZE, ...(state !== '' && { state }) }
      for await (const delivery of client.alerts.deliveries(id, filter, { signal })) {
        page.push(delivery)
        // One more shows that there are older ones.
        if (page.length > shown) break
      }
      return page
    },
    [id, changes, state, shown, loads],
  )
  if (list.state === 'done' && list.value !== last) setLast(list.value)
  const texts = TEXTS.deliveries
  const reload = () => setLoads(count => count + 1)
  const retry = async (delivery: Delivery) => {
    setProblem(undefined)
    try {
      await client.alerts.retry(id, delivery.id)
      reload()
    } catch (error) {
      setProblem(error)
    }
  }
  return (
    <section class="deliveries" aria-label={texts.title}>
      <h2>{texts.title}</h2>
      <div class="delivery-filter">
        <Field label={texts.filter}>
          {field => (
            <select id={field} value={state} onChange={event => setState(event.currentTarget.value as State)}>
              {Object.entries(texts.states).map(([value, name]) => (
                <option key={value} value={value}>
                  {name}
                </option>
              ))}
            </select>
          )}
        </Field>
        <button type="button" onClick={reload}>
          {texts.refresh}
        </button>
      </div>
      {problem !== undefined && <Problem error={problem} />}
      {list.state === 'failed' && <Problem error={list.error} onRetry={list.retry} />}
      {list.state === 'running' && last.length === 0 && <Status text={TEXTS.loading} />}
      {list.state === 'done' && last.length === 0 && <p class="empty">{texts.none}</p>}
      {last.length > 0 && <Table deliveries={last.slice(0, shown)} onRetry={one => void retry(one)} />}
      {last.length > shown && (
        <button type="button" class="quiet" onClick={() => setShown(shown + PAGE_SIZE)}>
          {texts.more}
        </button>
      )}
    </section>
  )
}

const Table = ({
  deliveries,
  onRetry,
}: {
  deliveries: readonly Delivery[]
  onRetry: (delivery: Delivery) => void
}) => (
  <div class="table-card">
    <table class="stacked">
      <caption>{TEXTS.deliveries.caption}</caption>
      <thead>
        <tr>
          {Object.entries(TEXTS.deliveries.columns).map(([column, name]) => (
            <th key={column} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {deliveries.map(delivery => (
          <Row key={delivery.id} delivery={delivery} onRetry={onRetry} />
        ))}
      </tbody>
    </table>
  </div>
)

function Row({ delivery, onRetry }: { delivery: Delivery; onRetry: (delivery: Delivery) => void }) {
  const { columns, ...texts } = TEXTS.deliveries
  const { id, created, state, attempts, fault, next_attempt, face_id, person_id } = delivery
  return (
    <tr>
      <th scope="row" data-label={columns.created}>
        {formatDate(created)}
      </th>
      <td data-label={columns.about}>
        {face_id === undefined ? texts.test : texts.face(face_id)}
        {person_id !== undefined && <small> {texts.person(person_id)}</small>}
      </td>
      <td data-label={columns.state}>
        {texts.states[state]}
        {state !== 'delivered' && fault !== undefined && <small> {texts.fault(fault)}</small>}
        {next_attempt !== undefined && attempts > 0 && <small> {texts.next(next_attempt)}</small>}
      </td>
      <td data-label={columns.attempts}>{attempts}</td>
      <td class="row-actions">
        {state === 'failed' && (
          <button
            type="button"
            class="small"
            aria-label={texts.retryOf(id)}
            onClick={() => onRetry(delivery)}
          >
            {texts.retry}
          </button>
        )}
      </td>
    </tr>
  )
}
