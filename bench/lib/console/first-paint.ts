/** Times of the first paint of the console. */
import type { Browser } from 'playwright-core'
import { openConsole } from './page.ts'

const LOADS = 10

/** Milliseconds from the navigation to the first content on the page, for some loads without a cache. */
export async function firstPaints(browser: Browser, edge: string, token: string): Promise<number[]> {
  const times: number[] = []
  for (let i = 0; i < LOADS; i++) {
    const page = await openConsole(browser, edge, token)
    times.push(await page.evaluate(`performance.getEntriesByName('first-contentful-paint')[0].startTime`))
    await page.context().close()
  }
  return times
}
