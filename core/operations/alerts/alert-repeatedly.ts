/** Evaluates alert rules and sends their messages while requests are served. */
import { environment } from '../../../contract/environment.ts'
import { ALERT_LIMITS } from '../../../contract/limits/alerts.ts'
import { FACE_LIMITS } from '../../../contract/limits/faces.ts'
import {
  deleteEndedDeliveries,
  dueDeliveries,
  ownersWithDue,
  type StoredDelivery,
} from '../../metadata/alerts/deliveries.ts'
import { deleteEndedSubscriptions } from '../../metadata/alerts/notifications.ts'
import { type Release, shares } from '../../network/target.ts'
import type { RepeatedTask } from '../repeatedly.ts'
import type { Services } from '../services.ts'
import type { PostMessage } from './deliver.ts'
import { attemptDelivery, type DeliveryOutcome } from './deliver.ts'
import { evaluateAlerts } from './evaluate.ts'

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
export function alertRepeatedly(
  services: Services,
  { post, done = () => {}, failed = () => {}, everyMs = ALERT_LIMITS.everyMs }: AlertOptions,
): RepeatedTask {
  const stopping = new AbortController()
  const bell = wakeable()
  const unsubscribe = services.events.onWake(bell.wake)

  let isFailing = false
  let hasFailed = false
  const fail = (error: unknown) => {
    if (!isFailing) failed(error)
    isFailing = hasFailed = true
  }

  const attempt = async (delivery: StoredDelivery) => {
    try {
      const outcome = await attemptDelivery(services, post, delivery, stopping.signal)
      if (!outcome) return
      done(outcome)
      // The next delivery of the person may be due now.
      bell.wake()
    } catch (error) {
      fail(error)
    }
  }
  const sender = senderOf(services, attempt)

  const evaluate = async () => {
    if (await evaluateAlerts(services, fail)) bell.wake()
  }

  let prunedAt = 0
  const prune = async () => {
    if (services.now() - prunedAt < FACE_LIMITS.retentionEveryMs) return
    prunedAt = services.now()
    await deleteEndedDeliveries(services.database, prunedAt - ALERT_LIMITS.deliveryKeptMs)
    await deleteEndedSubscriptions(services.database, prunedAt)
  }

  const run = async () => {
    while (!stopping.signal.aborted) {
      hasFailed = false
      for (const work of [evaluate, sender.send, prune]) await work().catch(fail)
      isFailing = hasFailed
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
      await sender.ended()
    },
  }
}

/** Begins the attempts that are due, in the places of their owners and rules. */
function senderOf({ database, now }: Services, attempt: (delivery: StoredDelivery) => Promise<void>) {
  const slots = shares(ALERT_LIMITS.deliveriesAtOnce)
  /** Attempts in progress by delivery. A stalled core does not repeat its own attempt. */
  const attempts = new Map<number, { alert: string; end: Promise<void> }>()

  const busyRules = () =>
    [...Map.groupBy(attempts.values(), ({ alert }) => alert)]
      .filter(([, ofRule]) => ofRule.length >= ALERT_LIMITS.deliveriesOfRule)
      .map(([alert]) => alert)

  const begin = (delivery: StoredDelivery, release: Release) => {
    const { id, alert } = delivery
    const end = attempt(delivery).finally(() => {
      attempts.delete(id)
      release()
    })
    attempts.set(id, { alert, end })
  }

  const sendOf = async (owner: string) => {
    const page = { except: busyRules(), limit: ALERT_LIMITS.deliveriesAtOnce }
    const due = await dueDeliveries(database, owner, now(), page)
    for (const delivery of due.filter(({ id }) => !attempts.has(id))) {
      // Messages of other rules may wait behind the messages of a busy rule.
      if (busyRules().includes(delivery.alert)) return sendOf(owner)
      const release = slots.take(owner)
      if (!release) return
      begin(delivery, release)
    }
  }

  return {
    async send() {
      for (const owner of await ownersWithDue(database, now())) await sendOf(owner)
    },
    async ended() {
      await Promise.all([...attempts.values()].map(({ end }) => end))
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
