/** The faces of a gallery: the filter, the counts, and a grid with more faces than a page can hold. */

import type { Page } from 'playwright-core'
import { inject } from 'vitest'
import { times } from '#test/support/times.ts'
import {
  buttonIn,
  clickButton,
  consoleTests,
  enrol,
  headingIn,
  it,
  linkIn,
  samplePath,
  visit,
  waitForText,
} from './visitor.ts'

const metas = (page: Page) => page.locator('.tile-meta').allInnerTexts()

consoleTests('a gallery', () => {
  it('is checked: sets a face under a wrong name aside, and takes it back', async ({ token, api }) => {
    await enrol(api, 3, { meta: 'Ann' })
    await enrol(api, 3, { meta: 'Ann' })
    const [wrong] = await enrol(api, 5, { meta: 'Ann' })
    const page = await visit({ token, hash: '#/galleries/default' })
    await linkIn(page, 'Check the gallery').click()
    const finding = page.getByRole('listitem', { name: 'Not like the other photos of this person' })
    await clickButton(finding, 'Set aside')
    await waitForText(finding, 'Set aside.')
    const review = async () => (await api('GET', `/v1/face/id/${wrong!.id}`)).body.review
    expect(await review()).toBe('set_aside')
    await clickButton(finding, 'Undo')
    await clickButton(finding, 'It is right')
    await waitForText(finding, 'Marked as right.')
    expect(await review()).toBe('confirmed')
    await page.reload()
    await buttonIn(page.getByRole('listitem', { name: 'The same picture twice' }), 'Keep both').waitFor()
    expect(await finding.count()).toBe(0)
  })

  it('shows the faces of a person, a camera, a time and friends, and keeps the filter in its address', async ({
    token,
    api,
  }) => {
    const { id } = (await api('POST', '/v1/camera', { meta: 'Entrance' })).body
    const [ann] = await enrol(api, 2, { meta: 'Ann', timestamp: '2026-01-01T10:00:00Z' })
    await enrol(api, 2, { meta: 'Ben', timestamp: '2026-01-02T10:00:00Z', cam_id: id })
    await enrol(api, 2, { meta: 'Cleo', timestamp: '2026-01-03T10:00:00Z', cam_id: id })
    await api('PUT', `/v1/face/id/${ann!.id}`, { person_id: 7 })
    const options = { token, hash: '#/galleries/default', timezoneId: 'Asia/Tokyo' }
    const page = await visit(options)
    const showing = (expected: string[]) => expect.poll(() => metas(page)).toEqual(expected)
    await showing(['Cleo', 'Ben', 'Ann'])
    await page.getByText('More filters').click()
    await page.getByLabel('Person').fill('ann')
    await clickButton(page, /^Ann/)
    await showing(['Ann'])
    await clickButton(page, 'Remove Ann')
    await page.getByText('More filters').click()
    await page.getByLabel('Camera').selectOption('Entrance')
    await showing(['Cleo', 'Ben'])
    // 10:00 UTC is 19:00 in Tokyo.
    await page.getByLabel('Until').fill('2026-01-02T19:00')
    await page.getByLabel('Until').blur()
    await showing(['Ben'])
    await page.getByLabel('Friends').selectOption('Friends of the camera')
    await waitForText(page, 'No face of this gallery meets the filter.')
    await page.goBack()
    await showing(['Ben'])
    expect(await page.getByLabel('Friends').inputValue()).toBe('')
    await page.reload()
    await showing(['Ben'])
    expect(await page.getByLabel('Until').inputValue()).toBe('2026-01-02T19:00')
    expect(await page.getByLabel('Camera').inputValue()).toBe(id)
    await clickButton(page, 'Select all')
    await waitForText(page, '1 selected')
    await clickButton(page, 'Show all')
    await showing(['Cleo', 'Ben', 'Ann'])
    expect(await page.getByText('1 selected').count()).toBe(0)
  })

  it('shows the number of its faces, and when they are deleted, on its card and on its page', async ({
    token,
    api,
  }) => {
    await api('POST', '/v1/galleries/staff', { retention_days: 30 })
    await enrol(api, 3, { mf_selector: 'all' })
    const page = await visit({ token, hash: '#/galleries' })
    const card = (name: string) => page.locator('.gallery-card', { hasText: name }).locator('.counts')
    await expect.poll(() => card('All faces').innerText()).toMatch(/^3 faces$/)
    expect(await card('staff').innerText()).toMatch(/^0 faces\s+deleted after 30 days$/)
    await linkIn(page, 'All faces').click()
    const head = page.locator('.page-head .counts')
    await expect.poll(() => head.innerText()).toContain('3 faces')
    await page.locator('input[type=file]').first().setInputFiles(samplePath(2))
    await clickButton(page, 'Enrol 1 photo')
    await expect.poll(() => head.innerText()).toContain('4 faces')
    await page.locator('.tile').first().getByRole('checkbox').check()
    await clickButton(page, 'Delete')
    await clickButton(page, 'Delete 1 face')
    await expect.poll(() => head.innerText()).toContain('3 faces')
  })
})

