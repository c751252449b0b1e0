/** The service worker of the console: shows alerts as notifications. A click opens the alert. */

/** The parts of the scope that it uses; the library of TypeScript has them for workers only. */
interface Scope {
  registration: ServiceWorkerRegistration
  clients: {
    matchAll: (
      options: object,
    ) => Promise<{ focus: () => Promise<unknown>; postMessage: (data: unknown) => void }[]>
    openWindow: (url: string) => Promise<unknown>
  }
  addEventListener: (type: string, listener: (event: WorkerEvent) => void) => void
}

interface WorkerEvent {
  waitUntil: (work: Promise<unknown>) => void
  data: { json: () => { title: string; body: string; tag: string; hash: string; image?: string } }
  notification: Notification
}

const scope = self as unknown as Scope

scope.addEventListener('push', event => {
  const { title, hash, ...options } = event.data.json()
  event.waitUntil(scope.registration.showNotification(title, { ...options, data: hash }))
})

scope.addEventListener('notificationclick', event => {
  event.notification.close()
  event.waitUntil(open(event.notification.data))
})

/** Leads an open page to the alert and keeps its session. Else opens a page. The page is one folder above the worker. */
async function open(hash: string): Promise<void> {
  const [page] = await scope.clients.matchAll({ type: 'window', includeUncontrolled: true })
  if (!page) return void (await scope.clients.openWindow(`../${hash}`))
  page.postMessage(hash)
  await page.focus()
}
