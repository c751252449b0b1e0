/** A visitor of the console in a real browser. */

import { join } from 'node:path'
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core'
import { inject } from 'vitest'
import { chromiumPath, startChromium } from '#test/support/chromium.ts'
import { clientOf, form, SAMPLES, type Send, sample } from '#test/support/client.ts'
import { times } from '#test/support/times.ts'
import { newToken, type TokenOptions } from '#test/support/tokens.ts'

export const samplePath = (number: 1 | 2 | 3 | 4 | 5 | 6): string => join(SAMPLES, `sample${number}.jpg`)

/** Tests of the console with Chromium. They are skipped where there is none. */
export const consoleTests = (name: string, tests: () => void): void => {
  describe.skipIf(chromiumPath === undefined)(name, { tags: ['long', 'chromium'] }, tests)
}

/** Stands for a camera, and allows its use. */
export const FAKE_CAMERA = ['--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream']

/** One browser for all files that a worker runs. It ends with the worker. */
let browser: Promise<Browser> | undefined

let owners = 0

/** A token of an owner without data, the name of the owner, and the API with the token. */
export function freshOwner(options?: TokenOptions): { token: string; name: string; api: Send } {
  const name = `visitor ${process.pid} ${owners++}`
  const token = newToken(inject('data'), name, options)
  return { token, name, api: clientOf(inject('edge'), token) }
}

/** A test with a token of an owner without data, and the API with the token. */
export const it = test
  .extend('token', () => freshOwner().token)
  .extend('api', ({ token }) => clientOf(inject('edge'), token))

interface VisitOptions extends BrowserContextOptions {
  /** Signs in with this token. */
  token?: string
  /** Part of the address after `#`. */
  hash?: string
  edge?: string
  /** Arguments of a separate browser with another camera. */
  camera?: string[]
  /** A separate browser that shows notifications. */
  notifies?: boolean
  /** Errors that the test expects. */
  trouble?: RegExp
}

/** Opens the console in a new browser context, which ends with the test. Other errors, and requests to other origins, fail the test. */
export async function visit({
  token,
  hash = '',
  edge = inject('edge'),
  camera,
  notifies,
  trouble: expected,
  ...options
}: VisitOptions = {}): Promise<Page> {
  const own = camera ? startChromium(camera) : notifies ? startChromium([], chromiumPath) : undefined
  browser ??= startChromium(FAKE_CAMERA)
  const used = await (own ?? browser)
  const context = await used.newContext({ viewport: { width: 1280, height: 860 }, ...options })
  onTestFinished(() => (own ? used.close() : context.close()))
  const page = await context.newPage()
  const trouble: string[] = []
  onTestFinished(() => expect(trouble.filter(text => !expected?.test(text))).toEqual([]))
  page.on(
    'console',
    message => message.type() === 'error' && trouble.push(`${message.text()} ${message.location().url}`),
  )
  page.on('pageerror', error => trouble.push(error.message))
  page.on('dialog', dialog => {
    if (dialog.type() === 'beforeunload') return void dialog.accept()
    trouble.push(`dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  page.on('request', request => {
    const { protocol, origin } = new URL(request.url())
    if (protocol !== 'data:' && protocol !== 'blob:' && origin !== edge) trouble.push(request.url())
  })
  if (token !== undefined) await page.addInitScript(keepToken, token)
  await page.goto(`${edge}/${hash}`)
  if (token !== undefined) await page.getByRole('button', { name: 'Sign out', exact: true }).waitFor()
  return page
}

export const buttonIn = (place: Page | Locator, name: string | RegExp): Locator =>
  place.getByRole('button', { name })

export const linkIn = (place: Page | Locator, name: string | RegExp): Locator =>
  place.getByRole('link', { name })

export const headingIn = (place: Page | Locator, name: string | RegExp): Locator =>
  place.getByRole('heading', { name })

export const regionIn = (place: Page | Locator, name: string | RegExp): Locator =>
  place.getByRole('region', { name })

export const dialogIn = (place: Page | Locator, name: string | RegExp): Locator =>
  place.getByRole('dialog', { name })

export const clickButton = (place: Page | Locator, name: string | RegExp): Promise<void> =>
  buttonIn(place, name).click()

export const waitForText = (place: Page | Locator, text: string | RegExp): Promise<void> =>
  place.getByText(text).waitFor()

/** Signs in at the first address of a tab, as a reload of a page that is signed in. */
const keepToken = (token: string) => {
  if (window.name === '') sessionStorage.setItem('mien.token', token)
  window.name = 'visited'
}

export async function signIn(page: Page, token: string): Promise<void> {
  await page.getByLabel('Token').fill(token)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByRole('button', { name: 'Sign out', exact: true }).waitFor()
}

/** Enrols faces of a sample photo by the API. */
export async function enrol(api: Send, number: 1 | 2 | 3 | 4 | 5 | 6, fields: Record<string, string> = {}) {
  const { status, body } = await api('POST', '/v1/face', form({ photo: await sample(number), ...fields }))
  if (status !== 200) throw new Error(JSON.stringify(body))
  return body.results as { id: number; meta: string; x1: number; x2: number }[]
}

/** Enrols this number of boxes on one photo. The service detects no faces for them. */
export const enrolMany = (api: Send, count: number, fields: Record<string, string> = {}) => {
  const boxes = times(count, i => [60 * i, 0, 60 * i + 60, 60])
  return enrol(api, 4, { ...fields, bbox: JSON.stringify(boxes) })
}

/** Hands a push message to the service worker, as the browser does. */
export async function deliverPush(page: Page, message: object): Promise<void> {
  const session = await page.context().newCDPSession(page)
  const ids: string[] = []
  session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) =>
    ids.push(...registrations.map(({ registrationId }) => registrationId)),
  )
  await session.send('ServiceWorker.enable')
  await expect.poll(() => ids.length).toBeGreaterThan(0)
  const { origin } = new URL(page.url())
  const data = JSON.stringify(message)
  await session.send('ServiceWorker.deliverPushMessage', { origin, registrationId: ids[0]!, data })
}

/** Clicks on the notification that the browser shows. */
export async function clickNotification(page: Page): Promise<void> {
  const [worker] = page.context().serviceWorkers()
  await worker!.evaluate(async () => {
    const scope = globalThis as unknown as {
      registration: ServiceWorkerRegistration
      NotificationEvent: typeof Event
    }
    const [notification] = await scope.registration.getNotifications()
    dispatchEvent(new scope.NotificationEvent('notificationclick', { notification } as EventInit))
  })
}
