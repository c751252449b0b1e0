/** Portraits for an enrolment: taken with the camera while the page says what to change, and pasted. */
import { writeFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { temporaryPath } from '#test/unit/core/folder.ts'
import {
  buttonIn,
  clickButton,
  consoleTests,
  dialogIn,
  FAKE_CAMERA,
  freshOwner,
  headingIn,
  it,
  linkIn,
  regionIn,
  samplePath,
  visit,
  waitForText,
} from './visitor.ts'

const ONE = { left: 1060, top: 270, width: 400, height: 300 }
const TWO = { left: 1040, top: 200, width: 800, height: 600 }

/** Pictures of the camera by the advice of the page: a part of sample6.jpg, and its width on the picture of 640 pixels. */
const SCENES = {
  'Come closer': { part: ONE, width: 160 },
  'One person only': { part: TWO, width: 640 },
  Ready: { part: ONE, width: 640 },
}

/** Frames that the fake camera shows in a second. */
const FPS = 30

/** Arguments of a browser whose camera shows each scene for a second. A file of MJPEG is one picture after the other. */
async function cameraShowing() {
  const file = await temporaryPath('camera.mjpeg')
  const pictures = Object.values(SCENES).map(({ part, width }) => {
    const margin = { right: 640 - width, bottom: 480 - width * 0.75, background: 'grey' }
    return sharp(samplePath(6)).extract(part).resize(width).extend(margin).jpeg().toBuffer()
  })
  const frames = (await Promise.all(pictures)).flatMap(picture => Array(FPS).fill(picture))
  await writeFile(file, Buffer.concat(frames))
  return [...FAKE_CAMERA, `--use-file-for-fake-video-capture=${file}`]
}

/** Keeps the cameras that the page opens, to see whether they are on. */
const followCamera = (page: Page) =>
  page.evaluate(`{
    globalThis.opened = []
    const open = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices)
    navigator.mediaDevices.getUserMedia = async asked => {
      const stream = await open(asked)
      globalThis.opened.push(...stream.getTracks())
      return stream
    }
  }`)

const camerasOf = (page: Page) => page.evaluate('globalThis.opened.map(track => track.readyState)')

/** Puts a picture on the clipboard. Browsers take PNG alone. */
async function copy(page: Page, file: string) {
  const png = (await sharp(file).resize(640).png().toBuffer()).toString('base64')
  await page.evaluate(`{
    const bytes = Uint8Array.from(atob('${png}'), character => character.charCodeAt(0))
    navigator.clipboard.write([new ClipboardItem({ 'image/png': new Blob([bytes], { type: 'image/png' }) })])
  }`)
}

consoleTests('a portrait', () => {
  it('is taken with words of the service, and confirmed with a name; the camera goes off with its page', async ({
    token,
    api,
  }) => {
    const hash = '#/galleries/default'
    const page = await visit({ token, hash, camera: await cameraShowing() })
    await followCamera(page)
    const open = buttonIn(page, 'Take a portrait')
    await open.click()
    for (const words of Object.keys(SCENES)) await page.getByText(words, { exact: true }).waitFor()
    await clickButton(page, 'Take the photo')
    const dialog = dialogIn(page, 'Who is this?')
    await dialog.getByRole('img', { name: 'Photo camera.jpg' }).waitFor()
    await dialog.getByLabel('Name').fill('Ann Lee')
    await clickButton(dialog, 'Enrol')
    await waitForText(page, 'Ann Lee was enrolled.')
    // Persons are off.
    expect((await api('GET', '/v1/persons')).body.results).toEqual([])
    expect((await api('GET', '/v1/meta')).body.results).toMatchObject([{ meta: 'Ann Lee' }])
    await page.getByRole('checkbox', { name: /^Ann Lee/ }).waitFor()
    await open.click()
    await expect.poll(() => camerasOf(page)).toEqual(['ended', 'live'])
    await page.evaluate(`location.hash = '#/persons'`)
    await headingIn(page, 'Persons').waitFor()
    expect(await camerasOf(page)).toEqual(['ended', 'ended'])
  })

  it('says when the camera is denied, or is missing', async () => {
    const page = await visit({ token: freshOwner().token })
    for (const [name, words] of [
      ['NotAllowedError', 'The browser keeps the camera from this page.'],
      ['NotFoundError', 'No camera was found.'],
    ] as const) {
      await page.evaluate(fault => {
        navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException('', fault))
      }, name)
      await clickButton(page, 'Use the camera')
      await waitForText(page.getByRole('alert'), words)
      expect(await buttonIn(page, 'Take the photo').isDisabled()).toBe(true)
      await page.keyboard.press('Escape')
    }
  })
})

consoleTests('a pasted picture', () => {
  it('is enrolled under a name, found, and compared', async ({ token, api }) => {
    const permissions = ['clipboard-read', 'clipboard-write']
    const page = await visit({ token, hash: '#/galleries/default', permissions })
    await copy(page, samplePath(3))
    await regionIn(page, 'Enrol faces').waitFor()
    await page.keyboard.press('Control+V')
    const dialog = dialogIn(page, 'Who is this?')
    await dialog.getByLabel('Name').fill('Bea')
    await clickButton(dialog, 'Enrol')
    await waitForText(page, 'Bea was enrolled.')
    expect((await api('GET', '/v1/faces')).body.results).toMatchObject([{ meta: 'Bea' }])
    await page.getByRole('link', { name: 'Who is this?', exact: true }).click()
    await page.getByRole('heading', { name: 'Who is this?', exact: true }).waitFor()
    await page.keyboard.press('Control+V')
    await buttonIn(page, /^Face \d Bea certain$/).waitFor()
    await linkIn(page, 'Compare').click()
    await headingIn(page, 'Compare').waitFor()
    await page.keyboard.press('Control+V')
    await regionIn(page, 'First photo').getByRole('img').waitFor()
    await page.keyboard.press('Control+V')
    await headingIn(page, '9 pairs').waitFor()
  })
})
