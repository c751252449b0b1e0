/** Scrolls through a gallery, and measures what the page keeps and asks for. */
import type { Browser, CDPSession, Page } from 'playwright-core'
import type { Service } from '../../harness/service.ts'
import { openConsole } from './page.ts'

/** Measurements on the way. */
const STEPS = 10

export interface ScrollState {
  /** Faces that the page has asked for. */
  asked: number
  /** Live JavaScript objects after a garbage collection, in megabytes. */
  heapMb: number
  /** Elements of the document. */
  elements: number
}

/** Scrolls through the gallery default to its last face. Pictures are answered with one of the service's thumbnails. */
export async function scrollThrough(
  browser: Browser,
  { edge, token }: Service,
  faces: number,
  thumbnail: Buffer,
): Promise<ScrollState[]> {
  const page = await openConsole(browser, edge, token)
  let asked = 0
  page.on('request', request => {
    const { pathname, searchParams } = new URL(request.url())
    if (pathname.endsWith('/faces/gallery/default')) asked += Number(searchParams.get('limit'))
  })
  await page.route('**/pictures/**', route => route.fulfill({ contentType: 'image/jpeg', body: thumbnail }))
  await page.evaluate(`location.hash = '#/galleries/default'`)
  await page.locator('.tile').first().waitFor()
  const inspector = await page.context().newCDPSession(page)
  const states: ScrollState[] = [await stateOf(page, inspector, asked)]
  while (states.length <= STEPS) {
    await scrollToEnd(page)
    if (asked >= (states.length * faces) / STEPS) states.push(await stateOf(page, inspector, asked))
  }
  await page.context().close()
  return states
}

/** Scrolls to the end of the loaded faces and waits for the next ones. */
async function scrollToEnd(page: Page): Promise<void> {
  const answered = page.waitForResponse(/faces\/gallery\/default/, { timeout: 5_000 }).catch(() => undefined)
  await page.evaluate('scrollTo(0, document.body.scrollHeight)')
  await answered
  // The page grows with the next frame. A scroll before that would load nothing.
  await page.evaluate('new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))')
}

async function stateOf(page: Page, inspector: CDPSession, asked: number): Promise<ScrollState> {
  await inspector.send('HeapProfiler.collectGarbage')
  const { usedSize } = await inspector.send('Runtime.getHeapUsage')
  const elements: number = await page.evaluate(`document.querySelectorAll('*').length`)
  return { asked, heapMb: usedSize / 2 ** 20, elements }
}
