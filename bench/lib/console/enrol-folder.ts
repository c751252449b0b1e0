/** Enrols photos by the page of a gallery. */
import type { Browser } from 'playwright-core'
import { progress } from '../../benchmark.ts'
import type { Service } from '../../harness/service.ts'
import { newToken } from '../../harness/tokens.ts'
import type { Run } from '../load/enrol-command.ts'
import { openConsole } from './page.ts'

const TIMEOUT_MS = 600_000

/** From the choice of the files to the last answer. */
export async function enrolInConsole(
  browser: Browser,
  { edge, data }: Service,
  owner: string,
  photos: readonly string[],
): Promise<Run> {
  progress(`  ${owner}: ${photos.length} photos`)
  const page = await openConsole(browser, edge, newToken(data, owner), '#/galleries/default')
  const input = page.locator('input[type=file]').first()
  await input.waitFor({ state: 'attached' })
  const began = performance.now()
  await input.setInputFiles([...photos])
  const done = page.getByText(`${photos.length} of ${photos.length} photos`)
  await done.waitFor({ timeout: TIMEOUT_MS })
  const seconds = (performance.now() - began) / 1000
  const enrolled = Number(/(\d+) faces? enrolled/.exec(await done.innerText())?.[1])
  await page.context().close()
  return { seconds, enrolled, memory: [] }
}
