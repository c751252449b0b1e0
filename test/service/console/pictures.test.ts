/** Pictures of docs/console.md and docs/cameras.md: `MIEN_CONSOLE_PICTURES=1 npx vitest run test/service/console/pictures.test.ts`. */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { clientOf } from '#test/support/client.ts'
import { movingClip } from '#test/support/photos/clips.ts'
import { type Service, startService } from '#test/support/service.ts'
import { ROOT } from '../commands/typed.ts'
import { enrol, SOON, samplePath, visit } from './visitor.ts'

const FOLDER = join(ROOT, 'docs', 'pictures')

/** Stands for the page of the watched camera, whose id differs in each run. */
const WATCHED = '#/cameras/watched'

/** The page of events with one that is opened, and the page of persons before a merge. */
const OPENED = '#/events/opened'
const MERGED = '#/persons/merged'

/** Names of the faces of one photo. */
const STAFF = ['Ada Stone', 'Bea Ortiz', 'Cleo Marsh']

/** Most bytes of a picture. */
const MOST_BYTES = 80_000

const WIDE = { width: 1280, height: 860 }
const NARROW = { width: 390, height: 844 }

const PICTURES: {
  name: string
  hash: string
  scheme: 'light' | 'dark'
  viewport: typeof WIDE
  width: number
}[] = [
  { name: 'console-try', hash: '#/try', scheme: 'light', viewport: WIDE, width: 960 },
  { name: 'console-compare', hash: '#/compare', scheme: 'dark', viewport: WIDE, width: 960 },
  { name: 'console-gallery', hash: '#/galleries/default', scheme: 'light', viewport: WIDE, width: 960 },
  { name: 'console-persons', hash: '#/persons', scheme: 'light', viewport: WIDE, width: 960 },
  { name: 'console-events', hash: '#/events', scheme: 'dark', viewport: WIDE, width: 960 },
  { name: 'console-event', hash: OPENED, scheme: 'light', viewport: WIDE, width: 960 },
  { name: 'console-camera', hash: '#/cameras/new', scheme: 'dark', viewport: WIDE, width: 960 },
  { name: 'camera-state', hash: WATCHED, scheme: 'light', viewport: WIDE, width: 960 },
  { name: 'console-people', hash: '#/service/people', scheme: 'dark', viewport: WIDE, width: 960 },
  { name: 'console-person', hash: MERGED, scheme: 'dark', viewport: WIDE, width: 960 },
  { name: 'console-phone', hash: '#/try', scheme: 'dark', viewport: NARROW, width: 390 },
]

