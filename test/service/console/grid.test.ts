/** The grid of faces with more faces than a page can hold. */
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { chromiumPath, startChromium } from '#bench/harness/chromium.ts'
import { SOON, visit } from './visitor.ts'

const FACES = 100_000

const face = (id: number) => ({
  id,
  timestamp: '2026-11-23T05:00:00.000000',
  photo: '',
  photo_hash: '',
  thumbnail: '',
  normalized: '',
  x1: 0,
  y1: 0,
  x2: 90,
  y2: 90,
  meta: `face ${id}`,
  galleries: ['default'],
  friend: false,
})

/** Answers lists of faces as a service with 100,000 faces does. Returns the first id and the number of each page. */
async function servedFaces(page: Page): Promise<[number, number][]> {
  const asked: [number, number][] = []
  await page.route('**/v1/faces/gallery/default?*', route => {
    const query = new URL(route.request().url()).searchParams
    const first = Number(query.get('max_id') ?? FACES + 1) - 1
    const count = Math.max(0, Math.min(Number(query.get('limit')), first))
    asked.push([first, count])
    return route.fulfill({ json: { results: Array.from({ length: count }, (_, i) => face(first - i)) } })
  })
  return asked
}

/** Meta of the face whose tile is at the middle of the window. */
const metaInTheMiddle = (page: Page): Promise<string> =>
  page.evaluate(`[...document.querySelectorAll('.tile')].find(tile => {
    const { top, bottom } = tile.getBoundingClientRect()
    return top <= innerHeight / 2 && bottom + 12 >= innerHeight / 2
  })?.querySelector('.tile-meta').textContent ?? ''`)

describe.skipIf(chromiumPath === undefined)('the grid of faces', { tags: ['long', 'chromium'] }, () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await startChromium()
  })
  afterAll(() => browser?.close())

  it('loads what it shows, and keeps few of 100,000 faces on the page', async () => {
    const { page, trouble } = await visit(browser, { token: inject('token') })
    const asked = await servedFaces(page)
    await page.goto(`${inject('edge')}/#/galleries/default`)
    await page.getByText('face 100000').waitFor()
    await page.waitForTimeout(300)
    expect(asked).toEqual([[FACES, 60]])
    let most = 0
    for (let i = 0; i < 40; i++) {
      const scroll = async () => {
        await page.evaluate('scrollTo(0, document.body.scrollHeight)')
        return asked.length
      }
      await expect.poll(scroll, SOON).toBeGreaterThan(i + 1)
      most = Math.max(most, await page.locator('.tile').count())
    }
    expect(most).toBeLessThan(150)
    const pages = asked.length
    await page.evaluate('scrollTo(0, 0)')
    await page.getByText('face 100000').waitFor()
    // The first page was forgotten meanwhile, and the pages between are not loaded again.
    expect(asked.slice(pages).map(([first]) => first)).toContain(FACES)
    expect(asked.length - pages).toBeLessThan(6)
    await page.evaluate('scrollTo(0, document.body.scrollHeight / 2)')
    await expect.poll(() => metaInTheMiddle(page), SOON).toMatch(/^face (?:98|99)\d{3}$/)
    expect(trouble).toEqual([])
  })
})
