/** Accessibility of every page, in light and dark, checked by axe-core. */
import axe from 'axe-core'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { chromiumPath, startChromium } from '../chromium.ts'
import { enrol, freshOwner, samplePath, visit } from './visitor.ts'

/** What axe-core finds on the page as it is now. */
async function findings(page: Page): Promise<string[]> {
  await page.evaluate(axe.source)
  const { violations } = (await page.evaluate('axe.run()')) as axe.AxeResults
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`))
}

const PAGES: Record<string, (page: Page) => Promise<unknown>> = {
  'sign in': async page => {
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('alert').waitFor()
  },
  try: async page => {
    await page.locator('input[type=file]').setInputFiles(samplePath(3))
    await page.locator('.candidate').first().waitFor()
    await page.locator('summary').first().click()
    await page.getByRole('button', { name: 'Face 1', exact: true }).click()
  },
  compare: async page => {
    await page.locator('input[type=file]').nth(0).setInputFiles(samplePath(1))
    await page.locator('input[type=file]').nth(1).setInputFiles(samplePath(3))
    await page.locator('.pair').first().waitFor()
  },
  galleries: page => page.locator('.gallery-card .thumbnail').first().waitFor(),
  'galleries/default': async page => {
    await page
      .locator('input[type=file]')
      .first()
      .setInputFiles(import.meta.filename)
    await page.getByText('1 photo failed').click()
    await page.locator('.tile').first().getByRole('checkbox').check()
  },
  'galleries/staff': async page => {
    await page.getByRole('button', { name: 'Select all' }).click()
    await page.getByText('3 selected').waitFor()
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    await page.getByRole('dialog').waitFor()
  },
  'service/tokens': async page => {
    await page.getByLabel('Name').fill('door')
    await page.getByRole('button', { name: 'Create the token' }).click()
    await page.getByRole('button', { name: 'Copy the token' }).waitFor()
  },
  'service/retention': async page => {
    await page.getByLabel('Days for staff').fill('7')
    await page.getByRole('button', { name: 'Save the retention of staff' }).click()
    await page.getByRole('dialog').waitFor()
  },
  'service/audit-log': page => page.getByText('Chain verified').waitFor(),
  'service/calibration': page => page.getByRole('img').waitFor(),
  'service/state': page => page.getByText('shards answer').waitFor(),
}

describe.skipIf(chromiumPath === undefined)('the console', () => {
  const { token, api } = freshOwner()
  let browser: Browser
  beforeAll(async () => {
    browser = await startChromium()
    await api('POST', '/v1/galleries/staff')
    await enrol(api, 3, { meta: 'Ann', mf_selector: 'all', galleries: 'staff' })
  })
  afterAll(() => browser?.close())

  const schemes = ['light', 'dark'] as const
  it.each(schemes.flatMap(scheme => Object.keys(PAGES).map(name => ({ name, scheme }))))(
    'has no finding of axe-core on the page $name in $scheme',
    async ({ name, scheme }) => {
      const hash = `#/${name === 'sign in' ? 'try' : name}`
      const { page } = await visit(browser, { token, hash, colorScheme: scheme, reducedMotion: 'reduce' })
      await PAGES[name]!(page)
      expect(await findings(page)).toEqual([])
    },
  )

  it.each(Object.keys(PAGES))('shows the whole width of the page %s in a window of 360 px', async name => {
    const hash = `#/${name === 'sign in' ? 'try' : name}`
    const { page } = await visit(browser, { token, hash, viewport: { width: 360, height: 740 } })
    await PAGES[name]!(page)
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360)
  })
})
