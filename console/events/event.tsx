/** An event: its tile in the grid, and the dialog with everything that is known about it. */
import type { Face } from '../../clients/typescript/src/index.ts'
import { Dialog } from '../components/dialog.tsx'
import { Thumbnail } from '../components/faces.tsx'
import { Loaded } from '../components/state.tsx'
import { Facts } from '../components/table.tsx'
import { useService } from '../connection/service.ts'
import { useTask } from '../connection/task.ts'
import { formatDate, formatNumber } from '../format.ts'
import { TEXTS } from '../texts.ts'
import type { ShownEvent } from './event-list.ts'

interface TileProperties {
  event: ShownEvent
  camera: string
  /** Names of the rules that the event has alerted; empty without one. */
  alert: string
  onOpen: (event: ShownEvent) => void
}

export function EventTile({ event, camera, alert, onOpen }: TileProperties) {
  const mark = alert && TEXTS.latestAlerts.mark(alert)
  return (
    <button
      type="button"
      class="stack tile event"
      aria-label={TEXTS.events.event(event.meta, camera, event.timestamp) + (mark && `, ${mark}`)}
      onClick={() => onOpen(event)}
    >
      <EventPicture event={event} />
      <span class="tile-meta" title={event.meta}>
        {event.meta || TEXTS.try.noMeta}
      </span>
      <span class="hint" title={camera}>
        {formatDate(event.timestamp)}
      </span>
      {mark && <span class="badge alert-mark">{mark}</span>}
      {event.friend && <span class="badge">{TEXTS.events.friend}</span>}
    </button>
  )
}

/** Live events have a link to their picture. That of an event of the history is asked for when the event is shown. */
function EventPicture({ event: { id, thumbnail } }: { event: ShownEvent }) {
  const { client } = useService()
  const load = (signal: AbortSignal) => client.faces.get(id, { signal })
  const face = useTask(thumbnail === undefined ? load : undefined, [id, thumbnail])
  return <Thumbnail face={thumbnail === undefined ? face.value : { thumbnail }} />
}

interface DialogProperties {
  event: ShownEvent
  camera: string
  onClose: () => void
}

/** Everything that is known about an event, with its picture. */
export function EventDialog({ event: { id, meta, person_id }, camera, onClose }: DialogProperties) {
  const { client } = useService()
  // The links of an event expire, and the face may have changed since.
  const face = useTask(signal => client.faces.get(id, { signal }), [id])
  const person = face.value ? face.value.person_id : person_id
  const load = (signal: AbortSignal) => client.persons.get(Number(person), { signal })
  const named = useTask(typeof person === 'number' ? load : undefined, [person])
  return (
    <Dialog title={meta || TEXTS.events.unknown} onClose={onClose}>
      <Loaded task={face}>
        {found => (
          <div class="event-details">
            <Thumbnail face={found} label={TEXTS.events.picture} />
            <Facts class="details" facts={factsOf(found, camera, named.value?.meta ?? '')} />
          </div>
        )}
      </Loaded>
      <div class="row actions">
        <button type="button" onClick={onClose}>
          {TEXTS.events.close}
        </button>
      </div>
    </Dialog>
  )
}

function factsOf(face: Face, camera: string, personMeta: string): [string, string | undefined][] {
  const { person_id, quality, photo } = face
  const texts = TEXTS.events
  return [
    [texts.time, formatDate(face.timestamp)],
    [texts.camera, camera],
    [texts.person, person_id === undefined ? undefined : texts.personName(person_id, personMeta)],
    [texts.meta, face.meta],
    [texts.galleries, face.galleries.join(', ')],
    [TEXTS.try.quality, quality?.quality === undefined ? undefined : formatNumber(quality.quality)],
    [texts.isFriend, face.friend ? texts.yes : texts.no],
    [TEXTS.photo, photo],
    [texts.id, String(face.id)],
  ]
}
