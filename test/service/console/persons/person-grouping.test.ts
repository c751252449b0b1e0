/** The part Persons of the settings, and the grouping of stored faces on the page Persons. */
import { expect, it, onTestFinished } from 'vitest'
import { clientOf } from '#test/support/client.ts'
import { startService } from '#test/support/service.ts'
import { temporaryFolder } from '#test/unit/core/folder.ts'
import { consoleTests, enrol, freshOwner, SOON, visit } from '../visitor.ts'

consoleTests('persons', () => {
  it('are turned on for new faces, and given to stored ones and taken away again', async () => {
    const service = await startService({ data: await temporaryFolder() })
    onTestFinished(async () => void (await service.stop()))
    const api = clientOf(service.edge, service.token)
    for (const number of [4, 3, 3] as const) await enrol(api, number)
    const { page, trouble } = await visit({ token: service.token, edge: service.edge, hash: '#/persons' })
    await page.getByText('Group stored faces').click()
    await page.getByRole('button', { name: 'Group the faces' }).click()
    await page.getByText('Complete: 3 faces got a person, and 2 persons are new.').waitFor()
    await expect.poll(() => page.locator('.tile').count(), SOON).toBe(2)
    await page.getByRole('button', { name: 'Undo the grouping' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Undo the grouping' }).click()
    await expect.poll(() => page.locator('.tile').count(), SOON).toBe(0)

    await page.evaluate(`location.hash = '#/settings/privacy'`)
    await page.getByLabel('Record who looks').uncheck()
    await page.getByRole('button', { name: 'Save' }).first().click()
    await page.getByText('Saved.').waitFor()
    await page.getByRole('navigation').getByRole('link', { name: 'Persons' }).last().click()
    await page.getByLabel('Give new faces a person').check()
    await page.getByLabel('Least confidence').fill('2')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('enter a number from 0 to 1, or nothing.').waitFor()
    await page.getByLabel('Least confidence').fill('0.8')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved.').waitFor()
    expect(await enrol(api, 3)).toMatchObject([{ person_id: 3 }])
    const threshold = async () =>
      (await api('GET', '/v1/settings')).body.settings.find(
        ({ name }: { name: string }) => name === 'person_identify_threshold',
      )
    expect(await threshold()).toMatchObject({ value: 0.8, origin: 'setting', initial: null })
    await page.getByLabel('Least confidence').fill('')
    await page.getByRole('button', { name: 'Save' }).click()
    await expect.poll(threshold, SOON).toMatchObject({ value: null, origin: 'setting' })
    await page.getByRole('button', { name: 'Back to the initial values' }).click()
    await expect.poll(threshold, SOON).toMatchObject({ value: null, origin: 'default' })
    expect((await enrol(api, 3))[0]).not.toHaveProperty('person_id')
    const { settings } = (await api('GET', '/v1/settings')).body
    expect(settings.filter(({ origin }: { origin: string }) => origin === 'setting')).toMatchObject([
      { name: 'record_searches', value: false },
    ])
    expect(trouble).toEqual([])
  })

  it('are changed by the operator alone where several owners share the service', async () => {
    const { page } = await visit({ token: freshOwner().token, hash: '#/settings/persons' })
    await page.getByText('Several owners share this service').waitFor()
    expect(await page.getByRole('button', { name: 'Save' }).count()).toBe(0)
  })
})
