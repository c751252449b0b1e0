/** The page Settings and the help: colours without a flash, settings of the only owner, and pages of the documentation. */
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { clientOf, type Send } from '#test/support/client.ts'
import { hasFfmpeg } from '#test/support/photos/clips.ts'
import { type Service, startService } from '#test/support/service.ts'
import { newToken } from '#test/support/tokens.ts'
import { runMien } from '#test/support/typed.ts'
import { scriptedServer } from '#test/unit/clients/scripted-server.ts'
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

const schemeOf = (page: Page) => page.evaluate('getComputedStyle(document.documentElement).colorScheme')

consoleTests('the page Settings', () => {
  it('keeps the chosen colours, and the page has them before its first picture', async () => {
    const page = await visit({
      token: freshOwner().token,
      hash: '#/settings',
      colorScheme: 'light',
    })
    expect(await schemeOf(page)).toBe('light dark')
    await page.getByLabel('Colours').selectOption('Dark')
    expect(await schemeOf(page)).toBe('dark')
    // Without the console itself, the page is as the browser first shows it.
    await page.route('**/console/main-*.js', route =>
      route.fulfill({ contentType: 'text/javascript', body: '' }),
    )
    await page.reload()
    expect(await schemeOf(page)).toBe('dark')
    await page.unroute('**/console/main-*.js')
    await page.reload()
    await page.getByLabel('Colours').selectOption('As the system')
    expect(await schemeOf(page)).toBe('light dark')
    expect(await page.evaluate('localStorage.length')).toBe(0)
  })

  it('shows a reader the colours and the documentation alone, and an administrator the version too', async () => {
    const partsOf = async (token: string) => {
      const page = await visit({ token, hash: '#/settings/backup' })
      await headingIn(page, 'Settings').waitFor()
      return page.getByRole('navigation', { name: 'Parts of the settings' }).getByRole('link').allInnerTexts()
    }
    expect(await partsOf(freshOwner({ scope: 'read' }).token)).toEqual(['General', 'Notifications'])
    expect(await partsOf(freshOwner().token)).toEqual([
      'General',
      'Persons',
      'Privacy',
      'Notifications',
      'Backup',
    ])
  })

  it('lets only the operator change settings that several owners share, and has no backups without a place', async ({
    token,
    api,
  }) => {
    expect(await api('POST', '/v1/backups')).toMatchObject({
      status: 404,
      body: { code: 'NOT_FOUND', reason: expect.stringContaining('mien start --backup-to') },
    })
    const page = await visit({ token, hash: '#/settings/persons' })
    await waitForText(page, 'Several owners share this service')
    expect(await buttonIn(page, 'Save').count()).toBe(0)
    await page.evaluate(`location.hash = '#/settings/backup'`)
    await waitForText(page, 'The service has no place for backups')
    expect(await buttonIn(page, 'Back up now').count()).toBe(0)
  })

  it('leads from each page to its help, with links between the pages of the documentation', async () => {
    const page = await visit({ token: freshOwner().token, hash: '#/cameras', trouble: /status of 401/ })
    await linkIn(page, 'Help').click()
    await page.getByRole('heading', { level: 2, name: 'Cameras' }).waitFor()
    await page.getByRole('searchbox', { name: 'Search' }).fill('PROXY certificate')
    await regionIn(page, 'Results of the search').getByText('Use it from other').click()
    await expect.poll(() => page.url()).toContain('#/help/guide/use-it-from-other-computers-and-phones')
    await linkIn(page, 'All pages of the documentation').click()
    await page.getByRole('cell', { name: 'operator', exact: true }).waitFor()
    await page.getByRole('link', { name: 'backup', exact: true }).click()
    await page.getByText('mien backup --to /backups/mien').first().waitFor()
    expect(await page.locator('article').innerText()).not.toMatch(/\]\(|\*\*|```/)
    await page.evaluate(`location.hash = '#/help/nothing'`)
    await waitForText(page, 'There is no such page of the documentation.')
  })
})

consoleTests('the only owner of a service', () => {
  let releases: Awaited<ReturnType<typeof scriptedServer>>
  let folder: string
  let service: Service
  let api: Send
  beforeAll(async () => {
    releases = await scriptedServer({ body: { tag_name: 'v99.0.1' } })
    folder = await mkdtemp(join(tmpdir(), 'mien-'))
    const env = { MIEN_UPDATE_URL: `${releases.url}/latest` }
    const args = ['--backup-to', join(folder, 'repository')]
    service = await startService({ data: join(folder, 'data'), args, env })
    api = clientOf(service.edge, service.token)
  })
  afterAll(async () => {
    expect(await service.stop()).toBe(0)
    await rm(folder, { recursive: true })
    await releases[Symbol.asyncDispose]()
  })

  const visitAs = (hash: string) => visit({ token: service.token, edge: service.edge, hash })
  const settingNamed = async (wanted: string) =>
    (await api('GET', '/v1/settings')).body.settings.find(({ name }: { name: string }) => name === wanted)

  it('is told of a later version, as `mien status` does, when the operator says where to ask', async () => {
    const page = await visitAs('#/settings')
    await linkIn(page, 'Version 99.0.1 is out: how to upgrade').click()
    await page.getByRole('heading', { level: 1, name: 'Upgrade' }).waitFor()
    expect(runMien(['status', '--data', service.data]).stdout).toContain('\n  update  99.0.1 is out')
  })

  it('has backups at the place that the start names: at once, on request, and at the chosen interval', async () => {
    const page = await visitAs('#/settings/backup')
    const backups = async () => (await readdir(join(folder, 'repository', 'backups')).catch(() => [])).length
    await waitForText(page, 'Complete on')
    expect(await backups()).toBe(1)
    await clickButton(page, 'Back up now')
    await expect.poll(backups).toBe(2)
    await page.getByText('The backup begins within seconds').waitFor({ state: 'hidden' })
    await page.getByLabel('Make backups').selectOption('every hour')
    await clickButton(page, 'Save')
    await waitForText(page, 'Saved.')
    expect(await settingNamed('backup_hours')).toMatchObject({ value: 1, origin: 'setting', initial: 24 })
    await page.evaluate(`location.hash = '#/service/audit-log'`)
    await page.getByRole('cell', { name: 'asked for a backup' }).waitFor()
  })

  it.skipIf(!hasFfmpeg)('turns the watcher beside the service on and off', async () => {
    const page = await visitAs('#/cameras')
    const isOn = async () => (await settingNamed('watch_cameras')).value
    const watch = page.getByLabel('Watch the cameras from the machine of the service')
    for (const wanted of [true, false]) {
      await watch.click()
      await expect.poll(isOn).toBe(wanted)
    }
  })

  it('gives persons to stored faces and takes them away again, and gives persons to new faces once persons are on', async () => {
    for (const number of [4, 3, 3] as const) await enrol(api, number)
    const page = await visitAs('#/persons')
    await page.getByText('Group stored faces').click()
    await clickButton(page, 'Group the faces')
    await waitForText(page, 'Complete: 3 faces got a person, and 2 persons are new.')
    await expect.poll(() => page.locator('.tile').count()).toBe(2)
    await clickButton(page, 'Undo the grouping')
    await clickButton(page.getByRole('dialog'), 'Undo the grouping')
    await expect.poll(() => page.locator('.tile').count()).toBe(0)

    await page.evaluate(`location.hash = '#/settings/privacy'`)
    await page.getByLabel('Record who looks').uncheck()
    await buttonIn(page, 'Save').first().click()
    await waitForText(page, 'Saved.')
    await linkIn(page.getByRole('navigation'), 'Persons').last().click()
    await page.getByLabel('Give new faces a person').check()
    await page.getByLabel('Least confidence').fill('2')
    await clickButton(page, 'Save')
    await waitForText(page, 'enter a number from 0 to 1, or nothing.')
    await page.getByLabel('Least confidence').fill('0.8')
    await clickButton(page, 'Save')
    await waitForText(page, 'Saved.')
    expect(await enrol(api, 3)).toMatchObject([{ person_id: 3 }])
    const threshold = () => settingNamed('person_identify_threshold')
    expect(await threshold()).toMatchObject({ value: 0.8, origin: 'setting', initial: null })
    await page.getByLabel('Least confidence').fill('')
    await clickButton(page, 'Save')
    await expect.poll(threshold).toMatchObject({ value: null, origin: 'setting' })
    await clickButton(page, 'Back to the initial values')
    await expect.poll(threshold).toMatchObject({ value: null, origin: 'default' })
    expect((await enrol(api, 3))[0]).not.toHaveProperty('person_id')
    expect(await settingNamed('record_searches')).toMatchObject({ value: false, origin: 'setting' })
  })

  it('does not ask again for a first backup without an interval', async () => {
    const page = await visitAs('')
    const state = (await api('GET', '/v1/service')).body
    let asked = 0
    await page.route('**/v1/service', route => {
      asked++
      return route.fulfill({ json: { ...state, backup: { has_place: true } } })
    })
    await page.route('**/v1/settings', route =>
      route.fulfill({ json: { settings: [{ name: 'backup_hours', value: 0 }] } }),
    )
    await page.clock.install()
    await page.evaluate(`location.hash = '#/settings/backup'`)
    await buttonIn(page, 'Back up now').waitFor()
    const before = asked
    await page.clock.runFor(10_000)
    expect(asked).toBe(before)
  })

  it('is told the commands of the operator in place of buttons, once there is another owner', async () => {
    newToken(service.data, 'another')
    const page = await visitAs('#/settings/backup')
    await waitForText(page, 'Only the operator can make one, and set the interval')
    expect(await buttonIn(page, 'Back up now').count()).toBe(0)
    await page.evaluate(`location.hash = '#/service/state'`)
    await waitForText(page, 'Only the operator can make a new one: mien secrets rotate evidence')
    expect(await buttonIn(page, 'Make a new key').count()).toBe(0)
  })
})
