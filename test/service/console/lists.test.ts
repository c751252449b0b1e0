/** Every list says that it loads, that it failed, and that it is empty. */
import { expect, it } from 'vitest'
import { consoleTests, freshOwner, visit } from './visitor.ts'

/** The address of a page, the requests of its list, and what it says without an entry; undefined where there is always one. */
const LISTS: [hash: string, requests: string, empty?: string][] = [
  ['galleries', '**/v1/statistics/galleries*'],
  ['galleries/default', '**/v1/faces/gallery/default?*', 'This gallery has no faces.'],
  ['galleries/default/check', '**/v1/galleries/default/check*', 'The check found nothing to look at.'],
  ['persons', '**/v1/persons/summaries?*', 'There are no persons.'],
  ['events', '**/v1/history/search*', 'There are no events.'],
  ['alerts', '**/v1/alerts/history*', 'There are no alerts of the last seven days.'],
  ['cameras', '**/v1/camera*', 'There are no cameras'],
  ['service/tokens', '**/v1/tokens*'],
  ['service/people', '**/v1/users*', 'Nobody'],
  ['service/audit-log', '**/v1/audit-log?*'],
  ['settings/privacy', '**/v1/camera*', 'There are no cameras.'],
]

consoleTests('a list', () => {
  it.each(LISTS)(
    'on the page %s loads, says that it failed, and loads again',
    async (hash, requests, empty) => {
      const { page } = await visit({ token: freshOwner().token })
      const answered: (() => void)[] = []
      let isBroken = true
      await page.route(requests, async route => {
        if (!isBroken) return route.continue()
        await new Promise<void>(resolve => answered.push(resolve))
        return route.fulfill({
          status: 400,
          json: { code: 'BAD_PARAM', param: '', reason: 'Broken on purpose' },
        })
      })
      await page.evaluate(`location.hash = '#/${hash}'`)
      const main = page.getByRole('main')
      await main.locator('.status').first().waitFor()
      await expect.poll(() => answered.splice(0).map(answer => answer()).length).toBeGreaterThan(0)
      const alert = main.getByRole('alert').filter({ hasText: 'Broken on purpose.' }).first()
      await alert.waitFor()
      isBroken = false
      await alert.getByRole('button', { name: 'Try again' }).click()
      await alert.waitFor({ state: 'detached' })
      if (empty !== undefined) await main.locator('.empty').filter({ hasText: empty }).first().waitFor()
    },
  )
})
