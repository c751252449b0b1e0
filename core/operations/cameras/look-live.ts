/** The streams of the live view: frames for viewers, and for watchers the cameras with viewers. */
import { ServiceError } from '../../../contract/errors.ts'
import { CAMERA_LIMITS } from '../../../contract/limits/cameras.ts'
import { EVENT_LIMITS } from '../../../contract/limits/events.ts'
import type { StreamEnd, StreamItem, StreamRequest } from '../../../contract/operations/messages.ts'
import { isTokenValid } from '../../metadata/access/tokens.ts'
import { cameraById, leaseOf } from '../../metadata/cameras/cameras.ts'
import type { Subscription } from '../events/event-feed.ts'
import type { Services } from '../services.ts'
import { keyOf, type LiveFrame } from './live-view.ts'

type Watched = StreamItem<'cameras.viewers'>
type Live = StreamItem<'camera.live'>
type Needed = Pick<Services, 'database' | 'now' | 'liveView'>

/** Yields the cameras with viewers, at each change and as a heartbeat. Ends as the stream of events does. */
export function followViewers(
  services: Needed,
  request: StreamRequest<'cameras.viewers'>,
): AsyncGenerator<Watched[], StreamEnd<'cameras.viewers'>> {
  const { liveView } = services
  const subscription = liveView.watchers.subscribe(request.owner)
  return closing(watchedItems(services, request, subscription), subscription.close)
}

async function* watchedItems(
  { database, now, liveView }: Needed,
  { owner, token }: StreamRequest<'cameras.viewers'>,
  subscription: Subscription,
): AsyncGenerator<Watched[], StreamEnd<'cameras.viewers'>> {
  const ends = now() + EVENT_LIMITS.streamMs
  try {
    while (
      !subscription.isClosed &&
      now() < ends &&
      (await isTokenValid(database, owner, token, now() * 1000))
    ) {
      const seen = subscription.version
      yield [{ cameras: liveView.watchedBy(owner) }]
      await subscription.changed(seen, EVENT_LIMITS.heartbeatMs)
    }
    return {}
  } finally {
    subscription.close()
  }
}

/**
 * Yields the newest frame whenever the viewer has taken the previous one. Ends after EVENT_LIMITS.streamMs, without frames, when
 * the token is no longer valid, and when core drains. Throws NOT_FOUND without a watcher, and RATE_LIMITED for too many viewers.
 */
export function lookLive(
  services: Needed,
  request: StreamRequest<'camera.live'>,
): AsyncGenerator<Live[], StreamEnd<'camera.live'>> {
  const { owner, id } = request
  const { viewers, watchers, frames } = services.liveView
  const key = keyOf(owner, id)
  const subscription = viewers.subscribe(key)
  const leave = () => {
    if (subscription.isClosed) return
    subscription.close()
    if (viewers.followed.has(key)) return
    frames.delete(key)
    watchers.wake(owner)
  }
  return closing(liveItems(services, request, subscription, leave), leave)
}

async function* liveItems(
  services: Needed,
  { owner, token, id }: StreamRequest<'camera.live'>,
  subscription: Subscription,
  leave: () => void,
): AsyncGenerator<Live[], StreamEnd<'camera.live'>> {
  const { database, now, liveView } = services
  const ends = now() + EVENT_LIMITS.streamMs
  let last: LiveFrame | undefined
  let arrivedAt = now()
  let checkedAt = Number.NEGATIVE_INFINITY
  try {
    await requireWatcher(services, owner, id)
    liveView.watchers.wake(owner)
    // The response begins before the first frame.
    yield []
    while (!subscription.isClosed && now() < ends && now() - arrivedAt < CAMERA_LIMITS.liveSilenceMs) {
      if (now() - checkedAt >= EVENT_LIMITS.heartbeatMs) {
        if (!(await isTokenValid(database, owner, token, now() * 1000))) break
        checkedAt = now()
      }
      const seen = subscription.version
      const frame = liveView.frames.get(keyOf(owner, id))
      if (frame && frame !== last) {
        last = frame
        yield [{ picture: frame.picture }]
        // The time in which the viewer does not read is no silence of the camera.
        arrivedAt = now()
      } else if (!(await subscription.changed(seen, EVENT_LIMITS.heartbeatMs))) yield []
    }
    return {}
  } finally {
    leave()
  }
}

/** Throws NOT_FOUND unless a watcher that knows the live view may hold the camera. */
async function requireWatcher({ database, liveView }: Needed, owner: string, id: string) {
  if (!(await cameraById(database, owner, id))) throw new ServiceError('NOT_FOUND')
  const lease = await leaseOf(database, owner, id)
  if (!lease?.isHeld || !liveView.watchers.followed.has(owner))
    throw new ServiceError('NOT_FOUND', { reason: 'No watcher with a live view watches this camera.' })
}

/** The items; `return` also ends a wait for the next ones: the caller has disconnected. */
function closing<Item, End>(items: AsyncGenerator<Item, End>, close: () => void): AsyncGenerator<Item, End> {
  const finish = items.return.bind(items)
  return Object.assign(items, {
    return(end: End) {
      close()
      return finish(end)
    },
  })
}
