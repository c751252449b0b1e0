/** The page Events: a live list of the faces that cameras post, newest on top, with filters. */
import { useState } from 'preact/hooks'
import type { AlertData } from '../../clients/typescript/src/index.ts'
import { LatestAlerts } from '../alerts/latest-alerts.tsx'
import { InputField, SelectField } from '../components/fields.tsx'
import { PageHead } from '../components/page.tsx'
import { PersonField } from '../components/person-picker.tsx'
import { Problem } from '../components/state.tsx'
import { cameraName, cameraOptions, galleryOptions, useCameras, useGalleries } from '../connection/lists.ts'
import { TileGrid } from '../grid/tile-grid.tsx'
import { TEXTS } from '../texts.ts'
import { EventDialog, EventTile } from './event.tsx'
import { ALL_EVENTS, type ChosenEvents, isFiltered, type ShownEvent } from './event-list.ts'
import { useEvents } from './use-events.ts'

/** Alerts above the events. */
const SHOWN_ALERTS = 5

export function EventsPage() {
  const [chosen, setChosen] = useState(ALL_EVENTS)
  const [opened, setOpened] = useState<ShownEvent>()
  const [changes, setChanges] = useState(0)
  const [isOpen, setIsOpen] = useState(false)
  // Whoever asks for a person wants to see the person.
  const isFolding = !isOpen && chosen.person === ''
  const { list, alerts, connection = 'connecting', problem, showWaiting } = useEvents(chosen, isFolding)
  const folded = list.folded.size
  const cameras = useCameras().value
  const nameOf = (id: string) => cameraName(cameras, id) ?? TEXTS.events.cameraId(id)
  return (
    <>
      <PageHead title={TEXTS.events.title} intro={TEXTS.events.intro} />
      <FilterForm cameras={cameraOptions(cameras)} chosen={chosen} onChosen={setChosen} />
      <p class={`badge dot ${connection}`} role="status">
        {problem === undefined && TEXTS.events.states[connection]}
      </p>
      {list.waiting > 0 && (
        <button type="button" class="primary new-events" onClick={showWaiting}>
          {TEXTS.events.waiting(list.waiting)}
        </button>
      )}
      <Problem error={problem} />
      <LatestAlerts alerts={alerts.slice(0, SHOWN_ALERTS)} />
      {(isOpen || folded > 0) && (
        <button type="button" class="quiet" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
          {isOpen ? TEXTS.events.fold : TEXTS.events.folded(folded)}
        </button>
      )}
      <TileGrid
        list={list}
        label={TEXTS.events.list}
        empty={isFiltered(chosen) || folded > 0 ? TEXTS.events.noMatch : TEXTS.events.empty}
      >
        {event => (
          <EventTile
            event={event}
            camera={nameOf(event.cam_id)}
            alert={alertNames(alerts, event.id)}
            changes={changes}
            onOpen={setOpened}
          />
        )}
      </TileGrid>
      {opened && (
        <EventDialog
          event={opened}
          onChanged={() => setChanges(changes + 1)}
          onClose={() => setOpened(undefined)}
        />
      )}
    </>
  )
}

interface FilterProperties {
  cameras: [id: string, name: string][]
  chosen: ChosenEvents
  onChosen: (chosen: ChosenEvents) => void
}

function FilterForm({ cameras, chosen, onChosen }: FilterProperties) {
  const galleries = galleryOptions(useGalleries().value)
  const texts = TEXTS.events
  /** Attributes of the field of a condition. */
  const field = (name: keyof ChosenEvents) => ({
    value: chosen[name],
    onChange({ currentTarget: changed }: { currentTarget: HTMLInputElement | HTMLSelectElement }) {
      if (changed.checkValidity()) onChosen({ ...chosen, [name]: changed.value })
    },
  })
  const named = galleries.filter(([name]) => name !== 'default')
  return (
    <form class="row" aria-label={texts.filter} onSubmit={event => event.preventDefault()}>
      <SelectField label={texts.camera} options={[['', texts.allCameras], ...cameras]} {...field('camera')} />
      <PersonField
        label={texts.person}
        chosen={chosen.person === '' ? [] : [Number(chosen.person)]}
        onChosen={([id = '']) => onChosen({ ...chosen, person: String(id) })}
      />
      <SelectField
        label={texts.gallery}
        options={[['', texts.allGalleries], ...named]}
        {...field('gallery')}
      />
      <SelectField label={texts.friends} options={Object.entries(texts.friendOptions)} {...field('friend')} />
      <InputField label={texts.start} type="datetime-local" {...field('start')} />
      <InputField label={texts.end} type="datetime-local" {...field('end')} />
      {isFiltered(chosen) && (
        <button type="button" class="quiet" onClick={() => onChosen(ALL_EVENTS)}>
          {texts.clear}
        </button>
      )}
    </form>
  )
}

/** The names of the rules that alerted to a face. */
const alertNames = (alerts: readonly AlertData[], face: number): string =>
  alerts
    .filter(data => data.face?.id === face)
    .map(({ alert }) => alert.name || TEXTS.alerts.unnamed)
    .join(', ')
