/** Enrolments of folders: the plan, pauses, reloads and failures. */

import { copyFile, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import type { Box } from '#clients/typescript/src/index.ts'
import { form, type Send, sample } from '#test/support/client.ts'
import { times } from '#test/support/times.ts'
import { temporaryFolder, temporaryPath } from '#test/unit/core/folder.ts'
import { dropFiles } from './tasks/actions.ts'
import {
  buttonIn,
  clickButton,
  consoleTests,
  enrol,
  freshOwner,
  headingIn,
  it,
  linkIn,
  regionIn,
  samplePath,
  visit,
  waitForText,
} from './visitor.ts'

/** A folder of photos, named by their numbers among the samples. */
async function people(files: Record<string, 2 | 4 | 5 | 6>) {
  const folder = await temporaryFolder()
  for (const [path, number] of Object.entries(files)) {
    await mkdir(join(folder, path, '..'), { recursive: true })
    await copyFile(samplePath(number), join(folder, path))
  }
  return folder
}

async function enrolFolder(page: Page, folder: string) {
  await page.getByLabel('Choose a folder').setInputFiles(folder)
  await clickButton(page, /^Enrol \d photos$/)
}

consoleTests('an enrolment', () => {
  it('continues after a reload, and sends no photo again that is done', async ({ token, api }) => {
    const folder = await people({ 'Ann/1.jpg': 2, 'Ben/1.jpg': 4, 'Cleo/1.jpg': 5, 'Dan/1.jpg': 6 })
    const page = await visit({ token, hash: '#/galleries/default' })
    let posts = 0
    // The first photo is answered. The others are under way at the reload.
    await page.route('**/v1/face', route => (posts++ === 0 ? route.continue() : undefined))
    await page.getByLabel('Name', { exact: true }).fill('Guest')
    await page.getByLabel('Faces on a photo').selectOption('all')
    await enrolFolder(page, folder)
    await waitForText(page, '1 of 4 photos')
    expect(posts).toBe(4)
    await page.getByRole('link', { name: 'Persons', exact: true }).click()
    await linkIn(page, 'Enrolment: 3 photos left').click()
    await waitForText(page, '1 of 4 photos')
    const asked = page.waitForEvent('dialog')
    await page.reload()
    expect((await asked).type()).toBe('beforeunload')
    await page.unroute('**/v1/face')
    await page.getByRole('link', { name: 'Persons', exact: true }).click()
    await linkIn(page, 'Enrolment stopped: 3 photos left').click()
    await waitForText(page, 'An enrolment was interrupted: 3 of 4 photos left.')
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Guest')
    expect(await page.getByLabel('Faces on a photo').inputValue()).toBe('all')
    page.on('request', request => request.method() === 'POST' && posts++)
    await enrolFolder(page, folder)
    await waitForText(page, '4 of 4 photos')
    await waitForText(page, '1 photo was enrolled before.')
    expect(posts).toBe(7)
    const faces = (await api('GET', '/v1/faces')).body.results as { meta: string; photo_hash: string }[]
    expect(new Set(faces.map(({ meta }) => meta))).toEqual(new Set(['Ann', 'Ben', 'Cleo', 'Dan']))
    expect(new Set(faces.map(({ photo_hash }) => photo_hash)).size).toBe(4)
    expect(await page.evaluate('Object.keys(sessionStorage).join() + localStorage.length')).toBe(
      'mien.token0',
    )
  })
})

/** The boxes of a sample photo, in the order of the service. */
const boxesOf = async (api: Send, number: 2 | 4 | 6): Promise<Box[]> =>
  (await api('POST', '/v1/detect', form({ photo: await sample(number) }))).body.faces

/** Left side of the stored face with this meta. */
const leftOf = async (api: Send, meta: string): Promise<number> =>
  (await api('GET', `/v1/faces?meta=${meta}`)).body.results[0].x1

consoleTests('photos of an enrolment', () => {
  it('with several faces mark the taken face, and another face can be pressed', async ({ token, api }) => {
    const folder = await people({ 'Ann/1.jpg': 4, 'Ben/1.jpg': 6 })
    const [{ x1, y1, x2, y2 }] = (await boxesOf(api, 4)) as [Box]
    const margin = Math.floor((x2 - x1) / 2)
    const [left, top] = [x1 - margin, Math.max(0, y1 - margin)]
    const portrait = { left, top, width: x2 + margin - left, height: y2 + margin - top }
    await mkdir(join(folder, 'Cleo'))
    await sharp(samplePath(4))
      .extract(portrait)
      .toFile(join(folder, 'Cleo', '1.jpg'))
    const page = await visit({ token, hash: '#/galleries/default' })
    await page.getByLabel('Choose a folder').setInputFiles(folder)
    const photos = page.getByRole('list', { name: 'Photos with several faces' }).getByRole('listitem')
    const [ann, ben] = ['Ann', 'Ben'].map(name => photos.filter({ hasText: `${name}/1.jpg` }))
    const marked = async (photo = ann!) =>
      Number((await photo.locator('[aria-pressed=true]').innerText()).match(/\d+/)![0]) - 1
    const [taken, other] = [await marked(), (await marked(ben)) === 0 ? 1 : 0]
    await clickButton(ben!, `Face ${other + 1}`)
    await page.getByText(/Looking for photos/).waitFor({ state: 'detached' })
    expect(await photos.count()).toBe(2)
    await clickButton(page, 'Enrol 3 photos')
    await waitForText(page, '3 of 3 photos, 3 faces enrolled')
    for (const [meta, number, index] of [
      ['Ann', 4, taken],
      ['Ben', 6, other],
    ] as const)
      expect(Math.abs((await leftOf(api, meta)) - (await boxesOf(api, number))[index]!.x1)).toBeLessThan(10)
  })

  it('of more than 10 MB are made smaller, and stay upright', async ({ token, api }) => {
    const turned = await sharp(samplePath(2)).rotate(90).withMetadata({ orientation: 8 }).jpeg().toBuffer()
    const path = await temporaryPath('large.jpg')
    // Browsers ignore what follows the picture.
    await writeFile(path, Buffer.concat([turned, Buffer.alloc(11 * 2 ** 20)]))
    const page = await visit({ token, hash: '#/galleries/default' })
    await page.getByLabel('Name', { exact: true }).fill('Ann')
    await page.getByLabel('Choose photos').setInputFiles(path)
    await waitForText(page, '1 photo is larger than 10 MB')
    await clickButton(page, 'Enrol 1 photo')
    await waitForText(page, '1 of 1 photo, 1 face enrolled')
    const [{ x1 }] = (await boxesOf(api, 2)) as [Box]
    expect(Math.abs((await leftOf(api, 'Ann')) - x1)).toBeLessThan(10)
    await linkIn(page, 'Who is this?').click()
    await page.getByLabel('Choose a photo').setInputFiles(path)
    await waitForText(page, 'The photo was made smaller')
    await buttonIn(page, 'Face 1 Ann certain').waitFor()
  })
})

consoleTests('an enrolment that its visitor leaves', () => {
  it('ends with the session, and the next visitor sees nothing of it', async ({ token }) => {
    const folder = await people({ 'Ann/1.jpg': 2, 'Ben/1.jpg': 4, 'Cleo/1.jpg': 5 })
    const page = await visit({ token, hash: '#/galleries/default', trouble: /status of 401/ })
    let posts = 0
    await page.route('**/v1/face', route =>
      posts++ === 0 ? route.fulfill({ status: 401, json: {} }) : undefined,
    )
    await enrolFolder(page, folder)
    await waitForText(page, 'The token is no longer valid. Sign in with another one.')
    expect(await page.evaluate('sessionStorage.length')).toBe(0)
    await page.getByLabel('Token').fill(token)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await regionIn(page, 'Enrol faces').waitFor()
    expect(await page.getByText(/^Enrolment|of 3 photos/).count()).toBe(0)
    await page.unroute('**/v1/face')
    await page.route('**/v1/face', () => undefined)
    await enrolFolder(page, folder)
    await waitForText(page, '0 of 3 photos')
    // The browser would ask because of the running enrolment, and stay.
    await clickButton(page, 'Sign out')
    await page.getByLabel('Token').waitFor()
  })
})

consoleTests('folders that are dropped', () => {
  it('are shown before anything is sent, become persons, pause, and failures are tried again', async ({
    token,
    api,
  }) => {
    const staff = await people({ 'Ann/1.jpg': 2, 'Ben/1.jpg': 4, 'Ben/old/2.jpg': 5, 'Cleo/1.jpg': 6 })
    await writeFile(join(staff, 'Ann', 'notes.txt'), 'Ann')
    await writeFile(join(staff, 'Cleo', '2.jpg'), 'no photo')
    const page = await visit({ token, hash: '#/galleries/default', trouble: /status of (400|429)/ })
    let posts = 0
    await page.route('**/v1/face', async route => {
      posts++
      if (posts === 1) await clickButton(page, 'Pause')
      await (posts === 2 ? route.fulfill({ status: 429, json: {} }) : route.continue())
    })
    const zone = regionIn(page, 'Enrol faces')
    await dropFiles(zone, [staff])
    const plan = regionIn(page, 'What will be enrolled')
    await headingIn(plan, '3 people, 4 photos').waitFor()
    const planned = plan.getByRole('list', { name: 'People' }).getByRole('listitem')
    expect(await planned.allInnerTexts()).toEqual(['Ann 1 photo', 'Ben 1 photo', 'Cleo 2 photos'])
    await plan.getByText('2 files skipped').click()
    await waitForText(plan, '/Ann/notes.txt notes.txt is not a JPEG, PNG or WEBP photo.')
    await waitForText(plan, '/Ben/old/2.jpg It is in no folder of a person')
    expect(posts).toBe(0)
    await clickButton(plan, 'Enrol 4 photos')
    await waitForText(page, 'Paused.')
    await page.getByRole('link', { name: 'Persons', exact: true }).click()
    await linkIn(page, /^Enrolment paused: \d photos? left$/).click()
    await clickButton(page, 'Continue')
    await page.getByRole('link', { name: 'Persons', exact: true }).click()
    const end = linkIn(page, 'Enrolment complete, 1 photo failed')
    await end.click()
    await end.waitFor({ state: 'detached' })
    await waitForText(page, '4 of 4 photos, 3 faces enrolled')
    expect(await page.getByText('An enrolment was interrupted').count()).toBe(0)
    await waitForText(zone, '/Cleo/2.jpg The photo is not a JPEG, PNG or WEBP image.')
    await page.getByLabel('Faces on a photo').selectOption('reject')
    const again = page.waitForRequest('**/v1/face')
    await clickButton(zone, 'Try again')
    expect((await again).postDataBuffer()?.toString()).toContain('biggest')
    await waitForText(page, '1 of 1 photo, 0 faces enrolled')
    const persons = (await api('GET', '/v1/persons')).body.results as { meta: string }[]
    expect(persons.map(({ meta }) => meta).sort()).toEqual(['Ann', 'Ben', 'Cleo'])
  })

  it('are not sent while several persons have the name of one', async ({ token, api }) => {
    for (const person_id of ['7', '8']) await enrol(api, 2, { person_id, meta: 'Ann' })
    const page = await visit({ token, hash: '#/galleries/default' })
    // With persons, a typed name is the name of the person.
    await page.route('**/v1/token', async route => {
      const response = await route.fetch()
      await route.fulfill({ response, json: { ...(await response.json()), persons: true } })
    })
    await page.reload()
    await page.getByLabel('Choose a folder').setInputFiles(await people({ 'Ann/1.jpg': 2 }))
    await waitForText(page, 'Several persons have this name.')
    const button = buttonIn(page, 'Enrol 1 photo')
    await expect.poll(() => button.isDisabled()).toBe(true)
    await page.getByLabel('Choose photos').setInputFiles(samplePath(2))
    await page.getByText('Several persons have this name.').waitFor({ state: 'detached' })
    await expect.poll(() => button.isDisabled()).toBe(false)
    await page.getByLabel('Name', { exact: true }).fill('ann')
    await waitForText(page, 'Several persons have this name.')
    await expect.poll(() => button.isDisabled()).toBe(true)
  })

  it('may have many files: a part of the list is on the page', async () => {
    const folder = await temporaryFolder()
    await Promise.all(
      times(600, async i => {
        await mkdir(join(folder, `Person ${i % 300}`), { recursive: true })
        await writeFile(join(folder, `Person ${i % 300}`, `${i}.jpg`), '')
      }),
    )
    const page = await visit({
      token: freshOwner().token,
      hash: '#/galleries/default',
      trouble: /status of 400/,
    })
    await dropFiles(regionIn(page, 'Enrol faces'), [folder])
    await headingIn(page, '300 people, 600 photos').waitFor()
    await waitForText(page, 'and 100 more')
    expect(await page.getByRole('listitem').count()).toBeLessThan(300)
  })
})
