/** Every list says that it loads, that it failed, and that it is empty. */
import { inject } from 'vitest'
import { clickButton, consoleTests, freshOwner, visit, waitForText } from './visitor.ts'

/** The address of a page, the requests of its list, and its text without an entry; undefined when the list always has one. */
const LISTS: [hash: string, requests: string, empty?: string][] = [
  ['galleries', '**/v1/statistics/galleries*'],
  ['galleries/default', '**/v1/faces/gallery/default?*', 'This gallery has no faces.'],
  ['galleries/default/check', '**/v1/galleries/default/check*', 'The check found nothing to look at.'],
  ['persons', '**/v1/persons/summaries?*', 'There are no persons.'],
  ['events', '**/v1/history/search*', 'There are no events.'],
  ['alerts', '**/v1/alerts/history*', 'There were no alerts in the last seven days.'],
  ['cameras', '**/v1/camera*', 'There are no cameras'],
  ['service/tokens', '**/v1/tokens*'],
  ['service/people', '**/v1/users*', 'No person'],
  ['service/audit-log', '**/v1/audit-log?*'],
  ['settings/privacy', '**/v1/camera*', 'There are no cameras.'],
]

consoleTests('a list', () => {
  it('loads, says that it failed, and loads again', async () => {
    const page = await visit({ token: freshOwner().token, trouble: /status of 400|'sessionStorage'/ })
    const main = page.getByRole('main')
    for (const [hash, requests, empty] of LISTS) {
      const answered: (() => void)[] = []
      let isBroken = true
      await page.route(requests, async route => {
        if (!isBroken) return route.continue()
        await new Promise<void>(resolve => answered.push(resolve))
        return route.fulfill({
          status: 400,
          json: { code: 'BAD_PARAM', param: '', reason: `${hash} is broken` },
        })
      })
      // Another page, without the loaded data of the previous one.
      await page.goto('about:blank')
      await page.goto(`${inject('edge')}/#/${hash}`)
      await expect.poll(() => answered.length).toBeGreaterThan(0)
      await main.locator('.status').first().waitFor()
      for (const answer of answered) answer()
      const alert = main
        .getByRole('alert')
        .filter({ hasText: `${hash} is broken.` })
        .first()
      await alert.waitFor()
      isBroken = false
      await clickButton(alert, 'Try again')
      await alert.waitFor({ state: 'detached' })
      if (empty !== undefined) await main.locator('.empty').filter({ hasText: empty }).first().waitFor()
    }
  })

  it('shows equal failures once, and loads all parts again', async () => {
    const page = await visit({ token: freshOwner().token, trouble: /status of 400/ })
    const main = page.getByRole('main')
    const json = { code: 'BAD_PARAM', param: '', reason: 'All of it is broken' }
    await page.route('**/v1/persons/**', route => route.fulfill({ status: 400, json }))
    await page.goto(`${inject('edge')}/#/persons`)
    const alerts = main.getByRole('alert').filter({ hasText: 'All of it is broken.' })
    await alerts.waitFor()
    await main.locator('.status').waitFor({ state: 'detached' })
    expect(await alerts.count()).toBe(1)
    await page.unroute('**/v1/persons/**')
    await clickButton(alerts, 'Try again')
    await waitForText(main, 'There are no persons.')
    await waitForText(main, 'Group stored faces')
    expect(await alerts.count()).toBe(0)
  })
})
