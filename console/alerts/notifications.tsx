/** The button that asks for notifications in this browser, and ends them. */
import { useEffect } from 'preact/hooks'
import type { MienClient } from '../../clients/typescript/src/index.ts'
import { Problem } from '../components/state.tsx'
import { useClient } from '../connection/service.ts'
import { useAction, useTask } from '../connection/task.ts'
import { TEXTS } from '../texts.ts'

/** Where the worker is, seen from the page. The policy of Trusted Types makes this address and no other. */
const WORKER = 'console/service-worker.js'

interface TrustedTypes {
  createPolicy: (name: string, rules: object) => { createScriptURL: (url: string) => string }
}

/** A browser without Trusted Types takes the text. */
const workerUrl = () =>
  (globalThis as { trustedTypes?: TrustedTypes }).trustedTypes
    ?.createPolicy('service-worker', { createScriptURL: () => WORKER })
    .createScriptURL(WORKER) ?? WORKER

let registering: Promise<ServiceWorkerRegistration> | undefined

/** The worker, which is registered once. Rejects where the browser has no notifications. */
function worker(): Promise<ServiceWorkerRegistration> {
  registering ??= navigator.serviceWorker.register(workerUrl())
  return registering
}

export const canNotify = (): boolean => 'serviceWorker' in navigator && 'PushManager' in globalThis

/** The subscription of this browser, without registering the worker. */
async function present(): Promise<PushSubscription | null> {
  const known = canNotify() ? await navigator.serviceWorker.getRegistration(WORKER) : undefined
  return known ? known.pushManager.getSubscription() : null
}

/** Ends the notifications of this browser, also at its push service. */
export const forgetNotifications = async (): Promise<unknown> => (await present())?.unsubscribe()

/** The id of a subscription: the first digits of the hash of its endpoint. */
async function idOf({ endpoint }: PushSubscription) {
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(endpoint))
  return Array.from(new Uint8Array(hash, 0, 16), byte => byte.toString(16).padStart(2, '0')).join('')
}

export async function isSubscribed(client: MienClient, signal?: AbortSignal): Promise<boolean> {
  const subscription = await present()
  if (!subscription) return false
  const { subscriptions } = await client.alerts.notifications(signal && { signal })
  return subscriptions.includes(await idOf(subscription))
}

/** Asks for the permission to notify, and subscribes this browser. Rejects with a text for the visitor. */
export async function subscribe(client: MienClient): Promise<void> {
  if ((await Notification.requestPermission()) !== 'granted') throw TEXTS.notifications.denied
  const { public_key: key } = await client.alerts.notifications()
  const { pushManager, active, installing, waiting } = await worker()
  await activated(active ?? installing ?? waiting)
  // A key of an earlier installation at this address is in the way.
  await (await pushManager.getSubscription())?.unsubscribe()
  const subscription = await pushManager
    .subscribe({ userVisibleOnly: true, applicationServerKey: key })
    .catch(() => Promise.reject(TEXTS.notifications.failed))
  await give(client, subscription)
}

/** Stores a subscription for the present session. It ends with the session. */
async function give(client: MienClient, subscription: PushSubscription) {
  const { p256dh = '', auth = '' } = subscription.toJSON().keys ?? {}
  await client.alerts.subscribe({ endpoint: subscription.endpoint, p256dh, auth })
}

/** Resolves when the worker runs. */
const activated = (state: ServiceWorker | null): Promise<void> =>
  new Promise(resolve => {
    const check = () => state?.state === 'activated' && resolve()
    state?.addEventListener('statechange', check)
    check()
  })

async function unsubscribe(client: MienClient) {
  const subscription = await present()
  if (!subscription) return
  await client.alerts.unsubscribe(await idOf(subscription))
  await subscription.unsubscribe()
}

/**
 * Leads to the alert of a notification that is clicked. Gives a subscription of an earlier session to the present one: a lost
 * computer gets no notifications when its session is ended.
 */
export function useNotifications(): void {
  const client = useClient()
  useEffect(() => {
    const renew = async () => {
      const subscription = await present()
      if (subscription && (await isSubscribed(client))) await give(client, subscription)
    }
    // The visitor did not ask for it.
    renew().catch(() => {})
  }, [client])
  useEffect(() => {
    const lead = ({ data }: MessageEvent) => {
      if (typeof data === 'string' && data.startsWith('#/')) location.hash = data
    }
    navigator.serviceWorker?.addEventListener('message', lead)
    return () => navigator.serviceWorker?.removeEventListener('message', lead)
  }, [])
}

export function NotificationsButton() {
  const client = useClient()
  const action = useAction()
  const state = useTask(signal => isSubscribed(client, signal), [])
  const texts = TEXTS.notifications
  if (!canNotify()) return <p class="hint">{texts.impossible}</p>
  const isOn = state.value === true
  const change = async () => {
    await (isOn ? unsubscribe(client) : subscribe(client))
    state.reload()
  }
  return (
    <div class="stack tight notifications">
      <div class="row">
        <button
          type="button"
          aria-pressed={isOn}
          disabled={action.isRunning || state.value === undefined}
          onClick={() => void action.run(change)}
        >
          {isOn ? texts.turnOff : texts.turnOn}
        </button>
        <p class="hint">{isOn ? texts.on : texts.off}</p>
      </div>
      <Problem error={action.problem ?? state.error} />
    </div>
  )
}
