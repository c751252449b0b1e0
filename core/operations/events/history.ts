/** History: faces posted by cameras, as events of an owner and as entries of one person. */
import { FACE_LIMITS } from '../../../contract/limits/faces.ts'
import { boxOf } from '../../../contract/model/bbox.ts'
import type { HistoryEvent, HistoryFilter, PersonHistoryEntry } from '../../../contract/model/history.ts'
import { omitNull } from '../../../contract/omit-undefined.ts'
import type { StreamEnd, StreamRequest } from '../../../contract/operations/messages.ts'
import { timestampText } from '../../../contract/timestamps.ts'
import { nextEvents, type StoredEvent } from '../../metadata/events/events.ts'
import { friendRule } from '../../metadata/faces/event-conditions.ts'
import { pictureLink } from '../../pictures/links.ts'
import { candidateAnswer } from '../face-answer.ts'
import { galleryParameter } from '../galleries/galleries.ts'
import { getPerson } from '../persons/persons.ts'
import type { Services } from '../services.ts'

/** Yields events in chunks, newest first, up to the limit. Returns whether there are older events. */
export async function* searchHistory(
  services: Services,
  { owner, filter, maxId, limit }: StreamRequest<'history.search'>,
): AsyncGenerator<HistoryEvent[], StreamEnd<'history.search'>> {
  const selected = { ...filter, gallery: await galleryParameter(services, owner, filter.gallery) }
  let left = limit === 0 ? Number.POSITIVE_INFINITY : limit
  // One extra event shows whether there are older ones.
  for await (const events of eventsBelow(services, owner, selected, { maxId, most: left + 1 })) {
    const asked = events.slice(0, left)
    if (asked.length > 0) yield asked.map(eventAnswer)
    if (events.length > left) return { older: true }
    left -= events.length
  }
  return { older: false }
}

/** Yields the history of a person in chunks, newest first. Throws NOT_FOUND when the owner does not have this person. */
export async function* personHistory(
  services: Services,
  { owner, filter }: StreamRequest<'person.history'>,
): AsyncGenerator<PersonHistoryEntry[], StreamEnd<'person.history'>> {
  const { personId } = filter
  await getPerson(services, { owner, id: personId })
  for await (const events of eventsBelow(services, owner, filter)) {
    yield events.map(event => personEntry(services, personId, event))
  }
  return {}
}

interface Bounds {
  /** Only events below this id. */
  maxId?: number
  /** Total number of events. Default: no bound. */
  most?: number
}

/** Yields non-empty chunks of events. Each chunk is a separate query: a slow reader holds no cursor. */
async function* eventsBelow(
  { database, options }: Pick<Services, 'database' | 'options'>,
  owner: string,
  filter: HistoryFilter,
  { maxId = Number.MAX_SAFE_INTEGER, most = Number.POSITIVE_INFINITY }: Bounds = {},
): AsyncGenerator<StoredEvent[]> {
  const friends = friendRule({ options })
  for (let below = maxId, left = most; left > 0; ) {
    const limit = Math.min(left, FACE_LIMITS.streamChunk)
    const events = await nextEvents(database, friends, owner, filter, { below, limit })
    if (events.length > 0) yield events
    if (events.length < limit) return
    below = events.at(-1)!.id
    left -= events.length
  }
}

const eventAnswer = (event: StoredEvent): HistoryEvent => ({
  id: event.id,
  friend: event.friend,
  meta: event.meta,
  photo_hash: event.photoHash,
  photo: event.photo,
  cam_id: event.camera,
  ...omitNull({ person_id: event.personId, silent: event.silent || null }),
  ...candidateAnswer(event),
  timestamp: timestampText(event.timestamp),
  ...boxOf(event),
})

const personEntry = (
  { links, now }: Pick<Services, 'links' | 'now'>,
  personId: number,
  event: StoredEvent,
) => ({
  person_id: personId,
  face_id: event.id,
  cam_id: event.camera,
  meta: event.meta,
  screenshot: event.pictured ? pictureLink(links(), event, 'thumbnail', now()) : '',
  timestamp: timestampText(event.timestamp),
})

export const historyHandlers = {
  'history.search': searchHistory,
  'person.history': personHistory,
}
