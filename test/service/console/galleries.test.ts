/** The pages of galleries: create, enrol, filter, and change selected faces. */
import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, inject, it, onTestFinished } from 'vitest'
import { sample } from '#bench/harness/client.ts'
import { newToken } from '#bench/harness/tokens.ts'
import type { Scope } from '#contract/model/scope.ts'
import { consoleTests, enrol, freshOwner, SOON, samplePath, visit } from './visitor.ts'

const tiles = (page: Page) => page.locator('.tile')

/** Selects the first faces of the grid. */
async function select(page: Page, count: number): Promise<void> {
  for (let i = 0; i < count; i++) await tiles(page).nth(i).getByRole('checkbox').check()
  await page.getByText(`${count} selected`).waitFor()
}

/** Clicks an action of the selection, fills its dialog, and confirms. */
async function act(
  page: Page,
  action: string,
  confirm: string,
  fill?: () => Promise<unknown>,
): Promise<void> {
  await page.getByRole('region', { name: 'Selected faces' }).getByRole('button', { name: action }).click()
  await fill?.()
  await page.getByRole('dialog').getByRole('button', { name: confirm }).click()
}

consoleTests('the pages of galleries', () => {
  it('create a gallery, and say why a name is refused', async () => {
    const { token, api } = freshOwner()
    const { page, trouble } = await visit({ token, hash: '#/galleries' })
    const name = page.getByLabel('Name')
    const create = page.getByRole('button', { name: 'Create a gallery' })
    await name.fill('my staff')
    await create.click()
    expect(await page.getByRole('alert').innerText()).toContain('1 to 48 characters')
    await name.fill('staff')
    await create.click()
    await page.getByRole('link', { name: 'staff' }).waitFor()
    expect((await api('GET', '/v1/galleries')).body.results).toEqual(['default', 'staff'])
    expect(trouble).toEqual([])
    await name.fill('staff')
    await create.click()
    await page.getByText('A gallery of that name exists already.').waitFor()
  })

  it('delete a gallery with its faces once its name is typed, and never offer it for default', async () => {
    const { token, api } = freshOwner()
    await api('POST', '/v1/galleries/staff')
    await enrol(api, 3, { galleries: 'staff' })
    const { page, trouble } = await visit({ token, hash: '#/galleries/default' })
    await tiles(page).first().waitFor()
    expect(await page.getByRole('button', { name: 'Delete the gallery' }).count()).toBe(0)
    await page.goto(page.url().replace('default', 'staff'))
    await page.getByRole('button', { name: 'Delete the gallery' }).click()
    const submit = page.getByRole('button', { name: 'Delete gallery and faces' })
    await page.getByLabel('Type the name of the gallery').fill('staf')
    expect(await submit.isDisabled()).toBe(true)
    await page.getByLabel('Type the name of the gallery').fill('staff')
    await submit.click()
    await page.getByRole('heading', { name: 'Galleries' }).waitFor()
    expect((await api('GET', '/v1/galleries')).body.results).toEqual(['default'])
    await expect.poll(async () => (await api('GET', '/v1/faces')).body.results.length, SOON).toBe(0)
    expect(trouble).toEqual([])
  })

  it('enrol photos in a gallery with a meta, and name the files that are skipped', async () => {
    const { token, api } = freshOwner()
    await api('POST', '/v1/galleries/staff')
    const { page } = await visit({ token, hash: '#/galleries/staff' })
    await page.getByText('This gallery has no faces.').waitFor()
    await page.getByLabel('Meta', { exact: true }).fill('Ann')
    await page.getByLabel('Faces on a photo').selectOption('all')
    const files = [samplePath(1), samplePath(3), import.meta.filename]
    await page.locator('input[type=file]').first().setInputFiles(files)
    await page.getByText('2 of 2 photos, 6 faces enrolled').waitFor()
    await page.getByText('1 file skipped').click()
    expect(await page.locator('.enrol-progress li').innerText()).toContain('galleries.test.ts is not a JPEG')
    await expect.poll(() => tiles(page).count(), SOON).toBe(6)
    const { body } = await api('GET', '/v1/faces/gallery/staff')
    expect(body.results.map(({ meta }: { meta: string }) => meta)).toEqual(Array(6).fill('Ann'))
  })

  it('enrol the photos of a folder, with the names of the folders as metas', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'mien-people-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    for (const [name, number] of [
      ['Ann', 2],
      ['Ben', 4],
    ] as const) {
      await mkdir(join(folder, name))
      await copyFile(samplePath(number), join(folder, name, '1.jpg'))
    }
    await writeFile(join(folder, 'Ann', 'passport.pdf'), 'no photo')
    const { token, api } = freshOwner()
    const { page } = await visit({ token, hash: '#/galleries/default' })
    await page.locator('input[type=file]').nth(1).setInputFiles(folder)
    await page.getByText('2 of 2 photos, 2 faces enrolled').waitFor()
    await page.getByText('1 file skipped').click()
    expect(await page.locator('.enrol-progress li').innerText()).toMatch(
      /Ann\/passport\.pdf passport\.pdf is not a JPEG, PNG or WEBP photo\.$/,
    )
    const { body } = await api('GET', '/v1/faces')
    expect(body.results.map(({ meta }: { meta: string }) => meta).sort()).toEqual(['Ann', 'Ben'])
  })

  it('say nothing of an empty gallery while photos are being enrolled', async () => {
    const { page } = await visit({ token: freshOwner().token, hash: '#/galleries/default' })
    await page.getByText('This gallery has no faces.').waitFor()
    const gates = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    let posts = 0
    await page.route('**/v1/face', async route => {
      await gates[posts++]!.promise
      await route.continue()
    })
    await page
      .locator('input[type=file]')
      .first()
      .setInputFiles([samplePath(2), samplePath(4)])
    await page.getByText('0 of 2 photos').waitFor()
    await page.getByText('Photos are being enrolled.').waitFor()
    expect(await page.locator('.page-head').innerText()).not.toContain('0 faces')
    // The first face appears before the end.
    gates[0]!.resolve()
    await page.getByText('1 of 2 photos').waitFor()
    await expect.poll(() => tiles(page).count(), SOON).toBe(1)
    expect(await page.getByText('1 face so far').count()).toBe(1)
    gates[1]!.resolve()
    await page.getByText('2 of 2 photos, 2 faces enrolled').waitFor()
    await expect.poll(() => tiles(page).count(), SOON).toBe(2)
    expect(await page.locator('.page-head').innerText()).toContain('2 faces')
  })

  it('enrol dropped photos', async () => {
    const { token, api } = freshOwner()
    const { page } = await visit({ token, hash: '#/galleries/default' })
    const bytes = [...(await sample(2))]
    await page.evaluate(`{
      const transfer = new DataTransfer()
      transfer.items.add(new File([new Uint8Array(${JSON.stringify(bytes)})], 'a.jpg', { type: 'image/jpeg' }))
      const drop = new DragEvent('drop', { dataTransfer: transfer, bubbles: true, cancelable: true })
      document.querySelector('.drop-zone').dispatchEvent(drop)
    }`)
    await page.getByText('1 of 1 photos, 1 face enrolled').waitFor()
    expect((await api('GET', '/v1/faces')).body.results).toHaveLength(1)
  })

  it('enrol a photo that is chosen twice once, and again after its deletion', async () => {
    const { token, api } = freshOwner()
    const { page } = await visit({ token, hash: '#/galleries/default' })
    const choose = async (sentence: string) => {
      await page.locator('input[type=file]').first().setInputFiles(samplePath(2))
      await page.getByText(sentence).waitFor()
      await expect.poll(() => page.locator('.drop-zone button').count(), SOON).toBe(0)
      return (await api('GET', '/v1/faces')).body.results as { id: number }[]
    }
    const [first, ...none] = await choose('1 of 1 photos, 1 face enrolled')
    expect(none).toEqual([])
    expect(await choose('1 photo was enrolled before.')).toEqual([first])
    await api('DELETE', `/v1/face/id/${first!.id}`)
    const [second, ...others] = await choose('1 of 1 photos, 1 face enrolled')
    expect(others).toEqual([])
    expect(second!.id).not.toBe(first!.id)
  })

  it('show the faces of a meta', async () => {
    const { token, api } = freshOwner()
    await enrol(api, 3, { meta: 'Ann', mf_selector: 'all' })
    await enrol(api, 2, { meta: 'Ben' })
    const { page } = await visit({ token, hash: '#/galleries/default' })
    await expect.poll(() => tiles(page).count(), SOON).toBe(4)
    const filter = page.getByLabel('Filter by meta')
    await filter.fill('Ben')
    await filter.press('Enter')
    await expect.poll(() => tiles(page).count(), SOON).toBe(1)
    await filter.fill('Nobody')
    await filter.press('Enter')
    await page.getByText('No face of this gallery meets the filter.').waitFor()
    await page.getByRole('button', { name: 'Show all' }).click()
    await expect.poll(() => tiles(page).count(), SOON).toBe(4)
  })

  it('add selected faces to a gallery, set their meta, and remove them from a gallery', async () => {
    const { token, api } = freshOwner()
    await api('POST', '/v1/galleries/staff')
    await enrol(api, 3, { mf_selector: 'all' })
    const { page, trouble } = await visit({ token, hash: '#/galleries/default' })
    await tiles(page).nth(2).waitFor()
    await select(page, 2)
    await act(page, 'Add to a gallery', 'Apply')
    await page.getByText('Done: 2 faces.').waitFor()
    await page.goto(`${new URL(page.url()).origin}/#/galleries/staff`)
    await expect.poll(() => tiles(page).count(), SOON).toBe(2)
    await page.getByRole('button', { name: 'Select all' }).click()
    await page.getByText('2 selected').waitFor()
    await act(page, 'Set meta', 'Apply', () => page.getByRole('dialog').getByLabel('Meta').fill('Ann'))
    await expect.poll(() => page.locator('.tile-meta').allInnerTexts(), SOON).toEqual(['Ann', 'Ann'])
    await select(page, 1)
    await page.getByRole('button', { name: 'Set meta' }).click()
    await page.getByRole('button', { name: 'Remove the meta of 1 face' }).waitFor()
    await page.getByRole('button', { name: 'Cancel' }).click()
    await act(page, 'Remove from staff', 'Remove 1 face')
    await expect.poll(() => tiles(page).count(), SOON).toBe(1)
    const faces = (await api('GET', '/v1/faces')).body.results as { meta: string; galleries: string[] }[]
    expect(faces.map(({ meta, galleries }) => `${meta} ${galleries}`).sort()).toEqual(
      [' default', 'Ann default', 'Ann default,staff'].sort(),
    )
    expect(trouble).toEqual([])
  })

  it('delete selected faces after a confirmation that names their number', async () => {
    const { token, api } = freshOwner()
    await enrol(api, 3, { mf_selector: 'all' })
    const { page } = await visit({ token, hash: '#/galleries/default' })
    await tiles(page).nth(2).waitFor()
    await select(page, 2)
    await page.getByRole('button', { name: 'Delete' }).click()
    const dialog = page.getByRole('dialog', { name: 'Delete 2 faces?' })
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    expect((await api('GET', '/v1/faces')).body.results).toHaveLength(3)
    await act(page, 'Delete', 'Delete 2 faces')
    await page.getByText('Done: 2 faces.').waitFor()
    await expect.poll(() => tiles(page).count(), SOON).toBe(1)
    expect((await api('GET', '/v1/faces')).body.results).toHaveLength(1)
  })

  it('show what a token may do: nothing that changes data to the scope read, no deletion of galleries to enrol', async () => {
    const owner = freshOwner()
    await owner.api('POST', '/v1/galleries/staff')
    await enrol(owner.api, 2, { galleries: 'staff' })
    const controls = async (token: string) => {
      const { page, trouble } = await visit({ token, hash: '#/galleries/staff' })
      await tiles(page).first().waitFor()
      const counts = {
        photos: await page.locator('input[type=file]').count(),
        checkboxes: await tiles(page).getByRole('checkbox').count(),
        selectAll: await page.getByRole('button', { name: 'Select all' }).count(),
        deletion: await page.getByRole('button', { name: 'Delete the gallery' }).count(),
      }
      await page.getByRole('link', { name: 'Galleries' }).first().click()
      await page.getByRole('link', { name: 'staff' }).waitFor()
      const creation = await page.getByRole('button', { name: 'Create a gallery' }).count()
      expect(trouble).toEqual([])
      return { ...counts, creation }
    }
    const tokenOf = (scope: Scope) => newToken(inject('data'), owner.name, { scope })
    expect(await controls(tokenOf('read'))).toEqual({
      photos: 0,
      checkboxes: 0,
      selectAll: 0,
      deletion: 0,
      creation: 0,
    })
    expect(await controls(tokenOf('enrol'))).toEqual({
      photos: 2,
      checkboxes: 1,
      selectAll: 1,
      deletion: 0,
      creation: 1,
    })
    expect(await controls(owner.token)).toMatchObject({ deletion: 1 })
  })

  it('say that a gallery does not exist', async () => {
    const { page } = await visit({ token: freshOwner().token, hash: '#/galleries/nobody' })
    expect(await page.getByRole('alert').innerText()).toContain('Not found.')
  })
})
