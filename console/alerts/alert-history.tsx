/** The alerts that the service keeps: filters, pages, and marks of who saw them. */
import { useState } from 'preact/hooks'
import { InputField, SelectField } from '../components/fields.tsx'
import { Loaded } from '../components/state.tsx'
import { cameraOptions, galleryOptions, useCameras, useGalleries } from '../connection/lists.ts'
import { useService, useStore } from '../connection/service.ts'
import { useTask } from '../connection/task.ts'
import { hashOf } from '../route.ts'
import { TEXTS } from '../texts.ts'
import { AlertLine, Seen } from './latest-alerts.tsx'

/** Alerts that the button adds. */
const ALERTS_PER_PAGE = 20

const ALL = { alert: '', cam_ids: '', gallery: '', seen: '', start: '', end: '' }

type Chosen = typeof ALL

/** The filter for the API. Times of the fields are in the visitor's zone. */
const conditionsOf = ({ seen, start, end, ...chosen }: Chosen) => ({
  ...Object.fromEntries(Object.entries(chosen).filter(([, value]) => value !== '')),
  ...(seen !== '' && { seen: seen === 'true' }),
  ...(start !== '' && { start: new Date(start).toISOString() }),
  ...(end !== '' && { end: new Date(end).toISOString() }),
})

/** With an `event`, the alerts about this event alone. */
export function AlertHistory({ rules, event }: { rules: [string, string][]; event: number | undefined }) {
  const { client, unseen } = useService()
  const count = useStore(unseen)
  const [chosen, setChosen] = useState(ALL)
  const [shown, setShown] = useState(ALERTS_PER_PAGE)
  const filter = event === undefined ? conditionsOf(chosen) : { event_id: event }
  const list = useTask(
    // One more shows that there are older ones.
    signal =>
      client.alerts.history({ ...filter, pageSize: ALERTS_PER_PAGE + 1 }, { signal }).toArray(shown + 1),
    [event, chosen],
    [shown, count],
  )
  const isFiltered = event !== undefined || Object.values(chosen).some(value => value !== '')
  const clear = () => {
    setChosen(ALL)
    if (event !== undefined) location.hash = hashOf({ page: 'alerts' })
  }
  const texts = TEXTS.alertHistory
  return (
    <section class="stack" aria-label={TEXTS.latestAlerts.title}>
      <h2>{TEXTS.latestAlerts.title}</h2>
      <form class="row" aria-label={TEXTS.events.filter} onSubmit={one => one.preventDefault()}>
        {event === undefined && <FilterFields rules={rules} chosen={chosen} onChosen={setChosen} />}
        {isFiltered && (
          <button type="button" class="quiet" onClick={clear}>
            {TEXTS.events.clear}
          </button>
        )}
      </form>
      <Loaded task={list} empty={isFiltered ? texts.noMatch : texts.none}>
        {alerts => (
          <ul class="card stack tight small-faces">
            {alerts.slice(0, shown).map(entry => (
              <AlertLine key={entry.id} data={entry}>
                <Seen entry={entry} />
              </AlertLine>
            ))}
          </ul>
        )}
      </Loaded>
      {list.value && list.value.length > shown && (
        <button type="button" class="quiet" onClick={() => setShown(shown + ALERTS_PER_PAGE)}>
          {texts.more}
        </button>
      )}
    </section>
  )
}

interface FilterProperties {
  rules: [string, string][]
  chosen: Chosen
  onChosen: (chosen: Chosen) => void
}

function FilterFields({ rules, chosen, onChosen }: FilterProperties) {
  const galleries = galleryOptions(useGalleries().value)
  const cameras = useCameras().value
  const [texts, events] = [TEXTS.alertHistory, TEXTS.events]
  /** Attributes of the field of a condition. */
  const field = (name: keyof Chosen) => ({
    value: chosen[name],
    onChange({ currentTarget: changed }: { currentTarget: HTMLInputElement | HTMLSelectElement }) {
      if (changed.checkValidity()) onChosen({ ...chosen, [name]: changed.value })
    },
  })
  return (
    <>
      {rules.length > 0 && (
        <SelectField label={texts.rule} options={[['', texts.allRules], ...rules]} {...field('alert')} />
      )}
      <SelectField
        label={events.camera}
        options={[['', events.allCameras], ...cameraOptions(cameras)]}
        {...field('cam_ids')}
      />
      <SelectField
        label={events.gallery}
        options={[['', events.allGalleries], ...galleries.filter(([name]) => name !== 'default')]}
        {...field('gallery')}
      />
      <SelectField label={texts.state} options={Object.entries(texts.states)} {...field('seen')} />
      <InputField label={events.start} type="datetime-local" {...field('start')} />
      <InputField label={events.end} type="datetime-local" {...field('end')} />
    </>
  )
}
