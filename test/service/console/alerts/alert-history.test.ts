/** The alerts that stay: filters, marks of who saw them, and notifications as far as Chromium shows them without a push service. */
import { BROWSER } from '#test/support/operation-samples.ts'
import {
  buttonIn,
  clickButton,
  consoleTests,
  enrol,
  freshOwner,
  headingIn,
  it,
  regionIn,
  visit,
  waitForText,
} from '../visitor.ts'

consoleTests('the alerts of the last days', () => {
  it('are filtered, marked as seen by name, and counted until they are seen', async () => {
    const { token, name, api } = freshOwner()
    const { body: door } = await api('POST', '/v1/camera', { meta: 'Front door' })
    const { body: yard } = await api('POST', '/v1/camera', { meta: 'Yard' })
    for (const rule of ['all', 'quiet'])
      await api('POST', '/v1/alerts', { name: rule, enabled: rule === 'all' })
    const first = await visit({ token, hash: '#/alerts' })
    await waitForText(first, 'There were no alerts in the last seven days.')
    for (const [meta, camera] of [
      ['Ann', door],
      ['Ben', yard],
    ] as const)
      await enrol(api, 1, { meta, cam_id: camera.id })
    const history = async (query = '') => (await api('GET', `/v1/alerts/history${query}`)).body
    await expect.poll(async () => (await history()).unseen).toBe(2)
    const desk = (await api('POST', '/v1/tokens', { name, scope: 'manage' })).body
    const page = await visit({ token: desk.token, hash: '#/alerts' })
    const list = regionIn(page, 'Latest alerts')
    const lines = list.getByRole('listitem')
    await expect.poll(() => lines.count()).toBe(2)
    const count = page.getByRole('navigation', { name: 'Pages' }).getByRole('img')
    expect(await count.getAttribute('aria-label')).toBe('2 not seen')
    await list.getByLabel('Camera').selectOption('Front door')
    await expect.poll(() => lines.allInnerTexts()).toEqual([expect.stringMatching(/Ann[\s\S]*Not seen yet/)])
    await clickButton(list, 'Mark as seen')
    await waitForText(list, `Seen by ${name}, `)
    await expect.poll(() => count.getAttribute('aria-label')).toBe('1 not seen')
    const { owner } = (await api('GET', '/v1/token')).body
    const echoes = await page.evaluateHandle(topic => {
      const channel = new BroadcastChannel(topic)
      const received: unknown[] = []
      channel.onmessage = ({ data }) => received.push(data)
      for (const told of [7, 6, 5]) channel.postMessage(told)
      return received
    }, `mien unseen ${owner}`)
    await expect.poll(() => count.getAttribute('aria-label')).toBe('5 not seen')
    expect(await echoes.jsonValue()).toEqual([])
    await list.getByLabel('Seen').selectOption('Not seen')
    await waitForText(list, 'No alert meets the filter.')
    await clickButton(list, 'Show all')
    await expect.poll(() => lines.count()).toBe(2)
    await clickButton(list, 'Take back')
    await expect.poll(async () => (await history('?seen=false')).results.length).toBe(2)
    await list.getByLabel('From').fill('2099-01-01T00:00')
    await waitForText(list, 'No alert meets the filter.')
    const event = (await history()).results[0].event_id
    await page.evaluate(hash => location.assign(hash), `#/alerts?event_id=${event}`)
    await expect.poll(() => lines.allInnerTexts()).toEqual([expect.stringMatching(/Ben/)])
  })

  it('are shown to a reader, who can be notified, and neither marks them nor sees rules', async () => {
    const { name, api } = freshOwner()
    const { body: door } = await api('POST', '/v1/camera', { meta: 'Front door' })
    await api('POST', '/v1/alerts', { name: 'all' })
    await enrol(api, 1, { meta: 'Ann', cam_id: door.id })
    const reader = (await api('POST', '/v1/tokens', { name, scope: 'read' })).body.token
    const page = await visit({ token: reader, hash: '#/alerts' })
    await waitForText(page, 'Not seen yet')
    await buttonIn(page, 'Notify me in this browser').waitFor()
    expect(await buttonIn(page, 'Mark as seen').count()).toBe(0)
    expect(await headingIn(page, 'Rules').count()).toBe(0)
  })

  it('turn notifications on and off for the browser of this visitor, at a button only', async ({
    token,
    api,
  }) => {
    const options = { notifies: true, permissions: ['notifications'] }
    const page = await visit({ token, hash: '#/alerts', ...options, trouble: /Push API in incognito mode/ })
    const button = buttonIn(page, 'Notify me in this browser')
    await button.click()
    // Contexts of Playwright are incognito, where Chromium has no push service.
    await waitForText(page, 'The push service of the browser does not answer.')
    // Stands for the push service, which the test cannot reach. The keys are from RFC 8291.
    await page.evaluate(browser => {
      const { endpoint, ...keys } = browser
      const set = (next: object | null) => {
        present = next
        return next
      }
      let present: object | null = null
      const subscription = {
        endpoint,
        toJSON: () => ({ endpoint, keys }),
        unsubscribe: async () => set(null),
      }
      const getSubscription = async () => present
      Object.assign(PushManager.prototype, { getSubscription, subscribe: async () => set(subscription) })
    }, BROWSER)
    await button.click()
    await waitForText(page, 'This browser shows alerts')
    const known = async () => (await api('GET', '/v1/notifications')).body.subscriptions
    expect(await known()).toHaveLength(1)
    await clickButton(page, 'Turn notifications off')
    await button.waitFor()
    expect(await known()).toEqual([])
  })
})
