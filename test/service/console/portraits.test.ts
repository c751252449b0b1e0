/** Portraits for an enrolment: taken with the camera while the page says what to change, and pasted. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { expect, it } from 'vitest'
import { temporaryFolder } from '#test/unit/core/folder.ts'
import { consoleTests, FAKE_CAMERA, freshOwner, SOON, samplePath, visit } from './visitor.ts'

const [DEVICE = '', ALLOWED = ''] = FAKE_CAMERA

const ONE = { left: 1060, top: 270, width: 400, height: 300 }
const TWO = { left: 1040, top: 200, width: 800, height: 600 }

/** What a camera shows while the page says this: a part of sample6.jpg, and its width on the picture of 640 pixels. */
const SCENES = {
  'Come closer': { part: ONE, width: 160 },
  'One person only': { part: TWO, width: 640 },
  Ready: { part: ONE, width: 640 },
}

/** Frames that the fake camera shows in a second. */
const FPS = 30

/** Arguments of a browser whose camera shows the scenes, each for a second. A file of MJPEG is one picture after the other. */
async function cameraOf(scenes: (keyof typeof SCENES)[]): Promise<string[]> {
  const file = join(await temporaryFolder(), 'camera.mjpeg')
  const pictures = scenes.map(scene => {
    const { part, width } = SCENES[scene]
    const margin = { right: 640 - width, bottom: 480 - width * 0.75, background: 'grey' }
    return sharp(samplePath(6)).extract(part).resize(width).extend(margin).jpeg().toBuffer()
  })
  const frames = (await Promise.all(pictures)).flatMap(picture => Array(FPS).fill(picture))
  await writeFile(file, Buffer.concat(frames))
  return [DEVICE, ALLOWED, `--use-file-for-fake-video-capture=${file}`]
}

/** Whether the cameras that the page has opened are on. */
const camerasOf = (page: Page) => page.evaluate('globalThis.opened.map(track => track.readyState)')

async function followCamera(page: Page): Promise<void> {
  await page.evaluate(`{
    globalThis.opened = []
    const open = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices)
    navigator.mediaDevices.getUserMedia = async asked => {
      const stream = await open(asked)
      globalThis.opened.push(...stream.getTracks())
      return stream
    }
  }`)
}

/** Puts a picture on the clipboard. Browsers take PNG alone. */
async function copy(page: Page, file: string): Promise<void> {
  const png = (await sharp(file).resize(960).png().toBuffer()).toString('base64')
  await page.evaluate(`{
    const bytes = Uint8Array.from(atob('${png}'), character => character.charCodeAt(0))
    navigator.clipboard.write([new ClipboardItem({ 'image/png': new Blob([bytes], { type: 'image/png' }) })])
  }`)
}

consoleTests('a portrait', () => {
  it('is taken with words of the service, confirmed with a name, and enrolled; the camera is off then', async () => {
    const { token, api } = freshOwner()
    const camera = await cameraOf(['Ready'])
    const { page, trouble } = await visit({ token, hash: '#/galleries/default', camera })
    await followCamera(page)
    await page.getByRole('button', { name: 'Take a portrait' }).click()
    await page.getByRole('status').getByText('Ready', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Take the photo' }).click()
    const dialog = page.getByRole('dialog', { name: 'Who is this?' })
    await dialog.getByRole('img', { name: 'Photo camera.jpg' }).waitFor()
    expect(await camerasOf(page)).toEqual(['ended'])
    await dialog.getByLabel('Name').fill('Ann Lee')
    await dialog.getByRole('button', { name: 'Enrol' }).click()
    await page.getByText('Ann Lee was enrolled.').waitFor()
    expect((await api('GET', '/v1/persons')).body.results).toMatchObject([{ meta: 'Ann Lee' }])
    await page.getByRole('checkbox', { name: /^Ann Lee/ }).waitFor()
    expect(trouble).toEqual([])
  })

  it('is advised as the picture changes, and the camera goes off with the page', async () => {
    const camera = await cameraOf(['Come closer', 'One person only', 'Ready'])
    const { page, trouble } = await visit({ token: freshOwner().token, hash: '#/galleries/default', camera })
    await followCamera(page)
    await page.getByRole('button', { name: 'Take a portrait' }).click()
    for (const words of Object.keys(SCENES)) await page.getByText(words, { exact: true }).waitFor(SOON)
    expect(await camerasOf(page)).toEqual(['live'])
    await page.evaluate(`location.hash = '#/persons'`)
    await page.getByRole('heading', { name: 'Persons' }).waitFor()
    expect(await camerasOf(page)).toEqual(['ended'])
    expect(trouble).toEqual([])
  })

  it.each([
    ['is denied', [DEVICE, `${ALLOWED}=deny`], 'The browser keeps the camera from this page.'],
    ['is missing', [ALLOWED], 'No camera was found.'],
  ])('says when the camera %s', async (_, camera, words) => {
    const { page } = await visit({ token: freshOwner().token, camera })
    await page.getByRole('button', { name: 'Use the camera' }).click()
    await page.getByRole('alert').getByText(words).waitFor()
    expect(await page.getByRole('button', { name: 'Take the photo' }).isDisabled()).toBe(true)
  })
})

consoleTests('a pasted picture', () => {
  it('is enrolled under a name, found, and compared', async () => {
    const { token, api } = freshOwner()
    const permissions = ['clipboard-read', 'clipboard-write']
    const { page, trouble } = await visit({ token, hash: '#/galleries/default', permissions })
    await copy(page, samplePath(3))
    await page.getByRole('heading', { name: 'default' }).waitFor()
    await page.keyboard.press('Control+V')
    const dialog = page.getByRole('dialog', { name: 'Who is this?' })
    await dialog.getByLabel('Name').fill('Bea')
    await dialog.getByRole('button', { name: 'Enrol' }).click()
    await page.getByText('Bea was enrolled.').waitFor()
    expect((await api('GET', '/v1/faces')).body.results).toMatchObject([{ meta: 'Bea' }])
    await page.getByRole('link', { name: 'Try', exact: true }).click()
    await page.keyboard.press('Control+V')
    await page.getByRole('button', { name: /^Face \d Bea certain$/ }).waitFor()
    await page.getByRole('link', { name: 'Compare' }).click()
    await page.keyboard.press('Control+V')
    await page.getByRole('region', { name: 'First photo' }).getByRole('img').waitFor()
    await page.keyboard.press('Control+V')
    await page.getByRole('heading', { name: '9 pairs' }).waitFor()
    expect(trouble).toEqual([])
  })
})
