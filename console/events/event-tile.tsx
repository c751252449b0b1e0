/** An event in the grid: a button with its picture, who it was, where and when. */
import { Thumbnail } from '../components/thumbnail.tsx'
import { useService } from '../connection/context.ts'
import { useTask } from '../connection/task.ts'
import { formatDate } from '../format.ts'
import { TEXTS } from '../texts.ts'
import type { ShownEvent } from './event-list.ts'

interface Properties {
  event: ShownEvent
  camera: string
  /** Names of the rules that the event has alerted; empty without one. */
  alert: string
  onOpen: (event: ShownEvent) => void
}

export function EventTile({ event, camera, alert, onOpen }: Properties) {
  return (
    <button
      type="button"
      class="tile event"
      aria-label={[
        TEXTS.events.event(event.meta, camera, event.timestamp),
        alert && TEXTS.latestAlerts.mark(alert),
      ]
        .filter(text => text)
        .join(', ')}
      onClick={() => onOpen(event)}
    >
      <EventPicture event={event} />
      <span class="tile-meta" title={event.meta}>
        {event.meta || TEXTS.try.noMeta}
      </span>
      <span class="hint" title={camera}>
        {formatDate(event.timestamp)}
      </span>
      {alert && <span class="alert-mark">{TEXTS.latestAlerts.mark(alert)}</span>}
      {event.friend && <span class="badge">{TEXTS.events.friend}</span>}
    </button>
  )
}

/** Live events have a link to their picture. That of an event of the history is asked for when the event is shown. */
function EventPicture({ event: { id, thumbnail } }: { event: ShownEvent }) {
  const { client } = useService()
  const face = useTask(thumbnail === undefined ? signal => client.faces.get(id, { signal }) : undefined, [
    id,
    thumbnail,
  ])
  const link = thumbnail ?? (face.state === 'done' ? face.value.thumbnail : '')
  return <Thumbnail face={{ thumbnail: link }} />
}
