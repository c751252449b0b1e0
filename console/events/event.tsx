/** An event: its tile in the grid, and the dialog with everything that is known about it. */
import type { Face } from '../../clients/typescript/src/index.ts'
import { Dialog } from '../components/dialog.tsx'
import { Thumbnail, useSeenFace, WhoLine } from '../components/faces.tsx'
import { Loaded } from '../components/state.tsx'
import { Facts } from '../components/table.tsx'
import { formatDate, formatNumber } from '../format.ts'
import { TEXTS } from '../texts.ts'
import { whoOfFace, whoText } from '../who.ts'
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
  // The links of an event of the history are asked for when it is shown, as is who it was.
  const face = useSeenFace(event.id).value
  const who = whoOfFace(face ?? event)
  return (
    <button
      type="button"
      class="stack tile event"
      aria-label={TEXTS.events.event(whoText(who), camera, event.timestamp) + (mark && `, ${mark}`)}
      onClick={() => onOpen(event)}
    >
      <Thumbnail face={event.thumbnail === undefined ? face : { thumbnail: event.thumbnail }} />
      <WhoLine who={who} />
      <span class="hint" title={camera}>
        {formatDate(event.timestamp)}
      </span>
      {mark && <span class="badge alert-mark">{mark}</span>}
      {event.friend && <span class="badge">{TEXTS.events.friend}</span>}
    </button>
  )
}

interface DialogProperties {
  event: ShownEvent
  camera: string
  onClose: () => void
}

/** Everything that is known about an event, with its picture. */
export function EventDialog({ event, camera, onClose }: DialogProperties) {
  // The links of an event expire, and the face may have changed since.
  const face = useSeenFace(event.id)
  return (
    <Dialog title={whoText(whoOfFace(face.value ?? event))} onClose={onClose}>
      <Loaded task={face}>
        {found => (
          <div class="event-details">
            <Thumbnail face={found} label={TEXTS.events.picture} />
            <Facts class="details" facts={factsOf(found, camera)} />
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

function factsOf(face: Face, camera: string): [string, string | undefined][] {
  const { person_id, quality, photo, who } = face
  const texts = TEXTS.events
  return [
    [texts.time, formatDate(face.timestamp)],
    [texts.camera, camera],
    [texts.person, person_id === undefined ? undefined : texts.personName(person_id, who?.person.meta ?? '')],
    [texts.meta, face.meta === who?.person.meta ? undefined : face.meta],
    [texts.galleries, face.galleries.join(', ')],
    [TEXTS.try.quality, quality?.quality === undefined ? undefined : formatNumber(quality.quality)],
    [texts.isFriend, face.friend ? texts.yes : texts.no],
    [TEXTS.photo, photo],
    [texts.id, String(face.id)],
  ]
}
