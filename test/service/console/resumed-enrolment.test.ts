/** Enrolments that are interrupted by a reload, and photos that are there twice. */
import { copyFile, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { temporaryFolder } from '#test/unit/core/folder.ts'
import { consoleTests, freshOwner, SOON, samplePath, visit } from './visitor.ts'

/** A folder of photos, named by their numbers among the samples. */
async function people(files: Record<string, 2 | 4 | 5 | 6>): Promise<string> {
  const folder = await temporaryFolder()
  for (const [path, number] of Object.entries(files)) {
    await mkdir(join(folder, path, '..'), { recursive: true })
    await copyFile(samplePath(number), join(folder, path))
  }
  return folder
}

const chooseFolder = (page: Page, folder: string) =>
  page.locator('input[type=file]').nth(1).setInputFiles(folder)

consoleTests('an enrolment', () => {
  it('continues after a reload, and sends no photo again that is done', async () => {
    const folder = await people({ 'Ann/1.jpg': 2, 'Ben/1.jpg': 4, 'Cleo/1.jpg': 5, 'Dan/1.jpg': 6 })
    const { token, api } = freshOwner()
    const { page, trouble } = await visit({ token, hash: '#/galleries/default' })
    let posts = 0
    // The first photo is answered. The others are under way at the reload.
    await page.route('**/v1/face', route => (posts++ === 0 ? route.continue() : undefined))
    await page.getByLabel('Name', { exact: true }).fill('Guest')
    await page.getByLabel('Faces on a photo').selectOption('all')
    await chooseFolder(page, folder)
    await page.getByText('1 of 4 photos').waitFor()
    expect(posts).toBe(4)
    await page.reload()
    await page.unroute('**/v1/face')
    await page.getByText('An enrolment was interrupted after 1 of 4 photos.').waitFor()
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Guest')
    expect(await page.getByLabel('Faces on a photo').inputValue()).toBe('all')
    page.on('request', request => request.method() === 'POST' && posts++)
    await chooseFolder(page, folder)
    await page.getByText('4 of 4 photos').waitFor()
    await page.getByText('1 photo was enrolled before.').waitFor()
    expect(posts).toBe(7)
    const faces = (await api('GET', '/v1/faces')).body.results as { meta: string; photo_hash: string }[]
    expect(new Set(faces.map(({ meta }) => meta))).toEqual(new Set(['Ann', 'Ben', 'Cleo', 'Dan']))
    expect(new Set(faces.map(({ photo_hash }) => photo_hash)).size).toBe(4)
    expect(await page.evaluate('Object.keys(sessionStorage).join() + localStorage.length')).toBe(
      'mien.token0',
    )
    expect(trouble).toEqual([])
  })

  it('shows a photo that is there twice as a duplicate', async () => {
    const folder = await people({ 'Ann/1.jpg': 2, 'Ann/2.jpg': 2, 'Ben/1.jpg': 2 })
    const { token, api } = freshOwner()
    const { page } = await visit({ token, hash: '#/galleries/default' })
    await chooseFolder(page, folder)
    // The photo of Ben has another meta.
    await page.getByText('3 of 3 photos, 2 faces enrolled').waitFor()
    await page.getByText('1 duplicate').click()
    expect(await page.locator('.enrol-progress li').innerText()).toMatch(
      /This is the same photo as .*\/Ann\/[12]\.jpg\./,
    )
    expect(await page.getByText('failed').count()).toBe(0)
    expect((await api('GET', '/v1/faces')).body.results).toHaveLength(2)
    await expect.poll(() => page.locator('.tile').count(), SOON).toBe(2)
  })
})
