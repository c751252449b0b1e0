/** The dialog of one event: its picture, and everything that is known about it. */
import type { Face } from '../../clients/typescript/src/index.ts'
import { Dialog } from '../components/dialog.tsx'
import { Problem } from '../components/problem.tsx'
import { Status } from '../components/status.tsx'
import { Thumbnail } from '../components/thumbnail.tsx'
import { useService } from '../connection/context.ts'
import { useTask } from '../connection/task.ts'
import { formatDate, formatNumber } from '../format.ts'
import { TEXTS } from '../texts.ts'
import type { ShownEvent } from './event-list.ts'

interface Properties {
  event: ShownEvent
  camera: string
  onClose: () => void
}

export function EventDialog({ event, camera, onClose }: Properties) {
  const { client } = useService()
  const { id, person_id } = event
  // The links of an event expire, and the face may have changed since.
  const face = useTask(signal => client.faces.get(id, { signal }), [id])
  const personId = face.state === 'done' ? face.value.person_id : person_id
  const person = useTask(
    typeof personId === 'number' ? signal => client.persons.get(personId, { signal }) : undefined,
    [personId],
  )
  const personMeta = person.state === 'done' ? person.value.meta : ''
  return (
    <Dialog title={event.meta || TEXTS.events.unknown} onClose={onClose}>
      {face.state === 'running' && <Status text={TEXTS.loading} />}
      {face.state === 'failed' && <Problem error={face.error} onRetry={face.retry} />}
      {face.state === 'done' && (
        <div class="event-details">
          <Thumbnail face={face.value} label={TEXTS.events.picture} />
          <dl class="details">
            {detailsOf(face.value, camera, personMeta).map(([name, value]) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd>{value}</dd>
              </div>
            ))}
          </dl>
        </div>
      )}
      <div class="actions">
        <button type="button" onClick={onClose}>
          {TEXTS.events.close}
        </button>
      </div>
    </Dialog>
  )
}

function detailsOf(face: Face, camera: string, personMeta: string): [string, string][] {
  const { person_id, quality, photo } = face
  const details: [string, string | undefined][] = [
    [TEXTS.events.time, formatDate(face.timestamp)],
    [TEXTS.events.camera, camera],
    [
      TEXTS.events.person,
      person_id === undefined ? undefined : TEXTS.events.personName(person_id, personMeta),
    ],
    [TEXTS.events.meta, face.meta],
    [TEXTS.events.galleries, face.galleries.join(', ')],
    [TEXTS.try.quality, quality?.quality === undefined ? undefined : formatNumber(quality.quality)],
    [TEXTS.events.isFriend, face.friend ? TEXTS.events.yes : TEXTS.events.no],
    [TEXTS.photo, photo],
    [TEXTS.events.id, String(face.id)],
  ]
  return details.filter((detail): detail is [string, string] => Boolean(detail[1]))
}
