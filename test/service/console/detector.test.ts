/** The part Detector of the settings, and its offer on the first visit. */
import type { Page } from 'playwright-core'
import { expect, it, onTestFinished } from 'vitest'
import { startService } from '#bench/harness/service.ts'
import { DECLARATIONS } from '#contract/operations/table.ts'
import { temporaryFolder } from '#test/unit/core/folder.ts'
import { servedPack } from '../core/packs/served-pack.ts'
import { consoleTests, freshOwner, SOON, visit } from './visitor.ts'

const HASH = '#/settings/detector'

const cardOf = (page: Page, name: string) =>
  page.locator('section').filter({ has: page.getByRole('heading', { name, exact: true }) })

consoleTests('the detector', () => {
  it('is downloaded with its progress and used, after a failure too, and changed back', async () => {
    const data = await temporaryFolder()
    const served = await servedPack(data, 'mine')
    const service = await startService({ data })
    onTestFinished(async () => void (await service.stop()))
    const { page, trouble } = await visit({ token: service.token, edge: service.edge, hash: HASH })
    const [mine, standard] = [cardOf(page, 'mine'), cardOf(page, 'BlazeFace and MTCNN')]
    await standard.getByText('in use').waitFor()
    expect(await mine.innerText()).toMatch(/not downloaded\s+Download\s+[\d.]+ MB\s+Licence\s+MIT/)
    served.answer = 'refuse'
    await page.getByRole('button', { name: 'Download and use mine' }).click()
    await mine.getByRole('alert').waitFor()
    expect(await standard.innerText()).toContain('in use')
    served.answer = 'half'
    await page.getByRole('button', { name: 'Download and use mine' }).click()
    const progress = page.getByRole('progressbar', { name: 'Download of mine' })
    await expect
      .poll(() => progress.evaluate(bar => (bar as unknown as { position: number }).position), SOON)
      .toBeCloseTo(0.5)
    served.finish()
    await mine.getByText('in use').waitFor()
    await page.getByRole('button', { name: 'Use BlazeFace and MTCNN' }).click()
    await standard.getByText('in use').waitFor()
    expect(trouble).toEqual([])
  })

  it('is offered on the first visit to a token that may change it', async () => {
    const { token } = freshOwner()
    const { page } = await visit({ token, hash: HASH })
    await page.getByText('mien models use yunet').waitFor()
    expect(await page.getByRole('button', { name: /YuNet/ }).count()).toBe(0)
    const { download: _, ...detectors } = DECLARATIONS.getDetectors.example as {
      packs: { in_use: boolean }[]
      download: object
    }
    await page.route('**/v1/detectors', route => {
      if (route.request().method() === 'PUT') for (const pack of detectors.packs) pack.in_use = !pack.in_use
      return route.fulfill({ json: detectors })
    })
    await page.evaluate(`location.hash = '#/try'`)
    await page.getByText('A better detector can be had, YuNet (0.2 MB, MIT).').waitFor()
    await page.getByRole('button', { name: 'Download and use YuNet' }).click()
    await page.getByText('YuNet is in use.').waitFor()

    const reader = await visit({ token: freshOwner({ scope: 'read' }).token })
    await reader.page.getByRole('heading', { name: 'Three steps with sample photos' }).waitFor()
    expect(await reader.page.getByText('A better detector').count()).toBe(0)
  })
})
