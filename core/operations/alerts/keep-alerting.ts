/** Evaluates alert rules and sends their messages while requests are served. */
import { environment } from '../../../contract/environment.ts'
import { ALERT_LIMITS } from '../../../contract/limits/alerts.ts'
import { FACE_LIMITS } from '../../../contract/limits/faces.ts'
import { deleteEndedSubscriptions } from '../../metadata/notifications.ts'
import { deleteEndedDeliveries, dueDeliveries, ownersWithDue } from '../../metadata/queries/deliveries.ts'
import { type Release, shares } from '../../network/target.ts'
import type { Services } from '../services.ts'
import type { RepeatedTask } from '../upkeep/repeatedly.ts'
import { attemptDelivery, type DeliveryOutcome } from './deliver.ts'
import { evaluateAlerts } from './evaluate.ts'
import type { PostMessage } from './post.ts'

export interface AlertOptions {
  post: PostMessage
  /** Receives the outcome of each attempt. */
  done?(outcome: DeliveryOutcome): void
  /** Receives the first of consecutive errors, for example of the metadata. */
  failed?(error: unknown): void
  /** Interval of the search for events and deliveries of other cores. */
  everyMs?: number
}

/** Runs at once for events of this core. `stop` breaks off attempts in progress; they are repeated. */
export function keepAlerting(
  services: Services,
  { post, done = () => {}, failed = () => {}, everyMs = ALERT_LIMITS.everyMs }: AlertOptions,
): RepeatedTask {
  const stopping = new AbortController()
  const slots = shares(ALERT_LIMITS.deliveriesAtOnce)
  /** Attempts in progress by delivery. A stalled core does not repeat its own attempt. */
  const attempts = new Map<number, Promise<void>>()
  const bell = wakeable()
  const unsubscribe = services.events.onWake(bell.wake)

  let isFailing = false
  const fail = (error: unknown): void => {
    if (!isFailing) failed(error)
    isFailing = true
  }

  const attempt = async (
    delivery: Parameters<typeof attemptDelivery>[2],
    release: Release,
  ): Promise<void> => {
    try {
      const outcome = await attemptDelivery(services, post, delivery, stopping.signal)
      if (!outcome) return
      done(outcome)
      // The next delivery of the person may be due now.
      bell.wake()
    } catch (error) {
      fail(error)
    } finally {
      attempts.delete(delivery.id)
      release()
    }
  }

  const send = async (): Promise<void> => {
    for (const owner of await ownersWithDue(services.database, services.now())) {
      const due = await dueDeliveries(services.database, owner, services.now(), ALERT_LIMITS.deliveriesAtOnce)
      for (const delivery of due.filter(({ id }) => !attempts.has(id))) {
        const release = slots.take(owner)
        if (!release) break
        attempts.set(delivery.id, attempt(delivery, release))
      }
    }
  }

  const run = async (): Promise<void> => {
    let prunedAt = 0
    while (!stopping.signal.aborted) {
      try {
        if (await evaluateAlerts(services)) bell.wake()
        await send()
        if (services.now() - prunedAt >= FACE_LIMITS.retentionEveryMs) {
          prunedAt = services.now()
          await deleteEndedDeliveries(services.database, prunedAt - ALERT_LIMITS.deliveryKeptMs)
          await deleteEndedSubscriptions(services.database, prunedAt)
        }
        isFailing = false
      } catch (error) {
        fail(error)
      }
      await bell.rung(everyMs)
    }
  }

  const running = run()
  return {
    async stop() {
      stopping.abort()
      unsubscribe()
      bell.wake()
      await running
      await Promise.all(attempts.values())
    },
  }
}

/** A wait that ends early. A wake before the wait ends it, too. */
function wakeable(): { wake(): void; rung(ms: number): Promise<void> } {
  let isRung = false
  let resolveWait: (() => void) | undefined
  return {
    wake() {
      isRung = true
      resolveWait?.()
    },
    async rung(ms) {
      if (!isRung) {
        const { promise, resolve } = Promise.withResolvers<void>()
        resolveWait = resolve
        const timer = environment.timer(resolve, ms, { ref: false })
        await promise
        timer.cancel()
      }
      isRung = false
    },
  }
}
