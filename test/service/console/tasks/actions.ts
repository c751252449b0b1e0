/** Actions of people with a task in the console: counted actions, and actions that the browser of a test has no method for. */
import type { Locator } from 'playwright-core'

/** Counts what passes through `act`: clicks, filled fields, drops, pressed keys and opened links, in any number of browsers. */
export class ActionCounter {
  count = 0

  readonly act = async (action: Promise<unknown>) => {
    this.count++
    await action
  }
}

/** Uses a control by the keyboard: it takes the focus of Tab, and a key. */
export async function press(control: Locator): Promise<void> {
  const takesFocus = () =>
    control.evaluate((element: HTMLElement) => {
      element.focus()
      return element.tabIndex === 0 && element.matches(':focus')
    })
  await expect.poll(takesFocus).toBe(true)
  await control.press((await control.and(control.page().locator('input')).count()) > 0 ? 'Space' : 'Enter')
}

/** Drops files or folders, as a file manager does. */
export async function dropFiles(target: Locator, files: string[]): Promise<void> {
  const { x, y } = (await target.boundingBox())!
  const browser = await target.page().context().newCDPSession(target.page())
  const data = { items: [], files, dragOperationsMask: 1 }
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
    await browser.send('Input.dispatchDragEvent', { type, x: x + 20, y: y + 20, data })
}
