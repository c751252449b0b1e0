/** The pages of cameras: create, draw regions, change, switch and delete. */

import { join } from 'node:path'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { form, sample } from '#test/support/client.ts'
import { hasFfmpeg, movingClip } from '#test/support/photos/clips.ts'
import { temporaryFolder, temporaryPath } from '#test/unit/core/folder.ts'
import { startWatch } from '../camera/watching.ts'
import {
  buttonIn,
  clickButton,
  consoleTests,
  dialogIn,
  headingIn,
  it,
  linkIn,
  regionIn,
  samplePath,
  visit,
  waitForText,
} from './visitor.ts'

/** Drags the mouse over the drawing surface. Points are shares of its sides. */
async function drag(page: Page, from: [number, number], to: [number, number]) {
  const surface = page.getByRole('img', { name: 'Drawing surface' })
  await surface.scrollIntoViewIfNeeded()
  const { x, y, width, height } = (await surface.boundingBox())!
  await page.mouse.move(x + from[0] * width, y + from[1] * height)
  await page.mouse.down()
  await page.mouse.move(x + to[0] * width, y + to[1] * height, { steps: 4 })
  await page.mouse.up()
}

/** Numbers of a region's fields: width, height, left, top. */
const numbers = (page: Page, region: string) =>
  page
    .getByRole('group', { name: region })
    .locator('.sides input')
    .evaluateAll(inputs => inputs.map(input => Number((input as unknown as { value: string }).value)))

