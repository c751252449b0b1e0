/** The Swagger page in a real browser. */
import { join } from 'node:path'
import type { Browser, Locator, Page } from 'playwright-core'
import { inject } from 'vitest'
import { chromiumPath, startChromium } from '#test/support/chromium.ts'
import { SAMPLES } from '#test/support/client.ts'

describe.skipIf(chromiumPath === undefined)('the Swagger page', { tags: ['long', 'chromium'] }, () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await startChromium()
  })
  afterAll(() => browser?.close())

  it('executes an operation, sends no empty field, and loads nothing from other origins', async () => {
    const page = await browser.newPage({ viewport: { width: 1200, height: 1500 } })
    const trouble = pageErrors(page)
    await page.goto(`${inject('edge')}/v1/docs/v1/overview.html`)
    await authorize(page, inject('token'))
    const operation = page.locator('#operations-Photos-detect')
    await operation.locator('.opblock-summary-control').click()
    await operation.getByRole('button', { name: 'Try it out' }).click()
    await operation.locator('input[type=file]').setInputFiles(join(SAMPLES, 'sample1.jpg'))
    await operation.getByRole('button', { name: 'Execute' }).click()
    const answer = operation.locator('.live-responses-table')
    await answer.waitFor()
    expect(await answer.locator('tbody td.response-col_status').innerText()).toContain('200')
    expect(await answer.innerText()).toContain('"orientation"')
    // The photo, and the fields with defaults.
    expect(await fieldsSent(operation)).toEqual(['age', 'emotions', 'gender', 'liveness', 'photo', 'quality'])
    expect(trouble).toEqual([])
    if (process.env.MIEN_README_PICTURE) await photograph(page, operation)
  })
})

/** Names of the sent form fields, from the curl command on the page. */
const fieldsSent = async (operation: Locator) => {
  const command = await operation.locator('.curl-command .curl').innerText()
  return [...command.matchAll(/-F '([^=']+)=/g)].map(([, name]) => name ?? '').sort()
}

/** Enters a token through the Authorize dialog. */
async function authorize(page: Page, token: string) {
  await page.locator('.scheme-container .authorize').click()
  const scheme = page.locator('.auth-container form', { has: page.locator('#api_key_value') })
  await scheme.locator('input[type=text]').fill(token)
  await scheme.locator('.authorize').click()
  await page.locator('.auth-container .btn-done').first().click()
}

/** Collects errors of the page and its requests to other origins. */
function pageErrors(page: Page): string[] {
  const trouble: string[] = []
  page.on('console', message => message.type() === 'error' && trouble.push(message.text()))
  page.on('pageerror', error => trouble.push(error.message))
  page.on('request', request => {
    const { protocol, origin } = new URL(request.url())
    if (protocol !== 'data:' && protocol !== 'blob:' && origin !== inject('edge')) trouble.push(request.url())
  })
  return trouble
}

/** Writes the picture of the README: `MIEN_README_PICTURE=1 npx vitest run test/service/edge/openapi/swagger-page.test.ts`. */
async function photograph(page: Page, operation: Locator) {
  const path = join(import.meta.dirname, '..', '..', '..', '..', 'docs', 'pictures', 'try-it.png')
  // The curl command would show a token.
  await operation.locator('.curl-command').evaluate(command => command.remove())
  await operation.scrollIntoViewIfNeeded()
  const { x, y, width } = (await operation.boundingBox()) ?? { x: 0, y: 0, width: 1200 }
  await page.screenshot({
    path,
    fullPage: true,
    clip: { x, y: y + (await scrolled(page)), width, height: 1100 },
  })
}

const scrolled = (page: Page): Promise<number> => page.evaluate('window.scrollY')
