/** People with access: the link of a start, an invitation, a passkey of a virtual authenticator, roles, and the audit log. */
import type { Page } from 'playwright-core'
import { inject } from 'vitest'
import { startLink } from '#core/metadata/access/issue-tokens.ts'
import {
  buttonIn,
  clickButton,
  consoleTests,
  dialogIn,
  enrol,
  freshOwner,
  headingIn,
  linkIn,
  regionIn,
  visit,
  waitForText,
} from '../visitor.ts'
import { ActionCounter } from './actions.ts'

/** Browsers make passkeys for names, and not for 127.0.0.1. */
const EDGE = inject('edge').replace('127.0.0.1', 'localhost')

/** From the sign-in of the administrator to the entries of the log about the colleague. */
const MOST_ACTIONS = 12

/** Gives the browser an authenticator that confirms each request. It makes passkeys as a laptop does. */
async function addAuthenticator(page: Page) {
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

const signOut = async (page: Page) => {
  await clickButton(page, 'Sign out')
  await buttonIn(page, 'Use a passkey').waitFor()
}

/** Status of a sign-in that the browser has sent before. */
const replayed = async (body: string) => {
  const headers = { 'content-type': 'application/json', origin: EDGE }
  return (await fetch(`${EDGE}/session`, { method: 'POST', headers, body })).status
}

consoleTests('people with access', () => {
  it('come in by the link of the start, and make a passkey before the session ends', async () => {
    const { name: owner } = freshOwner()
    const start = { data: inject('data'), owner, name: 'Ada', role: 'administer' } as const
    const page = await visit({ edge: EDGE, trouble: /status of 401/ })
    await addAuthenticator(page)
    await page.goto(`${EDGE}/#/sign-in/${await startLink(start)}`)
    await clickButton(page, 'Continue')
    const notice = regionIn(page, 'No passkey')
    await waitForText(notice, /this session ends on .*\d{4}/)
    await clickButton(notice, 'Make a passkey')
    await notice.waitFor({ state: 'detached' })
    await linkIn(page, 'Service').click()
    await linkIn(page, 'People with access').click()
    await page.getByRole('row', { name: /Ada You.*Chrome on Linux/ }).waitFor()
    // The session of the link has ended.
    await clickButton(page, /^End the session of Ada/)
    const ending = dialogIn(page, 'End your session?')
    await clickButton(ending, 'Cancel')
    await linkIn(page, 'Use it from other computers and phones').click()
    await headingIn(page, 'Use it from other computers and phones').waitFor()
    await page.goBack()
    await clickButton(page, /^End the session of Ada/)
    await clickButton(ending, 'End the session')
    await waitForText(page, 'The session has ended.')
    expect(await page.title()).toBe('Sign in · Mien')
    await clickButton(page, 'Use a passkey')
    await page.getByRole('row', { name: /Ada You/ }).waitFor()
  })

  it('come in by a link of the start, and invite a colleague; the colleague looks with a passkey, and is named in the audit log', async () => {
    const { name: owner, api } = freshOwner()
    await enrol(api, 3, { person: 'Ann Lee' })
    const start = { data: inject('data'), owner, name: 'Ada', role: 'administer' } as const
    const admin = await visit({ edge: EDGE })
    const ben = await visit({ edge: EDGE, trouble: /status of 401/ })
    const sent: string[] = []
    ben.on('request', asked => asked.method() === 'POST' && sent.push(asked.postData() ?? ''))
    await addAuthenticator(ben)
    const counter = new ActionCounter()
    const { act } = counter

    await act(admin.goto(`${EDGE}/#/sign-in/${await startLink(start)}`))
    await act(clickButton(admin, 'Continue'))
    await act(linkIn(admin, 'Service').click())
    expect(admin.url()).not.toContain('mien_')
    await act(linkIn(admin, 'People with access').click())
    await act(admin.getByLabel('Name').fill('Ben'))
    await act(clickButton(admin, 'Make an invitation'))
    const link = await admin.getByLabel('Link', { exact: true }).inputValue()
    await act(clickButton(admin, 'Done'))
    await admin.getByRole('row', { name: /Ben.*Invited until.*look/ }).waitFor()
    await admin.getByText('Ada You', { exact: true }).waitFor()

    await act(ben.goto(link))
    await act(clickButton(ben, 'Continue'))
    await act(linkIn(ben, 'Persons').click())
    await act(linkIn(ben, 'Ann Lee').click())
    await headingIn(ben, 'Ann Lee').waitFor()
    const buttons = await ben.getByRole('main').getByRole('button').allInnerTexts()
    expect(buttons).toEqual(['Faces', 'Sightings', 'Download a copy'])
    expect(await ben.getByRole('main').getByRole('textbox').count()).toBe(0)
    expect(await linkIn(ben, 'Service').count()).toBe(0)

    await act(linkIn(admin, 'Audit log').click())
    for (const done of ['Ada invited a person', 'Ben signed in', 'Ben looked at a person'])
      await admin.getByRole('row', { name: done }).first().waitFor()
    expect(counter.count).toBeLessThanOrEqual(MOST_ACTIONS)

    await signOut(ben)
    await linkIn(admin, 'People with access').click()
    await admin.getByRole('row', { name: /Ben.* [AP]M nowhere/ }).waitFor()
    await linkIn(admin, 'Audit log').click()
    await clickButton(ben, 'Use a passkey')
    await buttonIn(ben, 'Sign out').waitFor()
    const answers = sent.filter(body => body.includes('credential'))
    expect(await Promise.all(answers.map(replayed))).toEqual([401, 401])
    expect(await ben.evaluate('JSON.stringify([sessionStorage, localStorage])')).toBe('[{},{}]')
    await ben.goto(link)
    await clickButton(ben, 'Continue')
    await clickButton(ben, 'Continue without the link')
    await buttonIn(ben, 'Sign out').waitFor()

    await linkIn(admin, 'People with access').click()
    await admin.getByRole('row', { name: /Ben.*Chrome on Linux.*used.*since .*, used/ }).waitFor()
    await clickButton(admin, 'Remove the passkey Chrome on Linux: Ben')
    await admin.getByRole('button', { name: 'Remove the passkey', exact: true }).click()
    await admin.getByRole('row', { name: /Ben.*nowhere/ }).waitFor()
    await clickButton(admin, 'New link: Ben')
    await clickButton(admin, 'Make the link')
    await ben.goto(await admin.getByLabel('Link', { exact: true }).inputValue())
    await clickButton(admin, 'Done')
    await clickButton(ben, 'Continue')
    await buttonIn(ben, 'Sign out').waitFor()
    await linkIn(admin, 'Audit log').click()
    await linkIn(admin, 'People with access').click()
    await clickButton(admin, 'Lost device: Ben')
    await clickButton(admin, 'End them and make the link')
    await clickButton(admin, 'Done')
    await waitForText(admin, 'The passkeys and sessions of Ben have ended.')
    await clickButton(admin, 'Remove: Ben')
    await clickButton(admin, 'Remove the access')
    await waitForText(admin, 'Ben no longer has access.')
    await linkIn(ben, 'Galleries').click()
    await waitForText(ben, 'The session has ended. Sign in again.')
  })
})
