/** The stream of live events and alerts of one caller: first those after a known position, then new ones as they are committed. */
import { sleep } from '../../../contract/environment.ts'
import { wrongValue } from '../../../contract/errors.ts'
import { EVENT_LIMITS } from '../../../contract/limits/events.ts'
import type { StreamEnd, StreamItem, StreamRequest } from '../../../contract/operations/messages.ts'
import { isTokenValid } from '../../metadata/access/tokens.ts'
import { deliveriesAbove } from '../../metadata/alerts/deliveries.ts'
import { eventsAbove, nextEvent, type SightingFilter } from '../../metadata/events/events.ts'
import { friendRule } from '../../metadata/faces/event-conditions.ts'
import { newestPosition } from '../../metadata/positions.ts'
import { alertDataOf } from '../alerts/signed-message.ts'
import { faceAnswer } from '../face-answer.ts'
import { galleryParameter } from '../galleries/galleries.ts'
import type { Services } from '../services.ts'
import type { Subscription } from './event-feed.ts'

type Item = StreamItem<'events.follow'>
type End = StreamEnd<'events.follow'>
type Request = StreamRequest<'events.follow'>

/**
 * Yields events, and alerts on request, in the order of their commits, oldest first. The first items, and the items of a quiet
 * stream, have only a position. Ends after EVENT_LIMITS.streamMs, when the token is no longer valid, and when core drains. Throws
 * BAD_PARAM for an unknown gallery and a position that is too old, RATE_LIMITED, and SERVICE_UNAVAILABLE.
 *
 * `return` ends a stream that waits for events: the caller has disconnected.
 */
export function followEvents(services: Services, request: Request): AsyncGenerator<Item[], End> {
  const subscription = services.events.subscribe(request.owner)
  const items = itemsOf(services, request, subscription)
  const finish = items.return.bind(items)
  return Object.assign(items, {
    return(end: End) {
      subscription.close()
      return finish(end)
    },
  })
}

async function* itemsOf(
  services: Services,
  { owner, token, filter, after, alerts = false }: Request,
  subscription: Subscription,
): AsyncGenerator<Item[], End> {
  const { database, now } = services
  const ends = now() + EVENT_LIMITS.streamMs
  try {
    const gallery = await galleryParameter(services, owner, filter.gallery)
    if (after !== undefined) await requireRecent(services, owner, after)
    let position = after ?? (await newestPosition(database, owner))
    yield [{ id: position }]
    while (!subscription.isClosed && now() < ends) {
      // A revoked token gets no further event.
      if (!(await isTokenValid(database, owner, token, now() * 1000))) break
      const seen = subscription.version
      const page = await nextPage(services, owner, { filter: { ...filter, gallery }, alerts }, position)
      position = page.position
      if (page.items.length > 0) yield page.items
      if (page.isFull) continue
      if (await subscription.changed(seen, EVENT_LIMITS.heartbeatMs)) await sleep(EVENT_LIMITS.gatherMs)
      else yield [{ id: position }]
    }
    return {}
  } finally {
    subscription.close()
  }
}

/** The events and alerts after a position, and the position after them. A full page may have others after it. */
async function nextPage(
  services: Services,
  owner: string,
  { filter, alerts }: { filter: SightingFilter; alerts: boolean },
  above: number,
): Promise<{ items: Item[]; position: number; isFull: boolean }> {
  const { database } = services
  // Read first: all rows up to it are committed. The queries may find rows above it, too. They belong to the next page.
  const newest = await newestPosition(database, owner)
  const bounds = { above, limit: EVENT_LIMITS.chunk }
  const events = await eventsAbove(database, friendRule(services), owner, filter, bounds)
  const deliveries = alerts
    ? await deliveriesAbove(database, friendRule(services), owner, filter, bounds)
    : []
  const ends = [events.at(-1)?.seq, deliveries.at(-1)?.id].filter(
    (end, i): end is number => end !== undefined && [events, deliveries][i]!.length === bounds.limit,
  )
  const position = Math.max(above, Math.min(newest, ...ends))
  const shown = deliveries.filter(({ id }) => id <= position)
  const data = await alertDataOf(services, owner, shown)
  const items: Item[] = [
    ...events
      .filter(({ seq }) => seq <= position)
      .map(({ seq, face, updated, added }) => ({
        id: seq,
        face: { ...faceAnswer(services, face), ...(updated && { updated }), ...(added && { added }) },
      })),
    ...[...data].map(([id, alert]) => ({ id, alert })),
  ]
  return { items: items.toSorted((a, b) => a.id - b.id), position, isFull: ends.length > 0 }
}

/** Throws BAD_PARAM when missed events are too old to be repeated, and for the number of a future event. */
async function requireRecent(
  { database, now }: Pick<Services, 'database' | 'now'>,
  owner: string,
  after: number,
) {
  const limit = (sign: 1 | -1) => (now() + sign * EVENT_LIMITS.ageMs) * 1000
  const hours = EVENT_LIMITS.ageMs / 3_600_000
  const isFuture = after > limit(1) && after > (await newestPosition(database, owner))
  const next = await nextEvent(database, owner, after)
  if (isFuture || (next !== undefined && next < limit(-1)))
    throw wrongValue(
      'last_event_id',
      after,
      `the id of an event after which all events are less than ${hours} hours old. Read the others with GET /history/search, and connect without it`,
    )
}
