/** A connection that is lost and comes back. */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { chromiumPath, startChromium } from '#bench/harness/chromium.ts'
import { samplePath, visit } from './visitor.ts'

const LOST = 'The service does not answer. Trying again'

describe.skipIf(chromiumPath === undefined)('a lost connection', { tags: ['long', 'chromium'] }, () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await startChromium()
  })
  afterAll(() => browser?.close())

  it('is reported on the page of a gallery, which goes on when it is back', async () => {
    const { page } = await visit(browser, { token: inject('token'), hash: '#/galleries' })
    await page.getByRole('link', { name: 'default' }).waitFor()
    await page.context().setOffline(true)
    await page.getByRole('link', { name: 'default' }).click()
    await page.getByText(LOST).waitFor()
    await page.getByRole('alert').getByText('Check the connection').waitFor()
    await page.context().setOffline(false)
    await page.getByText(LOST).waitFor({ state: 'detached' })
    await page.getByRole('alert').waitFor({ state: 'detached' })
    await page
      .getByText(/faces$|This gallery has no faces/)
      .first()
      .waitFor()
  })

  it('is reported beside a photo, whose faces appear when it is back', async () => {
    const { page } = await visit(browser, { token: inject('token') })
    await page.context().setOffline(true)
    await page.locator('input[type=file]').setInputFiles(samplePath(1))
    await page.getByText(LOST).waitFor()
    await page.getByRole('alert').getByText('Check the connection').waitFor()
    await page.context().setOffline(false)
    await page.getByRole('heading', { name: '3 faces' }).waitFor()
    expect(await page.getByRole('alert').count()).toBe(0)
  })
})
