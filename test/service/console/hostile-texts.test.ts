/** Hostile texts in metas, names of galleries, cameras and files, and persons: the console shows them as text. */
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { chromiumPath, startChromium } from '#bench/harness/chromium.ts'
import type { Send } from '#bench/harness/client.ts'
import { CORPUS } from './corpus.ts'
import { enrol, freshOwner, SOON, samplePath, visit } from './visitor.ts'

/** Enrols all faces of the sample photos with many, twice. */
async function enrolMany(api: Send, fields: Record<string, string> = {}) {
  const faces = []
  for (const photo of [3, 4, 6, 3, 4, 6] as const)
    faces.push(...(await enrol(api, photo, { mf_selector: 'all', ...fields })))
  return faces
}

/** The corpus in parts of this length. */
const chunks = (length: number): string[][] =>
  Array.from({ length: Math.ceil(CORPUS.length / length) }, (_, i) =>
    CORPUS.slice(i * length, (i + 1) * length),
  )

const isExecuted = (page: Page): Promise<boolean> => page.evaluate('"executed" in window')

describe.skipIf(chromiumPath === undefined)('hostile texts', { tags: ['long', 'chromium'] }, () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await startChromium()
  })
  afterAll(() => browser?.close())

  it('are at least a hundred', () => {
    expect(new Set(CORPUS).size).toBe(CORPUS.length)
    expect(CORPUS.length).toBeGreaterThanOrEqual(100)
  })

  it('execute nothing as metas and persons: in the grid, as suggestions, and beside candidates', async () => {
    const { token, api } = freshOwner()
    const faces = await enrolMany(api)
    const { page, trouble } = await visit(browser, { token })
    for (const metas of chunks(faces.length)) {
      for (const [j, meta] of metas.entries()) {
        const change = { meta, person_id: meta.slice(0, 60) || 'x' }
        expect(await api('PUT', `/v1/face/id/${faces[j]!.id}`, change)).toMatchObject({ status: 200 })
      }
      await page.evaluate(`location.hash = '#/galleries/default'`)
      await page.reload()
      await page
        .locator('.tile')
        .nth(faces.length - 1)
        .waitFor()
      const shown = await page.locator('.tile-meta').evaluateAll(all => all.map(one => one.textContent))
      expect(shown).toEqual(expect.arrayContaining(metas))
      expect(await isExecuted(page)).toBe(false)
    }
    await page.evaluate(`location.hash = '#/try'`)
    await page.locator('input[type=file]').setInputFiles(samplePath(3))
    await page.locator('.candidate').nth(8).waitFor()
    expect(await isExecuted(page)).toBe(false)
    expect(trouble.filter(text => !text.includes('status of 400'))).toEqual([])
  })

  it('execute nothing as names and addresses of cameras', async () => {
    const { token, api } = freshOwner()
    const texts = CORPUS.filter(text => text !== '')
    for (const text of texts)
      expect(await api('POST', '/v1/camera', { meta: text, url: text })).toMatchObject({ status: 201 })
    const { page, trouble } = await visit(browser, { token, hash: '#/cameras' })
    await page
      .locator('.camera-card')
      .nth(texts.length - 1)
      .waitFor()
    const names = await page.locator('.camera-card h2').evaluateAll(all => all.map(one => one.textContent))
    expect(names).toEqual(texts)
    for (const link of (await page.locator('.camera-card a').all()).slice(0, 10)) {
      await link.click()
      await page.getByRole('button', { name: 'Save' }).waitFor()
      expect(texts).toContain(await page.getByLabel('Name').inputValue())
      await page.goBack()
      await page.locator('.camera-card').first().waitFor()
    }
    expect(await isExecuted(page)).toBe(false)
    expect(trouble).toEqual([])
  })

  it('execute nothing as metas of cameras, and as filters in the address', async () => {
    const { token, api } = freshOwner()
    for (const meta of CORPUS)
      expect(await api('POST', '/v1/camera', { meta })).toMatchObject({ status: 201 })
    const { page, trouble } = await visit(browser, { token, hash: '#/galleries/default' })
    const options = page.getByLabel('Camera').locator('option')
    await expect.poll(() => options.count(), SOON).toBe(CORPUS.length + 1)
    const shown = await options.evaluateAll(all => all.map(one => one.textContent))
    expect(shown).toEqual(expect.arrayContaining([...CORPUS]))
    for (const text of CORPUS) {
      const fields = { meta: text, person_id: text, cam_id: text, start: text, end: text, friend: text }
      await page.evaluate(`location.hash = '#/galleries/default?${new URLSearchParams(fields)}'`)
      await expect.poll(() => page.getByLabel('Filter by meta').inputValue(), SOON).toBe(text)
      await expect.poll(() => page.getByLabel('Camera').inputValue(), SOON).toBe(text)
    }
    expect(await isExecuted(page)).toBe(false)
    expect(trouble.filter(text => !text.includes('status of 400'))).toEqual([])
  })

  it('execute nothing as metas of persons: in the grid, on their pages, and in dialogs', async () => {
    const { token, api } = freshOwner()
    const faces = await enrolMany(api)
    for (const [i, { id }] of faces.entries()) await api('PUT', `/v1/face/id/${id}`, { person_id: i + 1 })
    const { page, trouble } = await visit(browser, { token })
    for (const metas of chunks(faces.length)) {
      for (const [i, meta] of metas.entries()) await api('PUT', `/v1/person/id/${i + 1}`, { meta })
      await page.evaluate(`location.hash = '#/persons'`)
      await page
        .locator('.tile-meta')
        .nth(faces.length - 1)
        .waitFor()
      const shown = await page.locator('.tile-meta').evaluateAll(all => all.map(one => one.textContent))
      expect(shown).toEqual(expect.arrayContaining(metas))
      for (const [i, meta] of metas.entries()) {
        await page.evaluate(`location.hash = '#/persons/${i + 1}'`)
        await page.locator('.person-head').waitFor()
        await expect.poll(() => page.locator('h1').textContent(), SOON).toBe(meta)
        await page.getByRole('button', { name: 'Delete the person' }).click()
        expect(await page.getByRole('dialog').locator('h2').textContent()).toContain(meta)
        expect(await isExecuted(page)).toBe(false)
      }
    }
    expect(trouble).toEqual([])
  })

  it('execute nothing as metas, persons and cameras of events', async () => {
    const { token, api } = freshOwner()
    const cam_id = (await api('POST', '/v1/camera', {})).body.id
    const faces = await enrolMany(api, { cam_id })
    const { page, trouble } = await visit(browser, { token })
    for (const metas of chunks(faces.length)) {
      for (const [j, meta] of metas.entries()) {
        const change = { meta, person_id: meta.slice(0, 60) || 'x' }
        expect(await api('PUT', `/v1/face/id/${faces[j]!.id}`, change)).toMatchObject({ status: 200 })
      }
      await api('PUT', `/v1/camera/${cam_id}`, { meta: metas[0] })
      await page.evaluate(`location.hash = '#/compare'`)
      await page.evaluate(`location.hash = '#/events'`)
      await page
        .locator('.tile.event')
        .nth(faces.length - 1)
        .waitFor()
      const shown = await page.locator('.tile-meta').evaluateAll(all => all.map(one => one.textContent))
      expect(shown).toEqual(expect.arrayContaining(metas))
      await page.locator('.tile.event').last().click()
      await page.getByRole('dialog').getByRole('img').waitFor()
      await page.keyboard.press('Escape')
      expect(await isExecuted(page)).toBe(false)
    }
    expect(trouble).toEqual([])
  })

  it('execute nothing as names of tokens', async () => {
    const { token, api } = freshOwner()
    const names = CORPUS.map(text => text.trim()).filter(text => text !== '' && text.length <= 255)
    for (const name of names)
      expect(await api('POST', '/v1/tokens', { scope: 'read', name })).toMatchObject({ status: 201 })
    const { page, trouble } = await visit(browser, { token, hash: '#/service/tokens' })
    await page.locator('tbody tr').nth(names.length).waitFor()
    const shown = await page.locator('tbody .row-name').evaluateAll(all => all.map(one => one.textContent))
    expect(shown).toEqual(expect.arrayContaining(names))
    expect(await isExecuted(page)).toBe(false)
    expect(trouble).toEqual([])
  })

  it('execute nothing as names of galleries and files', async () => {
    const { page, trouble } = await visit(browser, { token: freshOwner().token })
    for (const text of CORPUS) {
      await page.evaluate(`location.hash = '#/galleries/' + ${JSON.stringify(encodeURIComponent(text))}`)
      await page.getByRole('heading', { level: 1 }).filter({ hasNotText: 'Try' }).waitFor()
      expect(await page.locator('h1').textContent()).toBe(text)
    }
    expect(await isExecuted(page)).toBe(false)
    await page.evaluate(`location.hash = '#/try'`)
    const input = page.locator('input[type=file]')
    for (const text of CORPUS) {
      const name = text.replaceAll('/', '_')
      await input.setInputFiles({ name, mimeType: 'text/plain', buffer: Buffer.from('hello') })
      await page.getByRole('alert').filter({ hasText: 'is not a JPEG' }).waitFor()
    }
    expect(await isExecuted(page)).toBe(false)
    expect(trouble.filter(text => !/status of (?:400|404)/.test(text))).toEqual([])
  })
})
