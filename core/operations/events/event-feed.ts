/**
 * Wakes the streams of live events: at once for enrolments of this core, and by one repeated query of the metadata for enrolments
 * of other cores. It holds no events: streams read the metadata at their own pace.
 */
import { environment } from '../../../contract/environment.ts'
import { ServiceError } from '../../../contract/errors.ts'
import { EVENT_LIMITS } from '../../../contract/limits/events.ts'
import { type RepeatedTask, repeatedly } from '../repeatedly.ts'

/** One stream. */
export interface Subscription {
  readonly isClosed: boolean
  /** Changes when the owner may have new events. */
  readonly version: number
  /** Resolves with true when `version` differs from `seen` or the stream is closed, with false after `ms` milliseconds. */
  changed(seen: number, ms: number): Promise<boolean>
  close(): void
}

export interface EventFeed {
  /** Adds a stream. Throws RATE_LIMITED for too many streams of the owner, and SERVICE_UNAVAILABLE. */
  subscribe(owner: string): Subscription
  /** Call it when this core has committed events of the owner. */
  wake(owner: string): void
  /** Calls `listener` at each wake. Returns a function that ends this. */
  onWake(listener: () => void): () => void
  /** Owners that have a stream. */
  readonly followed: Pick<ReadonlyMap<string, unknown>, 'has' | 'keys'>
  /** Closes all streams, and refuses new ones. */
  close(): Promise<void>
}

/** Source of the repeated query. Both numbers count events. */
interface EventSource {
  newest(): Promise<number>
  /** The greatest number above `above`, else `above`; and the owners of the events above it. */
  newerThan(above: number): Promise<{ newest: number; owners: readonly string[] }>
}

interface Channel {
  version: number
  subscriptions: Set<{ wake(): void; close(): void }>
}

/** Maximum numbers of streams, and their kind. */
interface FeedBounds {
  streams: number
  streamsPerOwner: number
  subject: string
}

const EVENTS: FeedBounds = { ...EVENT_LIMITS, subject: 'streams of events' }

/** Nothing is read while there is no stream, and without a source. `everyMs` is the interval of the query. */
export function eventFeed(
  source: EventSource | undefined,
  everyMs: number = EVENT_LIMITS.everyMs,
  bounds: FeedBounds = EVENTS,
): EventFeed {
  const channels = new Map<string, Channel>()
  let streams = 0
  let isClosed = false
  let known: number | undefined
  let reading: RepeatedTask | undefined

  const listeners = new Set<() => void>()

  const wake = (owner: string) => {
    for (const listener of listeners) listener()
    const channel = channels.get(owner)
    if (!channel) return
    channel.version++
    for (const subscription of [...channel.subscriptions]) subscription.wake()
  }

  /** An error of the metadata is not the streams' end: the next query finds what this one missed. */
  const read = async (source: EventSource) => {
    try {
      if (streams === 0) known = undefined
      else if (known === undefined) {
        known = await source.newest()
        // Events that were committed before `known` was read would wake no stream.
        for (const owner of channels.keys()) wake(owner)
      } else {
        const { newest, owners } = await source.newerThan(known)
        known = newest
        owners.forEach(wake)
      }
    } catch {
      // Streams learn of a lasting failure when they read.
    }
  }

  const channelOf = (owner: string): Channel => {
    const channel = channels.get(owner) ?? { version: 0, subscriptions: new Set() }
    channels.set(owner, channel)
    return channel
  }

  return {
    subscribe(owner) {
      if (isClosed || streams >= bounds.streams) throw new ServiceError('SERVICE_UNAVAILABLE')
      if ((channels.get(owner)?.subscriptions.size ?? 0) >= bounds.streamsPerOwner)
        throw new ServiceError('RATE_LIMITED', {
          retryAfter: EVENT_LIMITS.streamRetrySeconds,
          reason: `More than ${bounds.streamsPerOwner} ${bounds.subject}. Close one, or try again later.`,
        })
      const channel = channelOf(owner)
      streams++
      if (source) reading ??= repeatedly(everyMs, () => read(source))
      return subscriptionOf(channel, () => {
        streams--
        if (channel.subscriptions.size === 0) channels.delete(owner)
      })
    },
    wake,
    followed: channels,
    onWake(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    async close() {
      isClosed = true
      for (const { subscriptions } of [...channels.values()])
        for (const subscription of [...subscriptions]) subscription.close()
      await reading?.stop()
    },
  }
}

function subscriptionOf(channel: Channel, onClose: () => void): Subscription {
  let isOpen = true
  let waiting: (() => void) | undefined
  const entry = {
    wake: () => waiting?.(),
    close() {
      if (!isOpen) return
      isOpen = false
      channel.subscriptions.delete(entry)
      waiting?.()
      onClose()
    },
  }
  channel.subscriptions.add(entry)
  return {
    get isClosed() {
      return !isOpen
    },
    get version() {
      return channel.version
    },
    changed(seen, ms) {
      if (!isOpen || channel.version !== seen) return Promise.resolve(true)
      return new Promise(resolve => {
        const settle = (hasChanged: boolean) => {
          timer.cancel()
          waiting = undefined
          resolve(hasChanged)
        }
        const timer = environment.timer(() => settle(false), ms)
        waiting = () => settle(true)
      })
    },
    close: entry.close,
  }
}
