/** The filter of a gallery, and the counts of galleries. */
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { chromiumPath, startChromium } from '#bench/harness/chromium.ts'
import { enrol, freshOwner, SOON, samplePath, visit } from './visitor.ts'

const metas = (page: Page) => page.locator('.tile-meta').allInnerTexts()

describe.skipIf(chromiumPath === undefined)('a gallery', { tags: ['long', 'chromium'] }, () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await startChromium()
  })
  afterAll(() => browser?.close())

  it('shows the faces of a person, a camera, a time and friends, and keeps the filter in its address', async () => {
    const { token, api } = freshOwner()
    const { id } = (await api('POST', '/v1/camera', { meta: 'Entrance' })).body
    const [ann] = await enrol(api, 2, { meta: 'Ann', timestamp: '2026-01-01T10:00:00Z' })
    await enrol(api, 2, { meta: 'Ben', timestamp: '2026-01-02T10:00:00Z', cam_id: id })
    await enrol(api, 2, { meta: 'Cleo', timestamp: '2026-01-03T10:00:00Z', cam_id: id })
    await api('PUT', `/v1/face/id/${ann!.id}`, { person_id: 7 })
    const options = { token, hash: '#/galleries/default', timezoneId: 'Asia/Tokyo' }
    const { page, trouble } = await visit(browser, options)
    const showing = (expected: string[]) => expect.poll(() => metas(page), SOON).toEqual(expected)
    await showing(['Cleo', 'Ben', 'Ann'])
    await page.getByText('More filters').click()
    await page.getByLabel('Person').fill('7')
    await page.keyboard.press('Enter')
    await showing(['Ann'])
    await page.getByLabel('Person').fill('')
    await page.getByLabel('Camera').selectOption('Entrance')
    await showing(['Cleo', 'Ben'])
    // 10:00 UTC is 19:00 in Tokyo.
    await page.getByLabel('Until').fill('2026-01-02T19:00')
    await page.getByLabel('Until').blur()
    await showing(['Ben'])
    await page.getByLabel('Friends').selectOption('Friends of the camera')
    await page.getByText('No face of this gallery meets the filter.').waitFor()
    await page.goBack()
    await showing(['Ben'])
    expect(await page.getByLabel('Friends').inputValue()).toBe('')
    await page.reload()
    await showing(['Ben'])
    expect(await page.getByLabel('Until').inputValue()).toBe('2026-01-02T19:00')
    expect(await page.getByLabel('Camera').inputValue()).toBe(id)
    await page.getByRole('button', { name: 'Select all' }).click()
    await page.getByText('1 selected').waitFor()
    await page.getByRole('button', { name: 'Show all' }).click()
    await showing(['Cleo', 'Ben', 'Ann'])
    expect(await page.getByText('1 selected').count()).toBe(0)
    expect(trouble).toEqual([])
  })

  it('shows the number of its faces and how it is searched, on its card and on its page', async () => {
    const { token, api } = freshOwner()
    await api('POST', '/v1/galleries/staff', { retention_days: 30 })
    await enrol(api, 3, { mf_selector: 'all' })
    const { page, trouble } = await visit(browser, { token, hash: '#/galleries' })
    const card = (name: string) => page.locator('.gallery-card', { hasText: name }).locator('.counts')
    await expect.poll(() => card('default').innerText(), SOON).toMatch(/^3 faces\s+exact search$/)
    expect(await card('staff').innerText()).toMatch(/^0 faces\s+deleted after 30 days$/)
    await page.getByRole('link', { name: 'default' }).click()
    const head = page.locator('.page-head .counts')
    await expect.poll(() => head.innerText(), SOON).toContain('3 faces')
    await page.locator('input[type=file]').first().setInputFiles(samplePath(2))
    await expect.poll(() => head.innerText(), SOON).toContain('4 faces')
    await page.locator('.tile').first().getByRole('checkbox').check()
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('button', { name: 'Delete 1 face' }).click()
    await expect.poll(() => head.innerText(), SOON).toContain('3 faces')
    expect(trouble).toEqual([])
  })
})
