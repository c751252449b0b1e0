/** The steps that an empty service offers on the page Try. */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { chromiumPath, startChromium } from '#bench/harness/chromium.ts'
import { enrol, freshOwner, SOON, visit } from './visitor.ts'

const TITLE = 'Three steps with sample photos'

describe.skipIf(chromiumPath === undefined)('a first visit', { tags: ['long', 'chromium'] }, () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await startChromium()
  })
  afterAll(() => browser?.close())

  it('tries a sample photo, enrols others, identifies a person on both, and deletes the samples', async () => {
    const { token, api } = freshOwner()
    const { page, trouble } = await visit(browser, { token })
    const search = page.getByRole('button', { name: 'Search the gallery' })
    await page.getByRole('heading', { name: TITLE }).waitFor()
    expect(await search.isDisabled()).toBe(true)
    await page.getByRole('button', { name: 'Find faces' }).click()
    await expect.poll(() => page.locator('.face-card').count(), SOON).toBe(3)
    expect((await api('GET', '/v1/faces')).body.results).toEqual([])
    await page.getByRole('button', { name: 'Enrol the photos' }).click()
    await expect.poll(() => search.isDisabled(), SOON).toBe(false)
    const enrolled = (await api('GET', '/v1/faces/gallery/samples')).body.results.length
    expect(enrolled).toBeGreaterThanOrEqual(6)
    // The faces of the samples alone do not end the first visit.
    await page.reload()
    await search.click()
    expect(await page.getByLabel('Identify in').inputValue()).toBe('samples')
    const tiers = page.locator('.candidate:first-child .confidence')
    await expect.poll(() => tiers.count(), SOON).toBe(3)
    expect(await page.locator('.candidate .confidence.strict').count()).toBe(1)
    expect(await page.locator('.candidate').first().innerText()).toContain('Sample photo')
    await page.getByRole('button', { name: 'Delete them' }).click()
    expect((await api('GET', '/v1/faces/gallery/samples')).body.results).toHaveLength(enrolled)
    await page.getByRole('dialog').getByRole('button', { name: 'Delete gallery and faces' }).click()
    await expect.poll(async () => (await api('GET', '/v1/faces')).body.results.length, SOON).toBe(0)
    expect((await api('GET', '/v1/galleries')).body.results).toEqual(['default'])
    expect(await search.isDisabled()).toBe(true)
    // Without age, gender and emotions the service refuses the first request, and the page sends another one.
    expect(trouble.filter(text => !text.includes('status of 400'))).toEqual([])
  })

  it('is over when the service has other faces', async () => {
    const { token, api } = freshOwner()
    await enrol(api, 2)
    const { page } = await visit(browser, { token })
    await page.waitForLoadState('networkidle')
    expect(await page.getByText(TITLE).count()).toBe(0)
  })

  it('says what a token may not do', async () => {
    const { page } = await visit(browser, { token: freshOwner('--scope', 'read').token })
    await page.getByRole('button', { name: 'Enrol the photos' }).click()
    await page.getByText('The token does not allow this operation.').waitFor()
  })
})