consoleTests('the pages of cameras', () => {
  it('create a camera with regions that are drawn on a picture', async ({ token, api }) => {
    const page = await visit({ token, hash: '#/cameras' })
    await waitForText(page, 'There are no cameras yet.')
    await waitForText(page, /Several owners share this service|install ffmpeg/)
    await linkIn(page, 'Add a camera').click()
    await page.getByLabel('Name').fill('Front door')
    await page.getByLabel('Address of the stream').fill('rtsp://admin:secret@192.0.2.7/stream')
    await page.getByLabel('Delete faces after days').fill('30')
    await page.getByText('How the camera is watched').click()
    await page.getByLabel('Pictures a second that are searched').fill('7.5')
    await page.getByLabel('When a visit is reported').selectOption('In its first seconds')
    await page.getByLabel('Turn the picture').selectOption('As the faces need it')
    await page.getByText('Regions', { exact: true }).click()
    await page.locator('input[type=file]').setInputFiles(samplePath(1))
    await page.getByText('1280 × 720 pixels').waitFor({ state: 'detached' })
    const size = await page.getByText(/^\d+ × \d+ pixels$/).innerText()
    const [width, height] = size.match(/\d+/g)!.map(Number) as [number, number]
    await drag(page, [0.25, 0.25], [0.75, 0.75])
    await page.getByLabel('Draw: Region of interest').check()
    await drag(page, [0.4, 0.8], [0.1, 0.5])
    const [rot, roi] = [await numbers(page, 'Region of tracking'), await numbers(page, 'Region of interest')]
    for (const [drawn, wanted] of [
      [rot, [width / 2, height / 2, width / 4, height / 4]],
      [roi, [0.3 * width, 0.3 * height, 0.1 * width, 0.5 * height]],
    ] as const)
      for (const [i, value] of drawn.entries()) expect(Math.abs(value - wanted[i]!)).toBeLessThan(5)
    await clickButton(page, 'Save')
    await headingIn(page, 'Front door').waitFor()
    const { body } = await api('GET', '/v1/camera')
    expect(body).toEqual([
      {
        id: expect.any(String),
        meta: 'Front door',
        url: 'rtsp://admin:secret@192.0.2.7/stream',
        enabled: true,
        retention_days: 30,
        options: { fps: 7.5, early: true, rotate: 'auto' },
        rot,
        roi,
      },
    ])
    await linkIn(page, 'All cameras').click()
    const card = page.locator('.camera-card')
    expect(await card.innerText()).toContain('rtsp://***@192.0.2.7/stream')
    expect(await card.innerText()).not.toContain('secret')
  })

  it('create nothing from an empty form, and ask before a shorter retention deletes faces', async ({
    token,
    api,
  }) => {
    const page = await visit({ token, hash: '#/cameras/new' })
    const save = buttonIn(page, 'Save')
    await save.click()
    expect(await page.locator('input:invalid').getAttribute('name')).toBe('meta')
    expect((await api('GET', '/v1/camera')).body).toEqual([])
    const { id } = (await api('POST', '/v1/camera', { meta: 'Yard', options: { masks: [[0, 0, 0.5, 1]] } }))
      .body
    await page.goto(page.url().replace('new', id))
    const days = page.getByLabel('Delete faces after days')
    const stored = async () => (await api('GET', `/v1/camera/${id}`)).body.retention_days
    const dialog = dialogIn(page, 'Change the retention of Yard?')
    await days.fill('30')
    await save.click()
    await clickButton(dialog, 'Cancel')
    expect(await stored()).toBeUndefined()
    await save.click()
    await clickButton(dialog, 'Change the retention')
    await waitForText(page, 'Saved.')
    expect(await stored()).toBe(30)
    expect((await api('GET', `/v1/camera/${id}`)).body.options).toEqual({ masks: [[0, 0, 0.5, 1]] })
    const url = page.getByLabel('Address of the stream')
    await url.fill('rtsp:/192.0.2.7')
    await days.fill('60')
    await waitForText(page, 'The URL has no host.')
    await url.fill('rtsp://192.0.2.7')
    await save.click()
    await waitForText(page, 'No watcher reads the camera.')
    await api('PUT', `/v1/camera/${id}`, { meta: 'Gate' })
    await save.click()
    await waitForText(page, 'This was changed elsewhere')
  })

  it('show the command that reads a dropped or chosen recording, and send nothing of it', async ({
    token,
    api,
  }) => {
    const { id } = (await api('POST', '/v1/camera', { meta: 'Yard' })).body
    const page = await visit({ token, hash: `#/cameras/${id}`, timezoneId: 'Europe/Berlin' })
    const requests: string[] = []
    page.on('request', request => void requests.push(`${request.method()} ${request.url()}`))
    await page.getByText('Recording', { exact: true }).click()
    await page.getByLabel('Time of its first picture').fill('2026-11-27T18:00:05')
    const command = (file: string) =>
      waitForText(page, `mien watch --file ${file} --camera ${id} --start 2026-11-27T17:00:05.000Z`)
    const transfer = await page.evaluateHandle(
      "(() => { const all = new DataTransfer(); all.items.add(new File(['v'], 'a b.mp4')); return all })()",
    )
    await regionIn(page, 'Recording').dispatchEvent('drop', { dataTransfer: transfer })
    await command("'a b.mp4'")
    const other = { name: "Ann's.mkv", mimeType: 'video/x-matroska', buffer: Buffer.from('v') }
    await page.getByLabel('Choose a video').setInputFiles(other)
    await command(String.raw`'Ann'\''s.mkv'`)
    expect(requests.filter(request => !request.startsWith('GET '))).toEqual([])
  })

  it('show the state of a watched camera, and its picture', async ({ token, api }) => {
    const { id } = (await api('POST', '/v1/camera', { meta: 'Yard', url: 'rtsp://192.0.2.7/1' })).body
    const page = await visit({ token, hash: `#/cameras/${id}`, trouble: /404/ })
    await waitForText(page, 'No watcher reads the camera.')
    expect(await page.getByText('Reason').count()).toBe(0)
    const small = await sharp(await sample(1))
      .resize(320, 320, { fit: 'inside' })
      .jpeg()
      .toBuffer()
    const report = {
      watcher: 'hall',
      fps: '4.8',
      frame_age: '0',
      last_error: 'silent',
      width: '960',
      height: '640',
      searched: '0.6',
      wanted: '5',
      behind: '4.2',
      unused: '40',
      unused_reason: 'small',
      furniture: '[[0.1, 0.2, 0.1, 0.1]]',
    }
    const lease = async () => {
      const picture = new Uint8Array(small)
      return (await api('PUT', `/v1/camera/${id}/lease`, form({ ...report, picture }))).body.picture_wanted
    }
    expect(await lease()).toBe(false)
    await waitForText(page, 'Frames arrive.')
    const card = page.locator('.camera-state')
    for (const text of [
      '4.8 a second',
      '960 × 640 pixels',
      'the camera sent no picture',
      'searches 0.6 of 5 pictures a second',
      '4.2 seconds late',
      '40 visits without a usable picture, mostly because faces are too small',
    ])
      await waitForText(card, text)
    await expect.poll(lease).toBe(true)
    const picture = page.getByAltText('The last frame, with boxes around faces')
    await picture.waitFor()
    const width = () => picture.evaluate(image => (image as unknown as { naturalWidth: number }).naturalWidth)
    await expect.poll(width).toBe(320)
    await linkIn(page, 'All cameras').click()
    await waitForText(page.locator('.camera-card'), 'Frames arrive.')
    await waitForText(page.locator('.camera-card'), '1 face has not moved for ten minutes')
  })

  it.skipIf(!hasFfmpeg)('upload a recording, and say how far it is read', async ({ token, api }) => {
    const clip = await temporaryPath('hall.ts')
    movingClip(clip, { seconds: 8, size: '640x480', sample: 3 })
    const { id } = (await api('POST', '/v1/camera', { meta: 'Hall' })).body
    const page = await visit({ token, hash: `#/cameras/${id}`, trouble: /404/ })
    await page.getByText('Recording', { exact: true }).click()
    const upload = buttonIn(page, 'Upload and read')
    await page.getByLabel('Choose a video').setInputFiles(clip)
    expect(await upload.isDisabled()).toBe(true)
    await page.getByLabel('Time of its first picture').fill('2026-11-27T18:00')
    await upload.click()
    await waitForText(page, 'Turn on the setting watch_cameras')
    const watch = startWatch(token, ['--fps', '2'])
    await watch.line('watching')
    await upload.click()
    await watch.line('recording read', id)
    await waitForText(page, 'The recording is read. Read 8 of 8 seconds: 3 visits.')
  })

  it.skipIf(!hasFfmpeg)(
    'try addresses before they are saved, without an event, and show a stored one live',
    async ({ token, api }) => {
      const folder = await temporaryFolder()
      movingClip(join(folder, 'hall.ts'), { seconds: 8, size: '640x480', sample: 3 })
      const cameras = async () => (await api('GET', '/v1/camera')).body
      const watch = startWatch(token, ['--files', folder, '--fps', '2'])
      await watch.line('watching')
      const page = await visit({ token, hash: '#/cameras/new', trouble: /404/ })
      const url = page.getByLabel('Address of the stream')
      const start = buttonIn(page, 'Try the address')
      const dialog = dialogIn(page, 'Try the address')
      await start.click()
      await waitForText(page, 'Type the address to try.')
      await url.fill('hall.ts')
      await start.click()
      await dialog.getByAltText('The last frame, with boxes around faces').waitFor({ timeout: 60_000 })
      const [{ id, meta }] = await cameras()
      expect(meta).toBe('Trial of an address')
      await clickButton(dialog, 'Done')
      await watch.line('camera left', id)
      await expect.poll(cameras).toEqual([])
      expect(await url.inputValue()).toBe('hall.ts')

      await url.fill('missing.ts')
      await start.click()
      await dialog.getByText('the watcher does not open the address').waitFor({ timeout: 60_000 })
      await page.reload()
      await expect.poll(cameras).toEqual([])
      expect((await api('GET', '/v1/faces')).body.results).toEqual([])

      // Beside the live view, no picture is asked for: the first request would be an error of the page.
      const { id: hall } = (await api('POST', '/v1/camera', { meta: 'Hall', url: 'hall.ts' })).body
      await watch.line('camera open', hall)
      const shown = await visit({ token, hash: `#/cameras/${hall}` })
      await shown.getByRole('img', { name: 'The camera, live' }).waitFor({ timeout: 60_000 })
      expect(await watch.stop()).toBe(0)
    },
  )
})
