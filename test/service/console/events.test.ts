/** The page of events: a live list with filters, and what happens when the connection is lost. */
import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { inject } from 'vitest'
import { closeDatabase, openDatabase } from '#core/metadata/database.ts'
import { clientOf, form, type Send, sample } from '#test/support/client.ts'
import { ffmpeg, hasFfmpeg } from '#test/support/photos/clips.ts'
import { newToken } from '#test/support/tokens.ts'
import { temporaryPath } from '#test/unit/core/folder.ts'
import { startForwarder } from '../../recovery/forwarder.ts'
import { startEdge } from '../edge/edge-process.ts'
import {
  buttonIn,
  clickButton,
  consoleTests,
  enrol,
  enrolMany,
  it,
  regionIn,
  signIn,
  visit,
  waitForText,
} from './visitor.ts'

const tiles = (page: Page) => page.locator('.tile.event')
const live = (page: Page) => page.getByText('Live', { exact: true }).waitFor()

const metas = (page: Page): Promise<(string | null)[]> =>
  page.locator('.tile .who strong').evaluateAll(all => all.map(one => one.textContent))

const camera = async (api: Send, meta: string): Promise<string> =>
  (await api('POST', '/v1/camera', { meta })).body.id

consoleTests('the page of events', () => {
  it('filters the history and new events by camera, gallery, person, friend and time', async ({
    token,
    api,
  }) => {
    const [door, gate] = [await camera(api, 'door'), await camera(api, 'gate')]
    await api('POST', '/v1/galleries/staff')
    const [ann] = await enrol(api, 1, {
      meta: 'Ann',
      cam_id: door,
      galleries: 'staff',
      timestamp: '2026-01-02T00:00:00Z',
    })
    await enrol(api, 4, { meta: 'Bob', cam_id: gate })
    await api('PUT', `/v1/face/id/${ann!.id}`, { person_id: 7 })
    const page = await visit({ token, hash: '#/events' })
    const shows = (...expected: string[]) => expect.poll(() => metas(page)).toEqual(expected)
    await shows('Bob', 'Ann')
    await page.getByLabel('Camera').selectOption('door')
    await shows('Ann')
    await live(page)
    await enrol(api, 4, { meta: 'at the gate', cam_id: gate })
    await enrol(api, 4, { meta: 'at the door', cam_id: door })
    await shows('at the door', 'Ann')
    await page.getByLabel('Gallery').selectOption('staff')
    await shows('Ann')
    await clickButton(page, 'Show all')
    await shows('at the door', 'at the gate', 'Bob', 'Ann')
    await page.getByLabel('Person').fill('7')
    await page.getByRole('list', { name: 'Persons found' }).getByRole('button').click()
    await shows('Ann')
    await clickButton(page, 'Show all')
    await page.getByLabel('To').fill('2026-02-01T00:00')
    await shows('Ann')
    await page.getByLabel('From').fill('2026-01-15T00:00')
    await waitForText(page, 'No event meets the filter')
    await clickButton(page, 'Show all')
    await page.getByLabel('Friends').selectOption('Friends only')
    await waitForText(page, 'No event meets the filter')
  })

  it.skipIf(!hasFfmpeg)(
    'plays the clip of an event below its whole picture, with the box',
    async ({ token, api }) => {
      const options = { snapshot: true, clip: true }
      const { id: cam_id } = (await api('POST', '/v1/camera', { meta: 'door', options })).body
      const [face] = await enrol(api, 4, { meta: 'Ann', cam_id })
      const file = await temporaryPath('clip.mp4')
      // AV1: not every build of Chromium plays H.264.
      ffmpeg('-f', 'lavfi', '-i', 'testsrc=s=640x360:r=10:d=3', '-c:v', 'libsvtav1', '-preset', '12', file)
      const put = async (kind: string, bytes: Uint8Array<ArrayBuffer>) =>
        (await api('PUT', `/v1/face/id/${face!.id}/${kind}`, form({ [kind]: bytes }))).status
      expect(await put('snapshot', await sample(4))).toBe(204)
      expect(await put('clip', new Uint8Array(await readFile(file)))).toBe(204)
      const page = await visit({ token, hash: `#/faces/${face!.id}` })
      const box = await page.locator('.boxed-photo .face-box').boundingBox()
      const picture = await page.getByRole('img', { name: 'The whole picture' }).boundingBox()
      const shown = picture!.width / (await sharp(await sample(4)).metadata()).width
      expect(box!.x - picture!.x).toBeCloseTo(face!.x1 * shown, 0)
      expect(box!.width).toBeCloseTo((face!.x2 - face!.x1) * shown, 0)
      const video = page.locator('video')
      await expect
        .poll(() => video.evaluate((element: HTMLVideoElement) => element.duration))
        .toBeCloseTo(3, 1)
      await video.evaluate((element: HTMLVideoElement) => {
        element.currentTime = 2
        void element.play()
      })
      await expect.poll(() => video.evaluate((element: HTMLVideoElement) => element.ended)).toBe(true)
    },
  )

  it('shows the picture of an event, and who it was', async ({ token, api }) => {
    const cam_id = await camera(api, 'front door')
    await enrol(api, 1, { person: 'Ann' })
    await enrol(api, 1, { person: 'Ann', cam_id, quality: 'true' })
    await enrol(api, 4, { cam_id })
    const page = await visit({ token })
    const answering = Promise.withResolvers<void>()
    await page.route('**/v1/face/id/*', async route => {
      await answering.promise
      await route.continue()
    })
    await page.evaluate(`location.hash = '#/events'`)
    // No name is shown until the service has answered.
    await buttonIn(page, /^…, front door/).waitFor()
    expect(await buttonIn(page, /^Unknown/).count()).toBe(0)
    answering.resolve()
    await buttonIn(page, /^Unknown, front door/).waitFor()
    await clickButton(page, /^Ann, certain, front door/)
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('img', { name: 'Picture of the face' }).waitFor()
    await expect
      .poll(() => dialog.textContent())
      .toMatch(/Anncertain.*Camerafront door.*GalleriesAll faces.*Qualitygood \(0[.,]\d/)
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await page.goBack()
    expect(new URL(page.url()).hash).toBe('')
  })

  it('gives an unknown visitor a name, and takes it back', async ({ token, api }) => {
    const cam_id = await camera(api, 'front door')
    const [seen] = await enrol(api, 5, { cam_id })
    await api('PUT', `/v1/face/id/${seen!.id}`, { person_id: 7 })
    const [ben] = await enrol(api, 1, { person: 'Ben' })
    const page = await visit({ token, hash: '#/events' })
    const event = (name: string) => buttonIn(page, new RegExp(`^${name}.*, front door`))
    await event('Unknown person 7').click()
    const dialog = page.getByRole('dialog')
    const undo = buttonIn(dialog, 'Undo')
    await dialog.getByLabel('This is …').fill('Änne')
    await clickButton(dialog, 'New person: Änne')
    await waitForText(dialog, 'Änne')
    expect((await api('GET', '/v1/person/id/7')).body.meta).toBe('Änne')
    await undo.click()
    await waitForText(dialog, 'Unknown person 7')
    await dialog.getByLabel('This is …').fill('be')
    // A part of a name only reaches the first choice.
    await page.keyboard.press('Enter')
    await expect.poll(() => dialog.locator(':focus').textContent()).toMatch(/^Ben/)
    await page.keyboard.press('Enter')
    await waitForText(dialog, 'Ben')
    const personOf = async () => (await api('GET', `/v1/face/id/${seen!.id}`)).body.person_id
    expect(await personOf()).toBe((await api('GET', `/v1/face/id/${ben!.id}`)).body.person_id)
    await clickButton(dialog, 'Not this person')
    await waitForText(dialog, 'Unknown')
    expect(await personOf()).toBeUndefined()
    await undo.click()
    await waitForText(dialog, 'Ben')
    await page.keyboard.press('Escape')
    await event('Ben').waitFor()
  })

  it('asks whether an event is of the person that it probably shows', async ({ token, api }) => {
    const cam_id = await camera(api, 'front door')
    await enrol(api, 1, { person: 'Ann' })
    const seen = [(await enrol(api, 5, { cam_id }))[0]!, (await enrol(api, 4, { cam_id }))[0]!]
    const database = await openDatabase(inject('data'))
    const probable = 'person_id = NULL, candidate = 1, candidate_confidence = .7'
    for (const { id } of seen) await database.run(`UPDATE faces SET ${probable} WHERE id = ${id}`)
    await closeDatabase(database)
    const page = await visit({ token, hash: '#/events' })
    const events = buttonIn(page, /^probably Ann, front door/)
    const dialog = page.getByRole('dialog')
    for (const [answer, who] of [
      ['No', 'Unknown'],
      ['Yes', 'Ann'],
    ] as const) {
      await events.first().click()
      await waitForText(dialog, 'Is this Ann?')
      await dialog.getByRole('button', { name: answer, exact: true }).click()
      await dialog.locator('.who strong').getByText(who, { exact: true }).waitFor()
      await dialog.getByText('Is this Ann?').waitFor({ state: 'detached' })
      await page.keyboard.press('Escape')
    }
    const persons = await Promise.all(
      seen.map(async ({ id }) => (await api('GET', `/v1/face/id/${id}`)).body.person_id),
    )
    expect(persons).toEqual([1, undefined])
  })

  it('keeps its filter and the opened event in the address, and follows the other tab', async ({
    token,
    api,
  }) => {
    const cam_id = await camera(api, 'door')
    const [ann] = await enrol(api, 1, { meta: 'Ann', cam_id })
    await enrol(api, 4, { meta: 'Bob' })
    const page = await visit({ token, hash: '#/events' })
    await page.getByLabel('Camera').selectOption('door')
    await clickButton(page, /^Ann, door/)
    await expect.poll(() => page.url()).toContain(`events?camera=${cam_id}&event=${ann!.id}`)
    const other = await page.context().newPage()
    await other.goto(page.url())
    await signIn(other, token)
    await other.getByRole('dialog').getByLabel('This is …').fill('Änne')
    await clickButton(other, 'New person: Änne')
    await page.keyboard.press('Escape')
    await buttonIn(page, /^Änne, certain, door, .*:\d\d:\d\d/).waitFor()
    // A page behind another one draws too rarely to be clicked.
    await other.bringToFront()
    await clickButton(other, 'Delete')
    await clickButton(other.getByRole('dialog').last(), 'Delete')
    await waitForText(page, 'No event meets the filter')
    expect(await page.getByLabel('Camera').inputValue()).toBe(cam_id)
  })

  it('shows unseen alerts, and marks them one by one and all at once', async ({ token, api }) => {
    const cam_id = await camera(api, 'door')
    await api('POST', '/v1/alerts', { name: 'anybody' })
    const page = await visit({ token, hash: '#/events' })
    await live(page)
    for (let i = 0; i < 3; i++) await enrol(api, 1, { cam_id })
    const alerts = regionIn(page, 'Latest alerts')
    await buttonIn(page, 'Mark all 3 as seen').waitFor()
    await expect.poll(() => buttonIn(page, /Alert: anybody$/).count()).toBe(3)
    await buttonIn(alerts, 'Mark as seen').first().click()
    await clickButton(page, 'Mark all 2 as seen')
    await alerts.waitFor({ state: 'detached' })
    expect((await api('GET', '/v1/alerts/history')).body.unseen).toBe(0)
  })

  it('saves one event as evidence', async ({ token, api }) => {
    const [ann] = await enrol(api, 1, { cam_id: await camera(api, 'door') })
    await enrol(api, 4, { cam_id: await camera(api, 'gate') })
    const page = await visit({ token, hash: `#/events?event=${ann!.id}` })
    const saving = page.waitForEvent('download')
    await clickButton(page.getByRole('dialog'), 'Save as evidence')
    const download = await saving
    const zip = await readFile(await download.path(), 'latin1')
    expect(download.suggestedFilename()).toBe(`event-${ann!.id}.zip`)
    // Each name is in the ZIP file twice, and once in the manifest.
    expect(zip.split('thumbnail.jpg')).toHaveLength(4)
    expect(zip).toContain(`${ann!.id}/`)
  })

  it('does not move when the visitor reads on, and counts new events instead', async ({ token, api }) => {
    const cam_id = await camera(api, 'door')
    await enrolMany(api, 16, { cam_id })
    const page = await visit({ token, hash: '#/events', viewport: { width: 500, height: 500 } })
    await live(page)
    await expect.poll(() => tiles(page).count()).toBeGreaterThan(3)
    await page.evaluate('scrollTo(0, 900)')
    await expect.poll(() => page.evaluate('scrollY')).toBeGreaterThan(500)
    const before = await page.evaluate('scrollY')
    await enrol(api, 1, { meta: 'Ann', cam_id })
    await buttonIn(page, '1 new event').waitFor()
    expect(await page.evaluate('scrollY')).toBe(before)
    await clickButton(page, '1 new event')
    await expect.poll(async () => (await metas(page))[0]).toBe('Ann')
    expect(await page.evaluate('scrollY')).toBe(0)
  })

  it('says that the connection is lost, and shows missed events when it is back', async () => {
    const core = await startForwarder(inject('core'))
    const edge = await startEdge(inject('data'), [core.url])
    const token = newToken(inject('data'), `events of a page ${process.pid}`)
    const api = clientOf(inject('edge'), token)
    const cam_id = await camera(api, 'door')
    const page = await visit({ edge, token, hash: '#/events', trouble: /status of 503/ })
    await live(page)
    await core.cut()
    await waitForText(page, 'The connection is lost')
    await enrol(api, 1, { meta: 'Ann', cam_id })
    await core.mend()
    await live(page)
    await expect.poll(() => metas(page)).toEqual(['Ann'])
  })
})
