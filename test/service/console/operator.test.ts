/** The page Service: tokens, audit log and state; of the settings, retention and backups. */

import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { inject } from 'vitest'
import { clientOf } from '#test/support/client.ts'
import { times } from '#test/support/times.ts'
import {
  buttonIn,
  clickButton,
  consoleTests,
  dialogIn,
  enrol,
  freshOwner,
  headingIn,
  it,
  visit,
  waitForText,
} from './visitor.ts'

const rowOf = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name })

const statusOf = async (token: string) => (await clientOf(inject('edge'), token)('GET', '/v1/token')).status

/** Creates a token with the form, and returns its text. */
async function create(page: Page, name: string) {
  await page.getByLabel('Name').fill(name)
  await page.getByLabel('Scope').selectOption('read')
  await clickButton(page, 'Create the token')
  return secretOf(page)
}

/** The text of a new token. Closes its dialog. */
async function secretOf(page: Page) {
  const dialog = dialogIn(page, 'The new token')
  const text = await dialog.getByLabel('Token', { exact: true }).inputValue()
  await clickButton(dialog, 'Done')
  return text
}

consoleTests('the page Service', () => {
  it('creates a token, and shows its text once, with a button that copies it', async ({ token }) => {
    const page = await visit({
      token,
      hash: '#/service',
      permissions: ['clipboard-read', 'clipboard-write'],
    })
    await page.getByLabel('Name').fill('front door')
    await page.getByLabel('Scope').selectOption('manage')
    await page.getByLabel('Expires').selectOption('in 30 days')
    await page.getByLabel('Requests per second').fill('2.5')
    await clickButton(page, 'Create the token')
    await clickButton(page, 'Copy the token')
    await waitForText(page, 'Copied')
    const copied = String(await page.evaluate('navigator.clipboard.readText()'))
    expect(await secretOf(page)).toBe(copied)
    await expect.poll(() => page.locator(':focus').textContent()).toBe('Create the token')
    const { body } = await clientOf(inject('edge'), copied)('GET', '/v1/token')
    expect(body).toMatchObject({
      name: 'front door',
      scope: 'manage',
      rate: 2.5,
      expires: expect.any(String),
    })
    await rowOf(page, 'front door').waitFor()
    // The next token has the same settings unless the visitor changes them.
    for (const [label, value] of Object.entries({
      Name: '',
      Scope: 'manage',
      Expires: '30',
      'Requests per second': '2.5',
    }))
      expect(await page.getByLabel(label).inputValue(), label).toBe(value)
    expect(await page.content()).not.toContain(copied)
    expect(await page.evaluate('Object.values(sessionStorage).join()')).toBe(token)
  })

  it('rotates a token, and lets the old one work for the chosen time', async () => {
    const page = await visit({ token: freshOwner().token, hash: '#/service' })
    const [old, gate] = [await create(page, 'door'), await create(page, 'gate')]
    const rotate = async (name: string, grace: string) => {
      await clickButton(page, `Rotate ${name}`)
      await page.getByLabel('The old token stays valid for').selectOption(grace)
      await clickButton(page, 'Create the replacement')
      return secretOf(page)
    }
    const next = await rotate('door', '24 hours')
    expect([await statusOf(old), await statusOf(next)]).toEqual([200, 200])
    await expect.poll(() => rowOf(page, 'door').count()).toBe(2)
    expect(await statusOf(await rotate('gate', 'no time'))).toBe(200)
    await expect.poll(() => statusOf(gate)).toBe(401)
  })

  it('revokes a token after a confirmation, and not its own', async () => {
    const page = await visit({ token: freshOwner().token, hash: '#/service' })
    const text = await create(page, 'door')
    await rowOf(page, 'door').waitFor()
    const own = rowOf(page, 'This session')
    expect(await buttonIn(own, 'Revoke').count()).toBe(0)
    // Its session would end before the new token is copied.
    await clickButton(own, 'Rotate')
    expect(await page.getByLabel('The old token stays valid for').innerText()).not.toContain('no time')
    await clickButton(page, 'Cancel')
    const revoke = buttonIn(page, 'Revoke door')
    await revoke.click()
    const dialog = dialogIn(page, 'Revoke door?')
    await clickButton(dialog, 'Cancel')
    expect(await statusOf(text)).toBe(200)
    await revoke.click()
    await clickButton(dialog, 'Revoke the token')
    await waitForText(page, 'door is revoked.')
    await expect.poll(() => rowOf(page, 'door').count()).toBe(0)
    await expect.poll(() => statusOf(text)).toBe(401)
    await clickButton(page, 'Show 1 that ended')
    expect(await rowOf(page, 'door').innerText()).toContain('ended')
  })

  it('changes the retention of galleries and cameras, and asks before faces are deleted', async ({
    token,
    api,
  }) => {
    await api('POST', '/v1/galleries/staff', { retention_days: 90 })
    const { id } = (await api('POST', '/v1/camera', { meta: 'door', roi: [640, 480, 0, 0] })).body
    const page = await visit({ token, hash: '#/settings/privacy' })
    const change = async (name: string, days: string) => {
      await page.getByLabel(`Days for ${name}`).fill(days)
      await clickButton(page, `Save the retention of ${name}`)
    }
    expect(await page.getByLabel('Days for staff').inputValue()).toBe('90')
    await change('staff', '365')
    await waitForText(page, 'staff keeps faces for 365 days.')
    expect((await api('GET', '/v1/galleries/staff')).body.retention_days).toBe(365)
    await change('staff', '7')
    const dialog = dialogIn(page, 'Change the retention of staff?')
    await clickButton(dialog, 'Cancel')
    expect((await api('GET', '/v1/galleries/staff')).body.retention_days).toBe(365)
    await change('staff', '')
    await waitForText(page, 'staff keeps faces for ever.')
    expect((await api('GET', '/v1/galleries/staff')).body).toEqual({ name: 'staff' })
    await change('All other faces', '30')
    await clickButton(page, 'Change the retention')
    await waitForText(page, 'All other faces keeps faces for 30 days.')
    expect((await api('GET', '/v1/galleries/default')).body.retention_days).toBe(30)
    await change('door', '30')
    await clickButton(page, 'Change the retention')
    await waitForText(page, 'door keeps faces for 30 days.')
    expect((await api('GET', `/v1/camera/${id}`)).body).toMatchObject({
      retention_days: 30,
      roi: [640, 480, 0, 0],
    })
    await change('staff', '1.5')
    expect(await page.getByRole('alert').innerText()).toContain('a whole number of days')
  })

  it('lists the audit log in pages, and says how far its chain is verified', async () => {
    const { token, api } = freshOwner({ name: 'front desk' })
    const change = (i: number) => api('PUT', '/v1/galleries/default', { retention_days: 30 + i })
    await Promise.all(times(60, change))
    const { seq } = (await api('GET', '/v1/audit-log?limit=1')).body.results[0]
    const page = await visit({ token, hash: '#/service/audit-log' })
    const verified = page.getByText(/^Chain verified up to entry [\d,]+\.$/)
    await verified.waitFor()
    const number = Number((await verified.innerText()).replaceAll(/\D/g, ''))
    expect(number).toBeGreaterThanOrEqual(seq)
    const rows = page.locator('tbody tr')
    await expect.poll(() => rows.count()).toBe(50)
    await clickButton(page, 'Show older entries')
    await expect.poll(() => rows.count()).toBe(61)
    expect(await rows.first().innerText()).toMatch(
      /Token “front desk” changed how long a gallery keeps faces/,
    )
    expect(await rows.last().innerText()).toMatch(/The operator .*made a token/)
    expect(await buttonIn(page, 'Show older entries').count()).toBe(0)
  })

  it('filters the audit log by caller, action, object and day, and saves it', async () => {
    const { token, api } = freshOwner({ name: 'front desk' })
    for (const meta of ['Ann', 'Ben']) await enrol(api, 1, { person: meta })
    for (const id of [1, 2]) await api('PUT', `/v1/person/id/${id}`, { meta: 'Cid' })
    const page = await visit({ token, hash: '#/service/audit-log' })
    const shows = (count: number) => expect.poll(() => page.locator('tbody tr').count()).toBe(count)
    await shows(5)
    await page.getByLabel('What').selectOption('named a person')
    await shows(2)
    await clickButton(page, 'Filter: person 1')
    await page.getByRole('cell', { name: 'enrolled faces' }).waitFor()
    await shows(2)
    await clickButton(page, 'Show all')
    await page.getByLabel('Who').selectOption('The operator')
    await shows(1)
    await clickButton(page, 'Show all')
    await page.getByLabel('Day').fill('2026-01-31')
    await waitForText(page, 'No entry meets the filter.')
    await clickButton(page, 'Show all')
    const saving = page.waitForEvent('download')
    await clickButton(page, 'Save as CSV')
    const file = String(await readFile(await (await saving).path()))
    expect(file).toMatch(/"person.update","Token “front desk” named a person","{""person"":/)
  })

  it('says that the log was changed, and up to where it is right', async () => {
    const page = await visit({ token: freshOwner().token })
    const fault = 'entry 6 is not as it was written'
    const broken = { intact: false, verified_from: 1, verified_to: 5, last: 9, since: '2026-01-01', fault }
    await page.route('**/v1/audit-log/verification', route => route.fulfill({ json: broken }))
    await page.evaluate(`location.hash = '#/service/audit-log'`)
    expect(await page.getByRole('alert').innerText()).toBe(
      'The log was changed: entry 6 is not as it was written. It is right up to entry 5.',
    )
  })

  it('shows the state of the service', async ({ token, api }) => {
    await enrol(api, 2)
    const page = await visit({ token, hash: '#/service/state' })
    const store = page.locator('section').filter({ has: headingIn(page, 'Stored faces') })
    await expect.poll(() => store.innerText()).toMatch(/1 face\s+Searches look at all of them\.\s+Details$/)
    await store.getByText('Details').click()
    expect(await store.innerText()).toMatch(/exact search\s+Parts of the store\s+1 of 1 answer/)
    await expect
      .poll(async () => {
        await clickButton(page, 'Refresh')
        return rowOf(page, 'getService').count()
      })
      .toBe(1)
    expect(await rowOf(page, 'getService').innerText()).toMatch(/\d+ ms\s+\d+ ms/)
    // In a narrow window, names break between their words alone.
    expect(await rowOf(page, 'getService').getByRole('rowheader').innerHTML()).toBe('get<wbr>Service<wbr>')
  })

  it('shows the last complete backup, a failure after it, and the last drill', async ({ token, api }) => {
    const { body } = await api('GET', '/v1/service')
    const page = await visit({ token })
    let backup = {}
    await page.route('**/v1/service', route => route.fulfill({ json: { ...body, backup } }))
    await page.evaluate(`location.hash = '#/settings/backup'`)
    const panel = page.locator('section').filter({ has: headingIn(page, 'Backups') })
    const shown = async (times: Record<string, number>) => {
      backup = Object.fromEntries(
        Object.entries(times).map(([name, day]) => [name, `2026-01-0${day}T12:00:00.000000`]),
      )
      await page.evaluate(`location.hash = '#/settings/general'`)
      await page.evaluate(`location.hash = '#/settings/backup'`)
      return () => panel.locator('p').allInnerTexts()
    }
    await expect.poll(await shown({})).toEqual([expect.stringMatching(/^There was no backup yet\./)])
    await expect
      .poll(await shown({ started: 1, completed: 2, drilled: 3 }))
      .toEqual([
        expect.stringMatching(/^Complete on .*\b2\b/),
        expect.stringMatching(/^Restored and compared on .*\b3\b/),
      ])
    await expect
      .poll(await shown({ started: 4, failed: 5, completed: 2, drilled: 1 }))
      .toEqual([
        expect.stringMatching(/^Complete on .*\b2\b/),
        expect.stringMatching(/^A backup failed on .*\b5\b/),
        expect.stringMatching(/^Restored and compared on .*\b1\b/),
      ])
  })
})
