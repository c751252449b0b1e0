/** Accessibility of every page, in light and dark, checked by axe-core. */
import axe from 'axe-core'
import type { Page } from 'playwright-core'
import { DECLARATIONS } from '#contract/operations/table.ts'
import type { Send } from '#test/support/client.ts'
import {
  buttonIn,
  clickButton,
  consoleTests,
  enrol,
  freshOwner,
  headingIn,
  regionIn,
  samplePath,
  visit,
  waitForText,
} from './visitor.ts'

/** What axe-core finds on the page as it is now, with all rules or with one. It takes seconds for all. */
async function findings(page: Page, rule?: string): Promise<string[]> {
  const rules = rule === undefined ? { rules: { 'target-size': { enabled: true } } } : { runOnly: [rule] }
  const options = JSON.stringify({ ...rules, resultTypes: ['violations'] })
  const violations: axe.Result[] = await page.evaluate(
    `axe.run(${options}).then(({ violations }) => violations)`,
  )
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`))
}

/** Brings a page into a state with much on it. `rule` is the id of an alert rule. */
const PAGES: Record<string, (page: Page, send: Send, rule: string) => Promise<unknown>> = {
  'sign in': async page => {
    await clickButton(page, 'Sign out')
    await clickButton(page, 'Sign in')
    await page.getByRole('alert').waitFor()
  },
  try: async page => {
    await page.locator('input[type=file]').setInputFiles(samplePath(3))
    await page.locator('.face-card summary').first().click()
    await page.locator('.candidate').first().waitFor()
    await page.locator('.code summary').first().click()
    await clickButton(page, /^Face 1 /)
  },
  'first visit': async page => {
    await buttonIn(page, 'Enrol the photos').waitFor()
    await page.locator('.step img').last().waitFor()
  },
  compare: async page => {
    await page.locator('input[type=file]').nth(0).setInputFiles(samplePath(1))
    await page.locator('input[type=file]').nth(1).setInputFiles(samplePath(3))
    await page.locator('.pair.selected').waitFor()
  },
  galleries: page => page.locator('.gallery-card .thumbnail').first().waitFor(),
  'galleries/default': async page => {
    await page.getByLabel('Choose photos').setInputFiles([samplePath(1), import.meta.filename])
    await page.getByText('1 file skipped').click()
    await page.getByText('More filters').click()
    await page.locator('.tile').first().getByRole('checkbox').check()
  },
  events: async (page, send, rule) => {
    await page.getByText('Live', { exact: true }).waitFor()
    await page.locator('.tile.event img').first().waitFor()
    await send('POST', `/v1/alert/id/${rule}/test`)
    await regionIn(page, 'Latest alerts').waitFor()
    await page.locator('.tile.event').first().click()
    await page.getByRole('dialog').getByRole('img').waitFor()
  },
  'galleries/staff': async page => {
    await clickButton(page, 'Select all')
    await waitForText(page, '3 selected')
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    await page.getByRole('dialog').waitFor()
  },
  'galleries/default/check': async page => {
    await page.getByRole('listitem', { name: 'The same picture twice' }).first().waitFor()
    await buttonIn(page, 'Set aside').first().click()
    await waitForText(page, 'Set aside.')
  },
  cameras: page => page.locator('.camera-card').first().waitFor(),
  alerts: page => page.locator('.alert-rule').first().waitFor(),
  'alerts/new': async page => {
    await page.getByLabel('Front door').waitFor()
    await clickButton(page, 'Add hours')
    await page.getByLabel('Name').fill('door')
    await page.getByLabel('Only these people').fill('Ann')
    await page.getByRole('list', { name: 'Persons found' }).waitFor()
  },
  'alerts/RULE': async page => {
    await clickButton(page, 'Send a test')
    await waitForText(page, 'Listed on the page Alerts only')
    await clickButton(page, 'Delete the rule')
    await page.getByRole('dialog').waitFor()
  },
  'cameras/new': async page => {
    await page.getByText('Regions', { exact: true }).click()
    await page.locator('input[type=file]').setInputFiles(samplePath(1))
    const sides = page.getByRole('group', { name: 'Region of interest' })
    for (const [label, value] of Object.entries({ Width: '640', Height: '360', Left: '100', Top: '80' }))
      await sides.getByLabel(label).fill(value)
    await page.locator('.region.active').waitFor()
  },
  persons: async page => {
    await page.locator('.suggestion').first().waitFor()
    await page.locator('.tile').first().getByRole('checkbox').check()
    await page.locator('.tile').nth(1).getByRole('checkbox').check()
    await clickButton(page.locator('.selection-bar'), 'Merge')
    await page.getByRole('dialog').waitFor()
  },
  'persons/7': async page => {
    await page.locator('.tile').first().getByRole('checkbox').check()
    await clickButton(page, 'Sightings')
    await page.locator('.camera-day').first().waitFor()
  },
  'service/tokens': async page => {
    await page.getByLabel('Name').fill('door')
    await clickButton(page, 'Create the token')
    await buttonIn(page, 'Copy the token').waitFor()
  },
  'service/people': page => headingIn(page, 'Invite a person').waitFor(),
  'settings/privacy': async page => {
    await page.getByLabel('Days for staff').fill('7')
    await clickButton(page, 'Save the retention of staff')
    await page.getByRole('dialog').waitFor()
  },
  'settings/persons': async page => {
    await page.route('**/v1/settings', route => route.fulfill({ json: DECLARATIONS.getSettings.example }))
    await page.reload()
    await buttonIn(page, 'Back to the initial values').waitFor()
  },
  'service/audit-log': page => waitForText(page, 'Chain verified'),
  'settings/general': page => waitForText(page, 'Version'),
  'settings/backup': page => headingIn(page, 'Backups').waitFor(),
  'help/guide': async page => {
    await headingIn(page, 'What the words mean').waitFor()
    const picture = page.getByRole('img', { name: 'A person', exact: true })
    await picture.scrollIntoViewIfNeeded()
    await expect.poll(() => picture.evaluate((shown: HTMLImageElement) => shown.naturalWidth)).toBe(960)
  },
  'service/state': page => waitForText(page, 'Searches look at all of them.'),
}

consoleTests('the console', () => {
  const { token, api } = freshOwner()
  const empty = freshOwner().token
  const tokenOf = (name: string) => (name === 'first visit' ? empty : token)
  let rule = ''
  const hashOf = (name: string) =>
    `#/${['sign in', 'first visit'].includes(name) ? 'try' : name.replace('RULE', rule)}`
  beforeAll(async () => {
    await api('POST', '/v1/galleries/staff')
    const staff = await enrol(api, 3, { meta: 'Ann', mf_selector: 'all', galleries: 'staff' })
    const { id: cam_id } = (await api('POST', '/v1/camera', { meta: 'Door' })).body
    const [seen] = await enrol(api, 3, { cam_id, meta: 'Ann' })
    for (const [person_id, face] of [
      [7, staff[0]!.id],
      [7, seen!.id],
      [8, staff[1]!.id],
      [9, staff[2]!.id],
    ] as const)
      await api('PUT', `/v1/face/id/${face}`, { person_id })
    await api('PUT', `/v1/face/id/${(await enrol(api, 3))[0]!.id}`, { person_id: 10 })
    await api('POST', '/v1/camera', { meta: 'Front door', rot: [640, 360, 320, 180] })
    rule = (await api('POST', '/v1/alerts', { name: 'strangers', person_ids: [7] })).body.id
  })

  // A page is opened once: opening it takes most of the time.
  it.each(Object.keys(PAGES))(
    'has no finding of axe-core on the page %s in light and dark, at 360 and 1280 px, and fits into 1024, 768 and 360 px',
    async name => {
      const options = { token: tokenOf(name), hash: hashOf(name), reducedMotion: 'reduce' } as const
      const page = await visit({ ...options, colorScheme: 'light' })
      await PAGES[name]!(page, api, rule)
      const heading = await page.locator('h1').first().textContent()
      if (name !== 'sign in') await expect.poll(() => page.title()).toBe(`${heading} · Mien`)
      await page.evaluate(axe.source)
      expect(await findings(page)).toEqual([])
      // The other rules depend neither on colours nor on widths.
      await page.emulateMedia({ colorScheme: 'dark' })
      expect(await findings(page, 'color-contrast')).toEqual([])
      for (const width of [1024, 768, 360]) {
        await page.setViewportSize({ width, height: 740 })
        await expect.poll(() => page.evaluate('document.documentElement.scrollWidth')).toBe(width)
      }
      expect(await findings(page, 'target-size')).toEqual([])
    },
  )
})
