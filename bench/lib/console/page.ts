/** Pages of the console in Chromium, as the benchmarks open them. */
import type { Browser, Page } from 'playwright-core'

/** Opens the console in a new browser context, which has no cache, and signs in. */
export async function openConsole(browser: Browser, edge: string, token: string, hash = ''): Promise<Page> {
  const page = await (await browser.newContext({ viewport: { width: 1280, height: 860 } })).newPage()
  // The console reads the token of the tab from there.
  await page.addInitScript(`sessionStorage.setItem('mien.token', ${JSON.stringify(token)})`)
  await page.goto(`${edge}/${hash}`)
  await page.getByRole('button', { name: 'Sign out' }).waitFor()
  return page
}