const FACES = 100_000

const face = (id: number) => ({
  id,
  timestamp: '2026-11-23T05:00:00.000000',
  photo: '',
  photo_hash: '',
  thumbnail: '',
  normalized: '',
  x1: 0,
  y1: 0,
  x2: 90,
  y2: 90,
  meta: `face ${id}`,
  galleries: ['default'],
  friend: false,
})

/** Answers lists of faces as a service with 100,000 faces does. Returns the first id and the number of each page. */
async function servedFaces(page: Page): Promise<[number, number][]> {
  const asked: [number, number][] = []
  await page.route('**/v1/faces/gallery/default?*', route => {
    const query = new URL(route.request().url()).searchParams
    const first = Number(query.get('max_id') ?? FACES + 1) - 1
    const count = Math.max(0, Math.min(Number(query.get('limit')), first))
    asked.push([first, count])
    return route.fulfill({ json: { results: times(count, i => face(first - i)) } })
  })
  return asked
}

/** Meta of the face whose tile is at the middle of the window. */
const metaInTheMiddle = (page: Page): Promise<string> =>
  page.evaluate(`[...document.querySelectorAll('.tile')].find(tile => {
    const { top, bottom } = tile.getBoundingClientRect()
    return top <= innerHeight / 2 && bottom + 12 >= innerHeight / 2
  })?.querySelector('.tile-meta').textContent ?? ''`)

consoleTests('the grid of faces', () => {
  it('loads only shown faces, and keeps few of 100,000 faces on the page', async () => {
    const page = await visit({ token: inject('token') })
    const asked = await servedFaces(page)
    await page.goto(`${inject('edge')}/#/galleries/default`)
    await waitForText(page, 'face 100000')
    await page.waitForTimeout(300)
    expect(asked).toEqual([[FACES, 60]])
    let most = 0
    for (let i = 0; i < 8; i++) {
      const scroll = async () => {
        await page.evaluate('scrollTo(0, document.body.scrollHeight)')
        return asked.length
      }
      await expect.poll(scroll).toBeGreaterThan(i + 1)
      most = Math.max(most, await page.locator('.tile').count())
    }
    expect(most).toBeLessThan(150)
    const pages = asked.length
    await page.evaluate('scrollTo(0, 0)')
    await waitForText(page, 'face 100000')
    // The first page was forgotten by then, and the pages between are not loaded again.
    expect(asked.slice(pages).map(([first]) => first)).toContain(FACES)
    expect(asked.length - pages).toBeLessThan(6)
    await page.evaluate('scrollTo(0, document.body.scrollHeight / 2)')
    await expect.poll(() => metaInTheMiddle(page)).toMatch(/^face (?:98|99)\d{3}$/)
    const left = await metaInTheMiddle(page)
    const loaded = asked.length
    await page.evaluate(`location.hash = '#/compare'`)
    await headingIn(page, 'Compare').waitFor()
    await page.goBack()
    await expect.poll(() => metaInTheMiddle(page)).toBe(left)
    expect(asked.length - loaded).toBeLessThan(4)
    for (const hash of ['compare', 'galleries/default']) await page.evaluate(`location.hash = '#/${hash}'`)
    await waitForText(page, 'face 100000')
  })

  it('prints all faces that are loaded, in rows as wide as the paper', async () => {
    const page = await visit({ token: inject('token') })
    await servedFaces(page)
    await page.goto(`${inject('edge')}/#/galleries/default`)
    await waitForText(page, 'face 100000')
    expect(await page.locator('.tile').count()).toBeLessThan(60)
    await page.evaluate(`addEventListener('beforeprint', () => {
      const tiles = [...document.querySelectorAll('.tile')]
      document.title = tiles.length + ' ' + tiles.every(tile => tile.getBoundingClientRect().right <= innerWidth)
    })`)
    await page.pdf()
    expect(await page.title()).toBe('60 true')
  })
})
