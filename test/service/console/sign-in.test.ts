/** Signing in to the console and out of it. */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { chromiumPath, startChromium } from '#bench/harness/chromium.ts'
import { startEdge } from '../edge/edge-process.ts'
import { freshOwner, signIn, visit } from './visitor.ts'

const REFUSED = 'Failed to load resource: the server responded with a status of 401 (Unauthorized)'

describe.skipIf(chromiumPath === undefined)(
  'signing in to the console',
  { tags: ['long', 'chromium'] },
  () => {
    let browser: Browser
    beforeAll(async () => {
      browser = await startChromium()
    })
    afterAll(() => browser?.close())

    it.each([
      ['', 'Enter a token. It begins with mien_.'],
      ['mien_wrong', 'The service does not know this token. Check that you copied all of it.'],
      ['two words', 'This is no token. A token has no spaces and begins with mien_.'],
    ])('answers the token "%s" with a sentence', async (token, sentence) => {
      const { page, trouble } = await visit(browser)
      await page.getByLabel('Token').fill(token)
      await page.getByRole('button', { name: 'Sign in' }).click()
      expect(await page.getByRole('alert').innerText()).toBe(sentence)
      expect(trouble.filter(text => text !== REFUSED)).toEqual([])
    })

    it('offers only the pages that the scope of the token allows', async () => {
      const pagesOf = async (scope: string) => {
        const { page, trouble } = await visit(browser, { token: freshOwner('--scope', scope).token })
        await page.getByRole('heading', { level: 1 }).waitFor()
        expect(trouble).toEqual([])
        return page.getByRole('navigation', { name: 'Pages' }).getByRole('link').allInnerTexts()
      }
      for (const scope of ['read', 'enrol', 'admin']) expect(await pagesOf(scope)).toContain('Galleries')
      expect(await pagesOf('camera')).not.toContain('Galleries')
    })

    it('keeps the token in the session storage only, also after a reload', async () => {
      const token = inject('token')
      const { page, trouble } = await visit(browser)
      const urls: string[] = []
      page.on('request', request => urls.push(request.url()))
      await signIn(page, `  Token ${token} `)
      await page.reload()
      await page.getByRole('heading', { name: 'Try', exact: true }).waitFor()
      expect(await page.evaluate('Object.values(sessionStorage)')).toEqual([token])
      expect(await page.evaluate('localStorage.length')).toBe(0)
      expect(await page.context().cookies()).toEqual([])
      expect(urls.filter(url => url.includes(token))).toEqual([])
      expect(trouble).toEqual([])
    })

    it('forgets everything after signing out', async () => {
      const { page } = await visit(browser, { token: inject('token'), hash: '#/galleries' })
      await page.getByRole('button', { name: 'Sign out' }).click()
      await page.getByRole('heading', { name: 'Sign in' }).waitFor()
      expect(await page.evaluate('sessionStorage.length')).toBe(0)
      expect(page.url()).toBe(`${inject('edge')}/`)
      expect(await page.getByLabel('Token').inputValue()).toBe('')
    })

    it('asks for another token when the token is no longer valid', async () => {
      const { page } = await visit(browser, { token: inject('token') })
      await page.evaluate(`sessionStorage.setItem('mien.token', 'mien_revoked')`)
      await page.goto(`${inject('edge')}/#/galleries`)
      await page.reload()
      const sentence = 'The token is no longer valid. Sign in with another one.'
      await page.getByText(sentence).waitFor()
      expect(await page.evaluate('sessionStorage.length')).toBe(0)
    })

    it('says that core is not ready', async () => {
      const edge = await startEdge(inject('data'), ['http://127.0.0.1:1'])
      const { page } = await visit(browser, { edge })
      expect(await page.getByRole('alert').innerText()).toContain('Core is not ready')
    })

    it('has links to the documentation', async () => {
      const { page } = await visit(browser)
      const links = page.getByRole('navigation', { name: 'Documentation' }).getByRole('link')
      expect(await links.count()).toBe(4)
      for (const link of await links.all()) {
        const path = (await link.getAttribute('href')) ?? ''
        expect((await fetch(new URL(path, `${inject('edge')}/`))).status, path).toBe(200)
      }
    })
  },
)
