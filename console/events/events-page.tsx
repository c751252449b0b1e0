/** The page Events: a live list of the faces that cameras post, newest on top, with filters. */
import { useState } from 'preact/hooks'
import { cameraName, useCameras } from '../cameras/use-cameras.ts'
import { Problem } from '../components/problem.tsx'
import { TileGrid } from '../grid/tile-grid.tsx'
import { TEXTS } from '../texts.ts'
import { EventDialog } from './event-dialog.tsx'
import { ALL_EVENTS, isFiltered } from './event-filter.ts'
import type { ShownEvent } from './event-list.ts'
import { EventTile } from './event-tile.tsx'
import { FilterForm } from './filter-form.tsx'
import { alertNames, LatestAlerts } from './latest-alerts.tsx'
import { useEvents } from './use-events.ts'

export function EventsPage() {
  const [chosen, setChosen] = useState(ALL_EVENTS)
  const [opened, setOpened] = useState<ShownEvent>()
  const { list, alerts, connection, problem, showWaiting } = useEvents(chosen)
  const cameras = useCameras()
  const nameOf = (id: string) => cameraName(cameras, id) ?? TEXTS.events.cameraId(id)
  return (
    <>
      <header class="page-head">
        <h1>{TEXTS.events.title}</h1>
        <p>{TEXTS.events.intro}</p>
      </header>
      <FilterForm cameras={cameras} chosen={chosen} onChosen={setChosen} />
      <div class="event-state">
        <p class={`live-state ${connection ?? 'connecting'}`} role="status">
          {problem === undefined && TEXTS.events.states[connection ?? 'connecting']}
        </p>
        {list.waiting > 0 && (
          <button type="button" class="primary new-events" onClick={showWaiting}>
            {TEXTS.events.waiting(list.waiting)}
          </button>
        )}
      </div>
      {problem !== undefined && <Problem error={problem} />}
      <LatestAlerts alerts={alerts} />
      <TileGrid
        list={list}
        label={TEXTS.events.list}
        empty={isFiltered(chosen) ? TEXTS.events.noMatch : TEXTS.events.empty}
      >
        {event => (
          <EventTile
            event={event}
            camera={nameOf(event.cam_id)}
            alert={alertNames(alerts, event.id)}
            onOpen={setOpened}
          />
        )}
      </TileGrid>
      {opened && (
        <EventDialog event={opened} camera={nameOf(opened.cam_id)} onClose={() => setOpened(undefined)} />
      )}
    </>
  )
}
