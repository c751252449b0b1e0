/** An unknown visitor gets a name, and a browser tells the operator when this person is seen the next time. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { clientOf, form } from '#test/support/client.ts'
import { startPushService } from '#test/support/servers/push-service.ts'
import { startService } from '#test/support/service.ts'
import {
  buttonIn,
  clickButton,
  clickNotification,
  consoleTests,
  deliverPush,
  linkIn,
  regionIn,
  samplePath,
  visit,
  waitForText,
} from '../visitor.ts'
import { ActionCounter } from './actions.ts'

const MOST_ACTIONS = 12

type Subscription = Awaited<ReturnType<typeof startPushService>>['subscription']

/** Gives a browser a push service, because Chromium has none in a test. Notifications are allowed once the page asks. */
async function givePushService(page: Page, subscription: Subscription) {
  await page.addInitScript(({ endpoint, ...keys }) => {
    const present = {
      endpoint,
      toJSON: () => ({ endpoint, keys }),
      unsubscribe: async () => true,
    }
    let isSubscribed = false
    const subscribe = async () => {
      isSubscribed = true
      return present
    }
    const getSubscription = async () => (isSubscribed ? present : null)
    Object.assign(PushManager.prototype, { getSubscription, subscribe })
  }, subscription)
}

/** The notifications that the browser shows. */
const shownIn = (page: Page) =>
  page.evaluate(async () => {
    const worker = await navigator.serviceWorker.getRegistration('console/service-worker.js')
    return ((await worker?.getNotifications()) ?? []).map(({ title, body }) => ({ title, body }))
  })

consoleTests('an operator', () => {
  it(`names a visitor, and is told when this person is seen again, in ${MOST_ACTIONS} actions`, async () => {
    const push = await startPushService()
    const service = await startService({ env: { MIEN_WEBHOOK_HOSTS: push.host } })
    // Later than the page, whose requests would fail.
    onTestFinished(() => service[Symbol.asyncDispose]())
    const api = clientOf(service.edge, service.token)
    const cam_id = (await api('POST', '/v1/camera', { meta: 'Front door' })).body.id
    /** A camera posts a picture of the visitor. Another width makes another picture. */
    const pass = async (width: number) => {
      const bytes = await sharp(samplePath(1)).resize({ width }).jpeg().toBuffer()
      const photo = new Uint8Array(bytes)
      const { status, body } = await api('POST', '/v1/face', form({ photo, cam_id }))
      expect(status, JSON.stringify(body)).toBe(200)
    }
    await pass(1600)
    const link = (await readFile(join(service.data, 'sign-in-link'), 'utf8')).trim()
    const { origin } = new URL(link)
    const page = await visit({ edge: origin, notifies: true })
    await givePushService(page, push.subscription)
    const counter = new ActionCounter()
    const { act } = counter

    await act(page.goto(link))
    await act(clickButton(page, 'Continue'))
    await act(linkIn(page, 'Events').click())
    await act(clickButton(page, /^Unknown, Front door/))
    const dialog = page.getByRole('dialog')
    await act(dialog.getByLabel('This is …').fill('Ann Lee'))
    await act(clickButton(dialog, 'New person: Ann Lee'))
    const tell = buttonIn(dialog, 'Tell me when this person is seen')
    await tell.waitFor()
    // The answer to the question of the browser.
    await act(page.context().grantPermissions(['notifications'], { origin }))
    await act(tell.click())
    await waitForText(dialog, 'This browser tells you when a camera sees Ann Lee.')
    await act(clickButton(dialog, 'Recognise people from now on'))
    await dialog.getByText('Recognition of people is off').waitFor({ state: 'detached' })

    await pass(1500)
    await expect.poll(() => push.received.length).toBe(1)
    await deliverPush(page, push.shown()[0])
    await expect
      .poll(() => shownIn(page))
      .toEqual([{ title: 'Ann Lee was seen', body: expect.stringMatching(/^Ann Lee at Front door, /) }])
    await act(clickNotification(page))
    const latest = regionIn(page, 'Latest alerts')
    await waitForText(latest, 'Ann Lee was seen')

    expect(counter.count).toBeLessThanOrEqual(MOST_ACTIONS)
  })
})
