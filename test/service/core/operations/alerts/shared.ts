/** Rules, cameras and faces for tests of alerts. */
import type { Alert, AlertSettings } from '#contract/model/alert.ts'
import type { StreamItem, StreamRequest } from '#contract/operations/messages.ts'
import { type AlertOptions, alertRepeatedly } from '#core/operations/alerts/alert-repeatedly.ts'
import { createAlert } from '#core/operations/alerts/alerts.ts'
import { messagePoster } from '#core/operations/alerts/deliver.ts'
import { listDeliveries } from '#core/operations/alerts/deliveries.ts'
import { evaluateAlerts } from '#core/operations/alerts/evaluate.ts'
import { followEvents } from '#core/operations/events/follow-events.ts'
import type { Services } from '#core/operations/services.ts'
import { StoreUnavailable } from '#core/vector-store/vector-store.ts'
import { faceOf, OWNER, TOKEN } from '#test/support/sample-faces.ts'
import { tokenIn } from '../../http/token.ts'
import { cameraOf, emptyWorld, enrolOne, updateFace } from '../world.ts'

export const FACE = faceOf(5, 6, 7)

/** Services with a camera. */
export async function openWithCamera() {
  const world = await emptyWorld()
  return { world, camera: await cameraOf(world) }
}

/** Services with a camera and with the token of streams, which end with the test. */
export async function openedLive() {
  const { world, camera } = await openWithCamera()
  await tokenIn(world)
  onTestFinished(() => world.events.close())
  return { world, camera }
}

export const settings = (changed: Partial<AlertSettings> = {}): AlertSettings => ({
  name: 'door',
  enabled: true,
  url: 'https://receiver.example/',
  threshold: 0.9,
  time_zone: 'UTC',
  cooldown_seconds: 0,
  ...changed,
})

/** Creates a rule. The secret of one without a webhook is empty. */
export async function createRule(
  services: Services,
  changed: Partial<AlertSettings> = {},
  owner = OWNER,
): Promise<Alert & { secret: string }> {
  const origin = 'https://mien.example'
  const { alert } = await createAlert(services, { owner, alert: settings(changed), origin })
  return { ...alert, secret: alert.secret ?? '' }
}

/** Enrols a face of a person. */
export async function enrolPerson(
  services: Services,
  personId: number,
  changed: Parameters<typeof enrolOne>[2],
): Promise<number> {
  const id = await enrolOne(services, FACE, changed)
  await updateFace(services, id, { personId })
  return id
}

/** Runs the rules and their messages until the test ends. Only these hosts are reached. */
export function runAlerts(
  services: Services,
  hosts: readonly string[],
  { totalMs = 500, ...changed }: Partial<AlertOptions> & { totalMs?: number } = {},
) {
  const post = messagePoster({ trustedHosts: new Set(hosts), totalMs })
  const task = alertRepeatedly(services, { post, everyMs: 20, ...changed })
  onTestFinished(() => task.stop())
  return task
}

/** Evaluates all rules once. Rules that cannot search stay behind. */
export const evaluate = (services: Services): Promise<boolean> =>
  evaluateAlerts(services, error => {
    if (!(error instanceof StoreUnavailable)) throw error
  })

/** The messages of a rule, newest first. */
export const deliveriesOf = async (services: Services, id: string) =>
  (await listDeliveries(services, { owner: OWNER, id, limit: 1000 })).deliveries

/** The next events and alerts of a stream, at least `count`. Then leaves the stream. */
export async function nextItems(
  services: Services,
  count: number,
  changed: Partial<StreamRequest<'events.follow'>> = {},
): Promise<StreamItem<'events.follow'>[]> {
  const items = []
  const request = { owner: OWNER, token: TOKEN, filter: { cameras: [] }, after: 0, alerts: true, ...changed }
  for await (const chunk of followEvents(services, request)) {
    items.push(...chunk.filter(({ face, alert }) => face || alert))
    if (items.length >= count) break
  }
  return items
}

/** Resolves when `is` holds. */
export const until = (is: () => boolean | Promise<boolean>): Promise<void> =>
  expect.poll(is, { timeout: 60_000, interval: 10 }).toBe(true)

/** A clock that runs 1,000 times as fast. */
export function fastClock(): () => number {
  const start = Date.now()
  return () => start + (Date.now() - start) * 1_000
}

export const BY = { owner: OWNER, by: TOKEN }
