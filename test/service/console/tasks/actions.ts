/** What a visitor does with the console by its visible labels, counted. */
import type { Locator, Page } from 'playwright-core'

/** Drops files or folders, as a file manager does. */
export async function dropFiles(target: Locator, files: string[]): Promise<void> {
  const { x, y } = (await target.boundingBox())!
  const page = target.page()
  const browser = await page.context().newCDPSession(page)
  const data = { items: [], files, dragOperationsMask: 1 }
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
    await browser.send('Input.dispatchDragEvent', { type, x: x + 20, y: y + 20, data })
  await browser.detach()
}

/** Counts the actions of people with a task, also in several browsers. Looking at the page is no action. */
export class Actions {
  #count = 0

  get count(): number {
    return this.#count
  }

  /** Opens an address that somebody got, for example a link of a mail. */
  async open(page: Page, address: string): Promise<void> {
    this.#count++
    await page.goto(address)
  }

  async click(target: Locator): Promise<void> {
    this.#count++
    await target.click()
  }

  async fill(field: Locator, text: string): Promise<void> {
    this.#count++
    await field.fill(text)
  }

  async press(page: Page, key: string): Promise<void> {
    this.#count++
    await page.keyboard.press(key)
  }

  /** Drops files or folders on a part of the page. */
  async drop(target: Locator, ...files: string[]): Promise<void> {
    this.#count++
    await target.waitFor()
    await dropFiles(target, files)
  }
}