const STEPS: Record<string, (page: Page) => Promise<unknown>> = {
  '#/try': async page => {
    await page.locator('input[type=file]').setInputFiles(samplePath(1))
    await page.getByLabel('Identify in').selectOption('staff')
    await page.getByRole('button', { name: 'Face 1 Bea Ortiz certain' }).waitFor()
    await page.locator('.face-box').first().click()
    await page.waitForLoadState('networkidle')
  },
  '#/compare': async page => {
    await page.locator('input[type=file]').nth(0).setInputFiles(samplePath(1))
    await page.locator('input[type=file]').nth(1).setInputFiles(samplePath(3))
    await page.locator('.pair').first().waitFor()
  },
  '#/galleries/default': async page => {
    await expect.poll(() => page.locator('.tile').count(), SOON).toBeGreaterThan(8)
    for (const i of [0, 2]) await page.locator('.tile').nth(i).getByRole('checkbox').check()
    await page.waitForLoadState('networkidle')
  },
  '#/persons': async page => {
    await page.locator('.suggestion').first().waitFor()
    await page.waitForLoadState('networkidle')
  },
  '#/events': async page => {
    await expect.poll(() => page.locator('.tile.event img').count(), SOON).toBeGreaterThan(8)
    // The stream of events keeps the network busy.
    const first = `[...document.querySelectorAll('.tile.event img')].slice(0, 16)`
    await expect.poll(() => page.evaluate(`${first}.every(image => image.complete)`), SOON).toBe(true)
  },
  [OPENED]: async page => {
    await page.getByRole('button', { name: /^Bea Ortiz, / }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Tell me when this person is seen' }).waitFor()
    await dialog.getByRole('img', { name: 'Picture of the face' }).waitFor()
  },
  [MERGED]: async page => {
    await page.locator('.suggestion').first().getByRole('button', { name: 'Merge' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('radio', { name: /^Bea Ortiz/ }).check()
    await dialog.getByRole('button', { name: 'Merge 2 persons' }).click()
    await page.getByRole('link', { name: /^Bea Ortiz.*2 faces/ }).click()
    await page.getByRole('heading', { name: 'Bea Ortiz' }).waitFor()
    await page.reload()
    await page.getByRole('button', { name: 'Tell me when this person is seen' }).waitFor()
    await expect.poll(() => page.locator('.tile').count(), SOON).toBe(2)
    await page.mouse.move(0, 0)
    await page.waitForLoadState('networkidle')
  },
  '#/service/people': page => page.getByText('Ben Hall').waitFor(),
  '#/cameras/new': async page => {
    await page.getByLabel('Name').fill('Front door')
    await page.getByText('Regions', { exact: true }).click()
    await page.locator('input[type=file]').setInputFiles(samplePath(1))
    for (const [region, numbers] of [
      ['Region of interest', ['700', '500', '1100', '150']],
      ['Region of tracking', ['1600', '1000', '160', '140']],
    ] as const) {
      const fields = page.getByRole('group', { name: region }).locator('.sides input')
      for (const [i, number] of numbers.entries()) await fields.nth(i).fill(number)
    }
    await page.getByText('1920 × 1280 pixels').waitFor()
  },
  [WATCHED]: async page => {
    await page.getByText('Frames arrive.').waitFor()
    await page.getByRole('img', { name: 'The camera, live' }).waitFor()
  },
}

/** The element at the top of a picture that does not begin with its page. */
const TOPS: Record<string, string> = { '#/cameras/new': '.region-editor' }

describe.skipIf(!process.env.MIEN_CONSOLE_PICTURES)('pictures of the console', () => {
  let service: Service
  let watched: string
  let watcher: ChildProcess
  let clips: string
  beforeAll(async () => {
    service = await startService({ env: { MIEN_GAE: 'true' } })
    const api = clientOf(service.edge, service.token)
    await api('POST', '/v1/galleries/staff')
    const { id: cam_id } = (await api('POST', '/v1/camera', { meta: 'Front door' })).body
    const faces = []
    for (const number of [1, 2, 4, 5, 6] as const)
      faces.push(...(await enrol(api, number, { meta: 'Visitor', mf_selector: 'all', cam_id })))
    faces.push(...(await enrol(api, 3, { meta: 'Ada', mf_selector: 'all', galleries: 'staff', cam_id })))
    for (const [i, { id, meta }] of faces.entries())
      await api('PUT', `/v1/face/id/${id}`, {
        person_id: i + 1,
        meta: meta === 'Visitor' ? meta : STAFF[faces.length - 1 - i],
      })
    for (const [name, role] of [
      ['Ben Hall', 'look'],
      ['Dana Okafor', 'manage'],
    ])
      await api('POST', '/v1/users', { name, role })
    clips = await mkdtemp(join(tmpdir(), 'mien-test-'))
    movingClip(join(clips, 'door.ts'), { seconds: 6 })
    watched = (await api('POST', '/v1/camera', { meta: 'Back door', url: 'door.ts' })).body.id
    watcher = spawn(process.execPath, [join(ROOT, 'commands', 'mien.js'), 'watch', '--files', clips], {
      env: { ...process.env, MIEN_URL: service.edge, MIEN_TOKEN: service.token },
      stdio: 'ignore',
    })
  })
  afterAll(async () => {
    watcher?.kill('SIGKILL')
    if (clips !== undefined) await rm(clips, { recursive: true })
    await service?.stop()
    await service?.remove()
  })

  it.each(PICTURES)('$name', async ({ name, hash, scheme, viewport, width }) => {
    const { edge, token } = service
    const address = hash === WATCHED ? `#/cameras/${watched}` : hash
    const { page } = await visit({ edge, token, hash: address, viewport, colorScheme: scheme })
    await STEPS[hash]!(page)
    const top = TOPS[hash]
    await page.evaluate(top ? `document.querySelector('${top}').scrollIntoView()` : 'scrollTo(0, 0)')
    const picture = await sharp(await page.screenshot())
      .resize({ width })
      .webp({ quality: 72 })
      .toBuffer()
    expect(picture.length).toBeLessThan(MOST_BYTES)
    await writeFile(join(FOLDER, `${name}.webp`), picture)
  })
})
