/** The page Events: a live list of the faces that cameras post, newest on top, with filters. */
import { useEffect, useMemo, useState } from 'preact/hooks'
import type { AlertData } from '../../clients/typescript/src/index.ts'
import { LatestAlerts } from '../alerts/latest-alerts.tsx'
import { CheckField, InputField, SelectField } from '../components/fields.tsx'
import { PageHead } from '../components/page.tsx'
import { PersonField } from '../components/person-picker.tsx'
import { Problem } from '../components/state.tsx'
import { cameraName, cameraOptions, galleryOptions, useCameras, useGalleries } from '../connection/lists.ts'
import { useTabs } from '../connection/session.ts'
import { LARGE_TILE, TileGrid } from '../grid/tile-grid.tsx'
import { hashOf } from '../route.ts'
import { TEXTS } from '../texts.ts'
import { EventDialog, EventTile, EvidenceButton } from './event.tsx'
import {
  ALL_EVENTS,
  type ChosenEvents,
  eventIn,
  historyFilter,
  isFiltered,
  queryOf,
  readChosen,
} from './event-list.ts'
import { useEvents } from './use-events.ts'

/** A window in which the filter is folded. */
const NARROW_SCREEN = '(max-width: 48rem)'

export function EventsPage({ query = '' }: { query?: string }) {
  const chosen = useMemo(() => readChosen(query), [query])
  const opened = eventIn(query)
  const choose = (to: ChosenEvents) => {
    location.hash = hashOf({ page: 'events', query: queryOf(to) })
  }
  // A dialog is no entry of the history: Back leaves the page.
  const open = (event?: number) => location.replace(hashOf({ page: 'events', query: queryOf(chosen, event) }))
  const [changes, setChanges] = useState(0)
  const [isOpen, setIsOpen] = useState(false)
  // A filter by person shows the events of the person one by one.
  const isFolding = !isOpen && chosen.person === ''
  const {
    list,
    alerts,
    connection = 'connecting',
    problem,
    showWaiting,
    reload,
  } = useEvents(chosen, isFolding)
  const [hasSound, setHasSound] = useState(false)
  useEffect(() => {
    if (hasSound && alerts.length > 0) playTone()
  }, [alerts[0]])
  const receive = (isDeletion: boolean) => {
    setChanges(count => count + 1)
    if (isDeletion) reload()
  }
  const tell = useTabs<boolean>('events', receive)
  const change = (isDeletion: boolean) => {
    receive(isDeletion)
    tell(isDeletion)
  }
  const folded = list.folded.size
  const cameras = useCameras().value
  const nameOf = (id: string) => cameraName(cameras, id) ?? TEXTS.events.cameraId(id)
  const setSound = () => {
    if (!hasSound) playTone()
    setHasSound(!hasSound)
  }
  return (
    <>
      <PageHead title={TEXTS.events.title} intro={TEXTS.events.intro} />
      <details class="filters" open={!matchMedia(NARROW_SCREEN).matches}>
        <summary>{TEXTS.events.filter}</summary>
        <FilterForm cameras={cameraOptions(cameras, chosen.camera)} chosen={chosen} onChosen={choose} />
      </details>
      <div class="row">
        <p class={`badge dot ${connection}`} role="status">
          {problem === undefined && TEXTS.events.states[connection]}
        </p>
        <CheckField label={TEXTS.events.sound} checked={hasSound} onChange={setSound} />
        {document.fullscreenEnabled && (
          <button type="button" class="quiet" onClick={switchFullScreen}>
            {TEXTS.events.fullScreen}
          </button>
        )}
        <EvidenceButton filter={historyFilter(chosen)} name="evidence" />
        {isFiltered(chosen) && (
          <button type="button" class="quiet" onClick={() => choose(ALL_EVENTS)}>
            {TEXTS.events.clear}
          </button>
        )}
      </div>
      {list.waiting > 0 && (
        <button type="button" class="primary new-events" onClick={showWaiting}>
          {TEXTS.events.waiting(list.waiting)}
        </button>
      )}
      <Problem error={problem} />
      <LatestAlerts alerts={alerts} />
      {(isOpen || folded > 0) && (
        <button type="button" class="quiet" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
          {isOpen ? TEXTS.events.fold : TEXTS.events.folded(folded)}
        </button>
      )}
      <TileGrid
        list={list}
        tile={LARGE_TILE}
        label={TEXTS.events.list}
        empty={isFiltered(chosen) || folded > 0 ? TEXTS.events.noMatch : TEXTS.events.empty}
      >
        {event => (
          <EventTile
            event={event}
            camera={nameOf(event.cam_id)}
            alert={alertNames(alerts, event.id)}
            changes={changes}
            onSilent={() => isFolding && reload()}
            onOpen={() => open(event.id)}
          />
        )}
      </TileGrid>
      {opened !== undefined && (
        <EventDialog
          key={opened}
          id={opened}
          onChanged={() => change(false)}
          onDeleted={() => change(true)}
          onClose={() => open()}
        />
      )}
    </>
  )
}

/** Seconds and pitch of the sound at an alert. */
const TONE = { seconds: 0.4, hertz: 880 } as const

function playTone() {
  const audio = new AudioContext()
  const tone = new OscillatorNode(audio, { frequency: TONE.hertz })
  tone.connect(audio.destination)
  tone.onended = () => void audio.close()
  tone.start()
  tone.stop(audio.currentTime + TONE.seconds)
}

const switchFullScreen = (): void =>
  void (document.fullscreenElement ? document.exitFullscreen() : document.documentElement.requestFullscreen())

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
    </form>
  )
}

/** The names of the rules that alerted to a face. */
const alertNames = (alerts: readonly AlertData[], face: number) =>
  alerts
    .filter(data => data.face?.id === face)
    .map(({ alert }) => alert.name || TEXTS.alerts.unnamed)
    .join(', ')
