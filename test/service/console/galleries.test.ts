/** The pages of galleries: create, rename, delete, and change selected faces. */
import type { Page } from 'playwright-core'
import { inject } from 'vitest'
import type { Scope } from '#contract/model/token.ts'
import { newToken } from '#test/support/tokens.ts'
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
  visit,
  waitForText,
} from './visitor.ts'

const tiles = (page: Page) => page.locator('.tile')

/** Selects the first faces of the grid. */
async function select(page: Page, count: number) {
  for (let i = 0; i < count; i++) await tiles(page).nth(i).getByRole('checkbox').check()
  await waitForText(page, `${count} selected`)
}

/** Clicks an action of the selection, fills its dialog, and confirms. */
async function act(page: Page, action: string, confirm: string, fill?: () => Promise<unknown>) {
  await clickButton(regionIn(page, 'Selected faces'), action)
  await fill?.()
  await clickButton(page.getByRole('dialog'), confirm)
}

consoleTests('the pages of galleries', () => {
  it('create a gallery by a name in plain words, and say why a name for programs is refused', async ({
    token,
    api,
  }) => {
    const page = await visit({ token, hash: '#/galleries', trouble: /status of 409/ })
    const name = page.getByLabel('Name', { exact: true })
    const create = buttonIn(page, 'Create a gallery')
    await name.fill('Köche & Kellner')
    await create.click()
    await waitForText(page, 'The gallery Köche & Kellner was created.')
    await linkIn(page, 'Köche & Kellner').waitFor()
    await name.fill('Köche & Kellner')
    await page.getByText('Details').click()
    const key = page.getByLabel('Name for programs')
    expect(await key.inputValue()).toBe('koeche-kellner')
    await key.fill('two words')
    await create.click()
    expect(await page.getByRole('alert').innerText()).toContain('1 to 48 characters')
    await key.fill('koeche-kellner')
    await create.click()
    await waitForText(page, 'A gallery of that name exists already.')
    const { body } = await api('GET', '/v1/galleries')
    expect(body.display_names).toEqual({ 'koeche-kellner': 'Köche & Kellner' })
    await linkIn(page, 'Köche & Kellner').click()
    await waitForText(page, 'This gallery has no faces.')
    expect(await linkIn(page, 'Check the gallery').count()).toBe(0)
  })

  it('show the display name of a gallery wherever they name it, and change it', async ({ token, api }) => {
    await api('POST', '/v1/galleries/staff', { display_name: 'Our staff' })
    const [face] = await enrol(api, 2, { galleries: 'staff' })
    const page = await visit({ token, hash: '#/galleries/staff' })
    const heading = (name: string) => page.getByRole('heading', { level: 1, name, exact: true }).waitFor()
    await heading('Our staff')
    await tiles(page).first().getByRole('checkbox').check()
    await buttonIn(page, 'Remove from Our staff').waitFor()
    const go = (hash: string) => page.evaluate(`location.hash = '${hash}'`)
    await go('#/galleries/staff/check')
    await heading('Check Our staff')
    await go(`#/faces/${face!.id}`)
    await waitForText(page, 'All faces, Our staff')
    await go('#/events')
    const options = page.getByLabel('Gallery').locator('option')
    await expect.poll(() => options.allInnerTexts()).toContain('Our staff')
    const search = page.getByRole('searchbox', { name: 'Search' })
    await search.fill('our st')
    await linkIn(page, 'Our staff').waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Escape')
    expect(await search.evaluate(field => field.matches(':focus'))).toBe(true)
    await search.fill('our st')
    await linkIn(page, 'Our staff').click()
    await page.getByText('Rename or delete the gallery').click()
    await page.getByLabel('New name').fill('Everybody here')
    await clickButton(page, 'Save')
    await heading('Everybody here')
    expect((await api('GET', '/v1/galleries/staff')).body.display_name).toBe('Everybody here')
  })

  it('delete a gallery with its faces once its name is typed, and never offer it for default', async ({
    token,
    api,
  }) => {
    await api('POST', '/v1/galleries/staff')
    await enrol(api, 3, { galleries: 'staff' })
    const page = await visit({ token, hash: '#/galleries/default', trouble: /status of 404/ })
    await tiles(page).first().waitFor()
    expect(await buttonIn(page, 'Delete the gallery').count()).toBe(0)
    await page.goto(page.url().replace('default', 'staff'))
    await page.getByText('Rename or delete the gallery').click()
    const ask = buttonIn(page, 'Delete the gallery')
    await ask.click()
    await page.keyboard.press('Escape')
    await expect.poll(() => ask.evaluate(button => button.matches(':focus'))).toBe(true)
    await ask.click()
    const submit = buttonIn(page, 'Delete gallery and faces')
    await page.getByLabel('Type the name of the gallery').fill('staf')
    expect(await submit.isDisabled()).toBe(true)
    await page.getByLabel('Type the name of the gallery').fill('staff')
    await submit.click()
    await headingIn(page, 'Galleries').waitFor()
    expect((await api('GET', '/v1/galleries')).body.results).toEqual(['default'])
    await expect.poll(async () => (await api('GET', '/v1/faces')).body.results.length).toBe(0)
    await page.goto(page.url().replace('#/galleries', '#/galleries/staff'))
    await waitForText(page, 'There is no such gallery.')
  })

  it('add selected faces to a gallery, set their name, and remove them from a gallery', async ({
    token,
    api,
  }) => {
    await api('POST', '/v1/galleries/staff')
    await enrol(api, 3, { mf_selector: 'all' })
    const page = await visit({ token, hash: '#/galleries/default' })
    await tiles(page).nth(2).waitFor()
    await select(page, 2)
    await act(page, 'Add to a gallery', 'Apply')
    await waitForText(page, 'Done: 2 faces.')
    await page.goto(`${new URL(page.url()).origin}/#/galleries/staff`)
    await expect.poll(() => tiles(page).count()).toBe(2)
    await linkIn(page, 'Check the gallery').waitFor()
    await clickButton(page, 'Select all')
    await waitForText(page, '2 selected')
    await act(page, 'Set the name', 'Apply', () => page.getByRole('dialog').getByLabel('Name').fill('Ann'))
    await expect.poll(() => page.locator('.tile-meta').allInnerTexts()).toEqual(['Ann', 'Ann'])
    await select(page, 1)
    await clickButton(page, 'Set the name')
    await buttonIn(page, 'Remove the name of 1 face').waitFor()
    await clickButton(page, 'Cancel')
    await act(page, 'Remove from staff', 'Remove 1 face')
    await expect.poll(() => tiles(page).count()).toBe(1)
    const faces = (await api('GET', '/v1/faces')).body.results as { meta: string; galleries: string[] }[]
    expect(faces.map(({ meta, galleries }) => `${meta} ${galleries}`).sort()).toEqual(
      [' default', 'Ann default', 'Ann default,staff'].sort(),
    )
  })

  it('show what a token may do: nothing that changes data to the scope read, no deletion of galleries to enrol', async () => {
    const owner = freshOwner()
    await owner.api('POST', '/v1/galleries/staff')
    await enrol(owner.api, 2, { galleries: 'staff' })
    const controls = async (token: string) => {
      const page = await visit({ token, hash: '#/galleries/staff' })
      await tiles(page).first().waitFor()
      const counts = {
        photos: await page.locator('input[type=file]').count(),
        checkboxes: await tiles(page).getByRole('checkbox').count(),
        selectAll: await buttonIn(page, 'Select all').count(),
        deletion: await page.getByRole('button', { name: 'Delete the gallery', includeHidden: true }).count(),
      }
      await linkIn(page, 'Galleries').first().click()
      await linkIn(page, 'staff').waitFor()
      const creation = await buttonIn(page, 'Create a gallery').count()
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
  })
})
