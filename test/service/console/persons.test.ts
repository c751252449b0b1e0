/** The pages of persons: suggestions, merge, rename, split, sightings and deletion. */
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { chromiumPath, startChromium } from '../../../bench/harness/chromium.ts'
import type { Send } from '../../../bench/harness/client.ts'
import { enrol, freshOwner, SOON, visit } from './visitor.ts'

/** Enrols one face of a sample photo as a person. Returns the id of the face. */
async function enrolAs(api: Send, person_id: number, number: 2 | 3, fields: Record<string, string> = {}) {
  const [face] = await enrol(api, number, fields)
  await api('PUT', `/v1/face/id/${face!.id}`, { person_id })
  return face!.id
}

/** Ids of all persons, each with the number of their faces. */
const crowd = async (api: Send): Promise<Record<number, number>> => {
  const { results } = (await api('GET', '/v1/persons/summaries')).body as {
    results: { id: number; count: number }[]
  }
  return Object.fromEntries(results.map(({ id, count }) => [id, count]))
}

const tiles = (page: Page) => page.locator('.tile')
const pair = (page: Page, name: string) => page.getByRole('listitem', { name })

describe.skipIf(chromiumPath === undefined)('the pages of persons', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await startChromium()
  })
  afterAll(() => browser?.close())

  it('show each person with a face, a name, the number of faces and the last day', async () => {
    const { token, api } = freshOwner()
    await enrolAs(api, 7, 3)
    await enrolAs(api, 8, 2, { timestamp: '2020-05-17T12:00:00' })
    await api('PUT', '/v1/person/id/7', { meta: 'Ann' })
    const { page, trouble } = await visit(browser, { token, hash: '#/persons' })
    await expect
      .poll(() => page.locator('.tile .tile-meta').allInnerTexts(), SOON)
      .toEqual(['Person 8', 'Ann'])
    expect(await tiles(page).first().innerText()).toContain('1 face · 5/17/20')
    const width = (): Promise<number> => page.evaluate(`document.querySelector('.tile img').naturalWidth`)
    await expect.poll(width, SOON).toBeGreaterThan(0)
    await page.getByRole('link', { name: 'Ann' }).click()
    await page.getByRole('heading', { level: 1, name: 'Ann' }).waitFor()
    expect(trouble).toEqual([])
  })

  it('say so when there are no persons', async () => {
    const { page } = await visit(browser, { token: freshOwner().token, hash: '#/persons' })
    await page.getByText('There are no persons.').waitFor()
    expect(await page.getByRole('heading', { name: 'These two may be one' }).count()).toBe(0)
  })

  it('suggest two persons that may be one, and merge them', async () => {
    const { token, api } = freshOwner()
    await enrolAs(api, 7, 3)
    await enrolAs(api, 8, 3)
    await enrolAs(api, 9, 2)
    await api('PUT', '/v1/person/id/8', { meta: 'Ann' })
    const { page, trouble } = await visit(browser, { token, hash: '#/persons' })
    const suggestion = pair(page, 'Ann and Person 7')
    await suggestion.getByText('Keeps Ann').waitFor()
    expect(await page.locator('.suggestion').count()).toBe(1)
    await suggestion.getByRole('button', { name: 'Merge' }).click()
    await page.getByText('1 person became part of Ann.').waitFor()
    await expect.poll(() => tiles(page).count(), SOON).toBe(2)
    expect(await crowd(api)).toEqual({ 8: 2, 9: 1 })
    expect(trouble).toEqual([])
  })

  it('put a suggestion aside', async () => {
    const { token, api } = freshOwner()
    for (const id of [7, 8]) await enrolAs(api, id, 3)
    const { page } = await visit(browser, { token, hash: '#/persons' })
    await pair(page, 'Person 8 and Person 7').getByRole('button', { name: 'Not now' }).click()
    await page.getByText('No further persons with similar faces.').waitFor()
    expect(await crowd(api)).toEqual({ 7: 1, 8: 1 })
  })

  it('merge the selected persons into the one that is chosen to be kept', async () => {
    const { token, api } = freshOwner()
    for (const id of [7, 8, 9]) await enrolAs(api, id, 2)
    const { page } = await visit(browser, { token, hash: '#/persons' })
    await tiles(page).nth(2).waitFor()
    const bar = page.getByRole('region', { name: 'Selected persons' })
    await page.getByLabel('Select Person 7').check()
    expect(await bar.getByRole('button', { name: 'Merge' }).isDisabled()).toBe(true)
    await page.getByLabel('Select Person 9').check()
    await bar.getByRole('button', { name: 'Merge' }).click()
    const dialog = page.getByRole('dialog', { name: 'Merge 2 persons?' })
    expect(await dialog.getByRole('radio', { name: 'Person 7' }).isChecked()).toBe(true)
    await dialog.getByRole('radio', { name: 'Person 9' }).check()
    await dialog.getByRole('button', { name: 'Merge 2 persons' }).click()
    await page.getByText('1 person became part of Person 9.').waitFor()
    expect(await crowd(api)).toEqual({ 8: 1, 9: 2 })
  })

  it('rename a person, with their faces on request', async () => {
    const { token, api } = freshOwner()
    const face = await enrolAs(api, 7, 2)
    const { page } = await visit(browser, { token, hash: '#/persons/7' })
    await page.getByLabel('Meta of the person').fill('Ann')
    await page.getByLabel('Give it to all faces, too').check()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved.').waitFor()
    await page.getByRole('heading', { level: 1, name: 'Ann' }).waitFor()
    expect((await api('GET', '/v1/person/id/7')).body.meta).toBe('Ann')
    expect((await api('GET', `/v1/face/id/${face}`)).body.meta).toBe('Ann')
    await expect.poll(() => page.locator('.tile-meta').allInnerTexts(), SOON).toEqual(['Ann'])
  })

  it('split selected faces off as a new person, but never all of them', async () => {
    const { token, api } = freshOwner()
    await enrolAs(api, 7, 2)
    await enrolAs(api, 7, 3)
    const { page, trouble } = await visit(browser, { token, hash: '#/persons/7' })
    await tiles(page).nth(1).waitFor()
    for (const i of [0, 1]) await tiles(page).nth(i).getByRole('checkbox').check()
    const split = page.getByRole('button', { name: 'Split off', exact: true })
    expect(await split.isDisabled()).toBe(true)
    await tiles(page).nth(1).getByRole('checkbox').uncheck()
    await split.click()
    const dialog = page.getByRole('dialog', { name: 'Split off 1 face?' })
    await dialog.getByLabel('Meta of the new person').fill('Ben')
    await dialog.getByRole('button', { name: 'Split off 1 face' }).click()
    await page.getByText('1 face became a new person:').waitFor()
    await expect.poll(() => tiles(page).count(), SOON).toBe(1)
    expect(await crowd(api)).toEqual({ 7: 1, 8: 1 })
    await page.getByRole('link', { name: 'Ben' }).click()
    await page.getByRole('heading', { level: 1, name: 'Ben' }).waitFor()
    expect(trouble).toEqual([])
  })

  it('merge another person, found by its number, into this one', async () => {
    const { token, api } = freshOwner()
    for (const id of [7, 8]) await enrolAs(api, id, 2)
    const { page } = await visit(browser, { token, hash: '#/persons/7' })
    const number = page.getByLabel('Number of the person')
    await number.fill('7')
    await number.press('Enter')
    await page.getByText('This is the number of this person.').waitFor()
    await number.fill('404')
    await number.press('Enter')
    await page.getByText('Not found.').waitFor()
    await number.fill('8')
    await number.press('Enter')
    await page.getByRole('dialog').getByRole('button', { name: 'Merge 2 persons' }).click()
    await expect.poll(() => tiles(page).count(), SOON).toBe(2)
    expect(await crowd(api)).toEqual({ 7: 2 })
  })

  it('show sightings by day and camera, and the state friend', async () => {
    const { token, api } = freshOwner()
    const door = (await api('POST', '/v1/camera', { meta: 'Door' })).body.id
    for (let day = 1; day <= 5; day++)
      await enrolAs(api, 7, 2, { cam_id: door, timestamp: `2026-11-0${day}T12:00:00` })
    await enrolAs(api, 7, 2, { timestamp: '2026-11-04T13:00:00' })
    const { page, trouble } = await visit(browser, { token, hash: '#/persons/7', timezoneId: 'UTC' })
    await page.locator('.person-facts').getByText('Friend').waitFor()
    await page.getByRole('button', { name: 'Sightings' }).click()
    await page.locator('.day').nth(4).waitFor()
    const [newest] = await page.locator('.day').allInnerTexts()
    expect(newest?.split('\n').filter(line => line.trim() !== '')).toEqual([
      'Nov 5, 2026',
      'Camera Door',
      '1 sighting',
      'Friend',
      expect.stringMatching(/^12:00\sPM$/),
    ])
    expect(await page.locator('.sightings img').count()).toBe(5)
    expect(trouble).toEqual([])
  })

  it('delete a person after a confirmation that names the number of faces', async () => {
    const { token, api } = freshOwner()
    await enrolAs(api, 7, 2)
    await enrolAs(api, 7, 3)
    await enrolAs(api, 8, 2)
    const { page } = await visit(browser, { token, hash: '#/persons/7' })
    await page.getByRole('button', { name: 'Delete the person' }).click()
    const dialog = page.getByRole('dialog', { name: 'Delete Person 7?' })
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    expect(await crowd(api)).toEqual({ 7: 2, 8: 1 })
    await page.getByRole('button', { name: 'Delete the person' }).click()
    await dialog.getByRole('button', { name: 'Delete person and 2 faces' }).click()
    await page.getByRole('heading', { level: 1, name: 'Persons' }).waitFor()
    expect(await crowd(api)).toEqual({ 8: 1 })
  })

  it('say what a token may not do, and that a person does not exist', async () => {
    const { token, api } = freshOwner()
    await enrolAs(api, 7, 2)
    const { page } = await visit(browser, { token, hash: '#/persons/404' })
    await page.getByText('Not found.').waitFor()
    expect(await page.getByRole('button', { name: 'Delete the person' }).count()).toBe(0)
    const answer = {
      status: 403,
      json: { code: 'FORBIDDEN', reason: 'The token does not allow this operation.' },
    }
    await page.route('**/v1/person/id/7', route =>
      route.request().method() === 'PUT' ? route.fulfill(answer) : route.continue(),
    )
    await page.goto(`${inject('edge')}/#/persons/7`)
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('The token does not allow this operation.').waitFor()
  })
})
