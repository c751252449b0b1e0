/** People with access: the link of a start, an invitation, a passkey of a virtual authenticator, roles, and the audit log. */
import type { Page } from 'playwright-core'
import { expect, inject, it } from 'vitest'
import { startLink } from '#core/metadata/issue-tokens.ts'
import { consoleTests, freshOwner, visit } from './visitor.ts'

/** Browsers make passkeys for names, and not for 127.0.0.1. */
const EDGE = inject('edge').replace('127.0.0.1', 'localhost')

/** Gives the browser an authenticator that confirms each request. It makes passkeys like that of a laptop. */
async function addAuthenticator(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page)
  await session.send('WebAuthn.enable')
  await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
    },
  })
}

async function openLink(page: Page, link: string): Promise<void> {
  await page.goto(link)
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('button', { name: 'Sign out' }).waitFor()
}

const signOut = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('button', { name: 'Use a passkey' }).waitFor()
}

/** Status of a sign-in that the browser has sent before. */
const replayed = async (body: string): Promise<number> => {
  const headers = { 'content-type': 'application/json', origin: EDGE }
  return (await fetch(`${EDGE}/session`, { method: 'POST', headers, body })).status
}

consoleTests('people with access', () => {
  it('come in by a link of the start, invite a colleague, who looks with a passkey and is named in the audit log', async () => {
    const { name: owner } = freshOwner()
    const start = { data: inject('data'), owner, name: 'Ann', role: 'administer' } as const
    const { page: admin, trouble } = await visit({ edge: EDGE })
    await openLink(admin, `${EDGE}/#/sign-in/${await startLink(start)}`)
    expect(admin.url()).not.toContain('mien_')
    await admin.goto(`${EDGE}/#/service/people`)
    await admin.getByLabel('Name').fill('Ben')
    await admin.getByLabel('May').selectOption('look')
    await admin.getByRole('button', { name: 'Make an invitation' }).click()
    const link = await admin.getByLabel('Link', { exact: true }).inputValue()
    await admin.getByRole('button', { name: 'Done' }).click()
    await admin.getByRole('row', { name: /Ben.*Invited until/ }).waitFor()

    const { page: ben, trouble: troubleOfBen } = await visit({ edge: EDGE })
    const sent: string[] = []
    ben.on('request', asked => asked.method() === 'POST' && sent.push(asked.postData() ?? ''))
    await addAuthenticator(ben)
    await openLink(ben, link)
    await signOut(ben)
    await ben.getByRole('button', { name: 'Use a passkey' }).click()
    await ben.getByRole('link', { name: 'Persons' }).click()
    const answers = sent.filter(body => body.includes('credential'))
    expect(await Promise.all(answers.map(replayed))).toEqual([401, 401])
    await ben.reload()
    await ben.getByRole('heading', { name: 'Persons' }).waitFor()
    expect(await ben.getByRole('link', { name: 'Service' }).count()).toBe(0)
    expect(await ben.evaluate('JSON.stringify([sessionStorage, localStorage])')).toBe('[{},{}]')

    await admin.reload()
    await admin.getByRole('row', { name: /Ben.*on 1 device/ }).waitFor()
    await admin.getByRole('button', { name: 'Remove: Ben' }).click()
    await admin.getByRole('button', { name: 'Remove the access' }).click()
    await admin.getByText('Ben has no access any more.').waitFor()
    await ben.getByRole('link', { name: 'Galleries' }).click()
    await ben.getByText('The session has ended. Sign in again.').waitFor()
    await admin.goto(`${EDGE}/#/service/audit-log`)
    await admin.getByRole('row', { name: /Ann invited somebody/ }).waitFor()
    await admin
      .getByRole('row', { name: /Ben signed in/ })
      .first()
      .waitFor()
    const refusedOnce = 'Failed to load resource: the server responded with a status of 401 (Unauthorized)'
    expect([...trouble, ...troubleOfBen.filter(text => text !== refusedOnce)]).toEqual([])
  })
})
