/** Signing in and out, the size of the first page, and a connection that is lost and comes back. */
import { gzipSync } from 'node:zlib'
import { inject } from 'vitest'
import type { Scope } from '#contract/model/token.ts'
import { startEdge } from '../edge/edge-process.ts'
import {
  clickButton,
  consoleTests,
  enrol,
  freshOwner,
  headingIn,
  linkIn,
  samplePath,
  signIn,
  visit,
  waitForText,
} from './visitor.ts'

consoleTests('signing in to the console', () => {
  it('answers a wrong token with a sentence, and has links to the documentation', async () => {
    const page = await visit({ trouble: /status of 401/ })
    for (const [token, sentence] of [
      ['', 'Enter a token. It begins with mien_.'],
      ['two words', 'This is no token. A token has no spaces and begins with mien_.'],
      ['mien_wrong', 'The service does not know this token. Check that you copied all of it.'],
    ] as const) {
      await page.getByLabel('Token').fill(token)
      await clickButton(page, 'Sign in')
      await page.getByRole('alert').filter({ hasText: sentence }).waitFor()
    }
    const links = page.getByRole('navigation', { name: 'Documentation' }).getByRole('link')
    expect(await links.count()).toBe(4)
    for (const link of await links.all()) {
      const path = (await link.getAttribute('href')) ?? ''
      expect((await fetch(new URL(path, `${inject('edge')}/`))).status, path).toBe(200)
    }
  })

  it('offers only the pages that the scope of the token allows', async () => {
    const pagesOf = async (scope: Scope) => {
      const page = await visit({ token: freshOwner({ scope }).token })
      await page.getByRole('heading', { level: 1 }).waitFor()
      return page.getByRole('navigation', { name: 'Pages' }).getByRole('link').allInnerTexts()
    }
    expect(await pagesOf('admin')).toEqual(expect.arrayContaining(['Galleries', 'Alerts', 'Service']))
    const reading = await pagesOf('read')
    expect(reading).toEqual(expect.arrayContaining(['Galleries', 'Alerts']))
    expect(reading).not.toContain('Service')
    expect(await pagesOf('camera')).not.toContain('Galleries')
  })

  it('keeps the token in the session storage only, also after a reload, until the visitor signs out', async () => {
    const token = inject('token')
    const page = await visit()
    const urls: string[] = []
    page.on('request', request => urls.push(request.url()))
    await signIn(page, `  Token ${token} `)
    await page.reload()
    await page.getByRole('heading', { name: 'Who is this?', exact: true }).waitFor()
    expect(await page.evaluate('Object.values(sessionStorage)')).toEqual([token])
    expect(await page.evaluate('localStorage.length')).toBe(0)
    expect(await page.context().cookies()).toEqual([])
    expect(urls.filter(url => url.includes(token))).toEqual([])
    await linkIn(page, 'Galleries').click()
    await clickButton(page, 'Sign out')
    await headingIn(page, 'Sign in').waitFor()
    expect(await page.evaluate('sessionStorage.length')).toBe(0)
    expect(page.url()).toBe(`${inject('edge')}/`)
    expect(await page.getByLabel('Token').inputValue()).toBe('')
  })

  it('says that core is not ready', async () => {
    const edge = await startEdge(inject('data'), ['http://127.0.0.1:1'])
    const page = await visit({ edge })
    expect(await page.getByRole('alert').innerText()).toContain('The service is not ready')
  })
})

/** Most bytes of JavaScript, compressed. */
const SCRIPT_BYTES = 90 * 1024

/** Most bytes of everything, compressed. */
const ALL_BYTES = 100 * 1024

consoleTests('the first page of the console', () => {
  it('is small, and loads four files of its origin', async () => {
    const page = await visit()
    const answers = new Map<string, Promise<Buffer>>()
    page.on('response', response => {
      const { protocol, pathname } = new URL(response.url())
      if (protocol !== 'data:' && pathname !== '/session') answers.set(pathname, response.body())
    })
    await page.reload()
    await headingIn(page, 'Sign in').waitFor()
    await page.waitForLoadState('networkidle')
    expect([...answers.keys()].map(path => path.replace(/-\w+\./, '-HASH.')).sort()).toEqual([
      '/',
      '/console/main-HASH.css',
      '/console/main-HASH.js',
      '/console/theme-HASH.js',
    ])
    const sizes = await Promise.all(
      [...answers].map(async ([path, body]) => ({ path, bytes: gzipSync(await body).length })),
    )
    const sumOf = (end: string) =>
      sizes.filter(({ path }) => path.endsWith(end)).reduce((sum, { bytes }) => sum + bytes, 0)
    const script = sumOf('.js')
    expect(script).toBeGreaterThan(5_000)
    expect(script).toBeLessThanOrEqual(SCRIPT_BYTES)
    expect(sumOf('')).toBeLessThanOrEqual(ALL_BYTES)
    expect(new URL(page.url()).origin).toBe(inject('edge'))
  })
})

const LOST = 'The service does not answer. Trying again'

consoleTests('a lost connection', () => {
  it('is reported beside a photo, and the faces of the photo appear when it is back', async () => {
    const page = await visit({ token: inject('token'), trouble: /ERR_INTERNET_DISCONNECTED/ })
    await page.context().setOffline(true)
    await page.locator('input[type=file]').setInputFiles(samplePath(1))
    await waitForText(page, LOST)
    await waitForText(page.getByRole('alert'), 'Check the connection')
    await page.context().setOffline(false)
    await headingIn(page, '3 faces').waitFor()
    expect(await page.getByRole('alert').count()).toBe(0)
  })

  it('leaves no picture out', async () => {
    const { token, api } = freshOwner()
    await enrol(api, 2)
    const page = await visit({ token, trouble: /ERR_INTERNET_DISCONNECTED|ERR_FAILED/ })
    await page.route('**/pictures/**', route => route.abort())
    await linkIn(page, 'Galleries').click()
    const width = () =>
      page.locator('img.thumbnail').evaluate(image => (image as HTMLImageElement).naturalWidth)
    await expect.poll(width).toBe(0)
    await page.unroute('**/pictures/**')
    await page.context().setOffline(true)
    await page.getByRole('searchbox', { name: 'Search' }).fill('Ann')
    await waitForText(page, LOST)
    await page.context().setOffline(false)
    await expect.poll(width).toBeGreaterThan(0)
  })
})
