/** The page Settings and the help: colours without a flash, what a token sees, and pages of the documentation. */
import type { Page } from 'playwright-core'
import { expect, it, onTestFinished } from 'vitest'
import { startService } from '#test/support/service.ts'
import { typed } from '#test/support/typed.ts'
import { scriptedServer } from '#test/unit/clients/scripted-server.ts'
import { temporaryFolder } from '#test/unit/core/folder.ts'
import { consoleTests, freshOwner, SOON, visit } from './visitor.ts'

const schemeOf = (page: Page) => page.evaluate('getComputedStyle(document.documentElement).colorScheme')

consoleTests('the page Settings', () => {
  it('keeps the chosen colours, which the page has before its first picture', async () => {
    const { page, trouble } = await visit({
      token: freshOwner().token,
      hash: '#/settings',
      colorScheme: 'light',
    })
    expect(await schemeOf(page)).toBe('light dark')
    await page.getByLabel('Colours').selectOption('Dark')
    expect(await schemeOf(page)).toBe('dark')
    // Without the console itself, the page is as the browser first shows it.
    await page.route('**/console/main-*.js', route =>
      route.fulfill({ contentType: 'text/javascript', body: '' }),
    )
    await page.reload()
    expect(await schemeOf(page)).toBe('dark')
    await page.unroute('**/console/main-*.js')
    await page.reload()
    await page.getByLabel('Colours').selectOption('As the system')
    expect(await schemeOf(page)).toBe('light dark')
    expect(await page.evaluate('localStorage.length')).toBe(0)
    expect(trouble).toEqual([])
  })

  it('shows a reader the colours and the documentation alone, and an administrator the version too', async () => {
    const partsOf = async (token: string) => {
      const { page } = await visit({ token, hash: '#/settings/backup' })
      await page.getByRole('heading', { name: 'Settings' }).waitFor()
      return page.getByRole('navigation', { name: 'Parts of the settings' }).getByRole('link').allInnerTexts()
    }
    expect(await partsOf(freshOwner({ scope: 'read' }).token)).toEqual(['General', 'Notifications'])
    expect(await partsOf(freshOwner().token)).toEqual([
      'General',
      'Persons',
      'Privacy',
      'Notifications',
      'Backup',
    ])
  })

  it('names a later version, as `mien status` does, when the operator says where to ask', async () => {
    await using releases = await scriptedServer({ body: { tag_name: 'v99.0.1' } })
    const env = { MIEN_UPDATE_URL: `${releases.url}/latest` }
    const { token, edge, data, stop } = await startService({ data: await temporaryFolder(), env })
    onTestFinished(async () => void (await stop()))
    const { page } = await visit({ token, edge, hash: '#/settings' })
    await page.getByRole('link', { name: 'Version 99.0.1 is out: how to upgrade' }).click()
    await page.getByRole('heading', { level: 1, name: 'Upgrade' }).waitFor()
    expect(typed(['status', '--data', data]).stdout).toContain('\n  update  99.0.1 is out')
  })

  it('leads from each page to its help, with links between the pages of the documentation', async () => {
    const { page, trouble } = await visit({ token: freshOwner().token, hash: '#/cameras' })
    await page.getByRole('link', { name: 'Help' }).click()
    await page.getByRole('heading', { level: 2, name: 'Cameras' }).waitFor()
    await page.getByRole('searchbox', { name: 'Search' }).fill('PROXY certificate')
    await page.getByRole('region', { name: 'Results of the search' }).getByText('Use it from other').click()
    await expect.poll(() => page.url(), SOON).toContain('#/help/guide/use-it-from-other-computers-and-phones')
    await page.getByRole('link', { name: 'All pages of the documentation' }).click()
    await page.getByRole('cell', { name: 'operator', exact: true }).waitFor()
    await page.getByRole('link', { name: 'backup', exact: true }).click()
    await page.getByText('mien backup --to /backups/mien').first().waitFor()
    expect(await page.locator('article').innerText()).not.toMatch(/\]\(|\*\*|```/)
    expect(trouble).toEqual([])
  })
})
