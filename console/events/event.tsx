/** An event: its tile in the grid, and the dialog with everything that is known about it. */
import { Dialog } from '../components/dialog.tsx'
import { Thumbnail, useSeenFace, WhoLine } from '../components/faces.tsx'
import { FaceDetails } from '../faces/face-details.tsx'
import { formatSecond } from '../format.ts'
import { hashOf } from '../route.ts'
import { TEXTS } from '../texts.ts'
import { whoOfFace, whoText } from '../who.ts'
import type { ShownEvent } from './event-list.ts'
import { EvidenceButton } from './evidence-button.tsx'

interface TileProperties {
  event: ShownEvent
  camera: string
  /** Names of the rules that the event has alerted; empty without one. */
  alert: string
  /** Number of changes of persons: the tile says the new name. */
  changes: number
  onOpen: () => void
}

export function EventTile({ event, camera, alert, changes, onOpen }: TileProperties) {
  const mark = alert && TEXTS.latestAlerts.mark(alert)
  // The links of an event of the history are asked for when it is shown, as is who it was.
  const face = useSeenFace(event.id, changes).value
  const who = whoOfFace(face ?? event)
  return (
    <button
      type="button"
      class="bare tile event large"
      aria-label={TEXTS.events.event(whoText(who), camera, event.timestamp) + (mark && `, ${mark}`)}
      onClick={onOpen}
    >
      <Thumbnail face={event.thumbnail === undefined ? face : { thumbnail: event.thumbnail }} />
      <WhoLine who={who} />
      <span class="one-line" title={camera}>
        {camera}
      </span>
      <span class="hint">{formatSecond(event.timestamp)}</span>
      {mark && <span class="badge danger solid one-line">{mark}</span>}
      {event.friend && <span class="badge">{TEXTS.events.friend}</span>}
    </button>
  )
}

interface DialogProperties {
  id: number
  onChanged: () => void
  onDeleted: () => void
  onClose: () => void
}

/** Everything that is known about an event, and who it is. */
export const EventDialog = ({ id, onChanged, onDeleted, onClose }: DialogProperties) => (
  <Dialog title={TEXTS.events.one} onClose={onClose}>
    <FaceDetails id={id} onChanged={onChanged} onDeleted={onDeleted} />
    <div class="row actions">
      <EvidenceButton filter={{ event_id: id }} name={`event-${id}`} />
      <a class="button" href={hashOf({ page: 'face', id })}>
        {TEXTS.face.open}
      </a>
      <button type="button" onClick={onClose}>
        {TEXTS.events.close}
      </button>
    </div>
  </Dialog>
)
