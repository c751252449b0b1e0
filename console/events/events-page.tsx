/** The page Events: a live list of the faces that cameras post, newest on top, with filters. */
import { useState } from 'preact/hooks'
import { Problem } from '../components/problem.tsx'
import { useService } from '../connection/context.ts'
import { useTask } from '../connection/task.ts'
import { TileGrid } from '../grid/tile-grid.tsx'
import { TEXTS } from '../texts.ts'
import { EventDialog } from './event-dialog.tsx'
import { ALL_EVENTS } from './event-filter.ts'
import type { ShownEvent } from './event-list.ts'
import { EventTile } from './event-tile.tsx'
import { FilterForm } from './filter-form.tsx'
import { alertNames, LatestAlerts } from './latest-alerts.tsx'
import { useEvents } from './use-events.ts'

export function EventsPage() {
  const { client } = useService()
  const [chosen, setChosen] = useState(ALL_EVENTS)
  const [opened, setOpened] = useState<ShownEvent>()
  const { list, alerts, connection, problem, showWaiting } = useEvents(chosen)
  const cameras = useTask(signal => client.cameras.list({ signal }).toArray(), [])
  const known = cameras.state === 'done' ? cameras.value : []
  const cameraName = (id: string) =>
    known.find(camera => camera.id.replaceAll('-', '') === id)?.meta || TEXTS.events.cameraId(id)
  return (
    <>
      <header class="page-head">
        <h1>{TEXTS.events.title}</h1>
        <p>{TEXTS.events.intro}</p>
      </header>
      <FilterForm cameras={known} chosen={chosen} onChosen={setChosen} />
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
      <TileGrid list={list} label={TEXTS.events.list} empty={TEXTS.events.empty}>
        {event => (
          <EventTile
            event={event}
            camera={cameraName(event.cam_id)}
            alert={alertNames(alerts, event.id)}
            onOpen={setOpened}
          />
        )}
      </TileGrid>
      {opened && (
        <EventDialog event={opened} camera={cameraName(opened.cam_id)} onClose={() => setOpened(undefined)} />
      )}
    </>
  )
}
