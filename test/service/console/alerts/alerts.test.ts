/** The pages of alert rules: create, change, test, rotate and delete; and their messages. */
import {
  buttonIn,
  clickButton,
  consoleTests,
  dialogIn,
  enrol,
  headingIn,
  it,
  linkIn,
  visit,
  waitForText,
} from '../visitor.ts'

/** Nothing answers there, and core does not connect to it. */
const WEBHOOK = 'http://127.0.0.1:9/path?key=anna'

consoleTests('the pages of alert rules', () => {
  it('create a rule with all conditions, and show its secret once', async ({ token, api }) => {
    const { body: camera } = await api('POST', '/v1/camera', { meta: 'Front door' })
    await api('POST', '/v1/galleries/staff', { display_name: 'Our staff' })
    const persons = []
    for (const person of ['Ann', 'Ben', 'Cid'])
      persons.push(
        (await api('GET', `/v1/face/id/${(await enrol(api, 1, { person }))[0]!.id}`)).body.person_id,
      )
    const page = await visit({ token, hash: '#/alerts', timezoneId: 'Europe/Berlin' })
    await waitForText(page, 'There are no rules yet.')
    await linkIn(page, 'Add a rule').click()
    await page.getByLabel('Name').fill('strangers at night')
    await page.getByLabel('Address of the webhook').fill(WEBHOOK)
    await page.getByLabel('Front door').check()
    await page.getByLabel('Gallery', { exact: true }).selectOption('Our staff')
    await page
      .getByLabel('A person of the gallery')
      .selectOption('Already when it is probable (1 stranger in 100)')
    await page.getByLabel('Known or unknown').selectOption('Unknown people only')
    await page.getByLabel('Friends').selectOption('No friends')
    for (const [name, label] of [
      ['Ann', 'Only these people'],
      ['Ben', 'Only these people'],
      ['Cid', 'Everybody except these people'],
    ] as const) {
      await page.getByLabel(label).fill(name)
      await clickButton(page, new RegExp(`^${name}`))
    }
    await waitForText(page, 'Recognition of people is off')
    await page.getByLabel('Seconds without').fill('60')
    await clickButton(page, 'Add hours')
    await page.getByRole('group', { name: 'Hours 1' }).getByLabel('Sun').check()
    await clickButton(page, 'Save')
    const dialog = page.getByRole('dialog')
    expect(await dialog.getByLabel('Secret').inputValue()).toMatch(/^whsec_/)
    await clickButton(dialog, 'Done')
    await headingIn(page, 'strangers at night').waitFor()
    const { body } = await api('GET', '/v1/alerts')
    expect(body.results).toEqual([
      {
        id: expect.any(String),
        created: expect.any(String),
        name: 'strangers at night',
        enabled: true,
        url: WEBHOOK,
        browsers: true,
        cam_ids: [camera.id.replaceAll('-', '')],
        person_ids: persons.slice(0, 2),
        except_person_ids: persons.slice(2),
        gallery: 'staff',
        threshold: 0,
        fpir: 0.01,
        unknown: true,
        friend: false,
        hours: [{ days: ['mon', 'tue', 'wed', 'thu', 'fri', 'sun'], from: '18:00', to: '06:00' }],
        time_zone: 'Europe/Berlin',
        cooldown_seconds: 60,
      },
    ])
    await linkIn(page, 'All rules').click()
    const card = page.locator('.alert-rule')
    await expect
      .poll(() => card.innerText())
      .toMatch(
        /Cameras: Front door\s+Persons: Ann, Ben\s+Everybody except Cid\s+People outside the gallery Our staff/,
      )
    expect(await card.innerText()).toContain('Webhook at 127.0.0.1:9, Notifications in browsers')
    expect(await card.innerText()).not.toContain('anna')
  })

  it('create nothing from an empty form, and ask before a rule alerts about everybody', async ({
    token,
    api,
  }) => {
    const page = await visit({ token, hash: '#/alerts/new' })
    const save = buttonIn(page, 'Save')
    const rules = async () => (await api('GET', '/v1/alerts')).body.results
    await save.click()
    expect(await page.locator('input:invalid').getAttribute('name')).toBe('name')
    await page.getByLabel('Name').fill('all')
    const address = page.getByLabel('Address of the webhook')
    await page.getByLabel('Notifications in browsers').uncheck()
    await save.click()
    await waitForText(page, 'The alerts would go nowhere')
    expect(await address.getAttribute('aria-invalid')).toBe('true')
    await page.getByLabel('Notifications in browsers').check()
    await page.getByLabel('Known or unknown').selectOption('Unknown people only')
    await page.getByLabel('Friends').selectOption('Friends only')
    await save.click()
    await waitForText(page, 'This matches no person')
    expect(await address.getAttribute('aria-invalid')).toBe(null)
    await page.getByLabel('Known or unknown').selectOption('No condition')
    await page.getByLabel('Friends').selectOption('No condition')
    await save.click()
    const dialog = dialogIn(page, 'Alert about everybody?')
    await clickButton(dialog, 'Cancel')
    expect(await rules()).toEqual([])
    await save.click()
    await clickButton(dialog, 'Alert about everybody')
    await headingIn(page, 'all').waitFor()
    expect(await rules()).toMatchObject([{ name: 'all', enabled: true }])
    // A disabled rule raises no alert.
    await page.getByLabel('Enabled').uncheck()
    await save.click()
    await waitForText(page, 'Saved.')
    expect(await rules()).toMatchObject([{ enabled: false }])
  })

  it('change a rule, and keep fields that the form does not show', async ({ token, api }) => {
    const { body: rule } = await api('POST', '/v1/alerts', { name: 'door', threshold: 0.5, friend: true })
    const page = await visit({ token, hash: `#/alerts/${rule.id}` })
    await page.getByLabel('Name').fill('gate')
    await page.getByLabel('Notifications in browsers').check()
    await clickButton(page, 'Save')
    await waitForText(page, 'Saved.')
    const stored = async () => (await api('GET', `/v1/alert/id/${rule.id}`)).body
    expect(await stored()).toEqual({ ...rule, name: 'gate', browsers: true })
    await page.getByLabel('Address of the webhook').fill(WEBHOOK)
    await clickButton(page, 'Save')
    expect(await page.getByRole('dialog').getByLabel('Secret').inputValue()).toMatch(/^whsec_/)
    expect(await stored()).toEqual({ ...rule, name: 'gate', browsers: true, url: WEBHOOK })
    await clickButton(page, 'Done')
    await api('PUT', `/v1/alert/id/${rule.id}`, { name: 'elsewhere' })
    await clickButton(page, 'Save')
    await waitForText(page, 'This was changed elsewhere')
  })

  it('convert a threshold of a gallery to a share of strangers on request', async ({ token, api }) => {
    await api('POST', '/v1/galleries/staff')
    const { body: rule } = await api('POST', '/v1/alerts', { name: 'door', gallery: 'staff', threshold: 0.8 })
    const page = await visit({ token, hash: `#/alerts/${rule.id}` })
    const stored = async () => (await api('GET', `/v1/alert/id/${rule.id}`)).body
    const match = page.getByLabel('A person of the gallery')
    const convert = buttonIn(page, 'Let at most 1 stranger in 1,000 match instead')
    await convert.waitFor()
    expect(await match.inputValue()).toBe('threshold 0.8')
    expect(await stored()).toEqual(rule)
    await convert.click()
    await convert.waitFor({ state: 'detached' })
    await expect.poll(() => match.inputValue()).toBe('fpir 0.001')
    expect(await stored()).toEqual({ ...rule, threshold: 0, fpir: 0.001 })
  })

  it('send a test, list messages by state, and send a failed one again', async ({ token, api }) => {
    const { body: rule } = await api('POST', '/v1/alerts', { name: 'door', url: WEBHOOK })
    const page = await visit({ token, hash: `#/alerts/${rule.id}` })
    await waitForText(page, 'There are no messages.')
    await clickButton(page, 'Send a test')
    await waitForText(page, 'The test is in the list of messages.')
    await page.getByRole('cell', { name: 'Waiting' }).waitFor()
    // A message of a rule without a webhook fails.
    await api('PUT', `/v1/alert/id/${rule.id}`, { name: 'door' })
    await page.getByLabel('State').selectOption('Failed')
    await page.getByRole('row', { name: 'no webhook' }).waitFor()
    await clickButton(page, /^Send message \d+ again$/)
    await expect
      .poll(async () => (await api('GET', `/v1/alert/id/${rule.id}/deliveries`)).body.results[0].attempts)
      .toBeGreaterThan(1)
  })

  it('replace the secret after a confirmation', async ({ token, api }) => {
    const { body: rule } = await api('POST', '/v1/alerts', { name: 'door', url: WEBHOOK })
    const page = await visit({ token, hash: `#/alerts/${rule.id}` })
    const dialog = page.getByRole('dialog')
    await clickButton(page, 'Replace the secret')
    await clickButton(dialog, 'Replace the secret')
    expect(await dialog.getByLabel('Secret').inputValue()).toMatch(/^whsec_/)
    expect(await dialog.getByLabel('Secret').inputValue()).not.toBe(rule.secret)
    await clickButton(dialog, 'Done')
  })
})
