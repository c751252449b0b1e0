/** GET / in a browser and for API clients. */
import { createHash } from 'node:crypto'
import { describe, expect, inject, it } from 'vitest'
import { homePage } from '../../../../edge/openapi/home-page.ts'
import { startEdge } from '../edge-process.ts'
import { anonymous, api } from '../shared.ts'

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8'

const get = (origin: string, accept: string, method = 'GET') =>
  fetch(`${origin}/`, { method, headers: { accept } })

describe('GET / in a browser', () => {
  it('answers a page with the status of core and working links', async () => {
    const response = await get(inject('edge'), BROWSER)
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
    const page = await response.text()
    expect(page).toContain('<dt>Core</dt><dd class="ready">ready</dd>')
    expect(page).toContain(`${inject('edge')}/v1/detect`)
    const links = [...page.matchAll(/href="([^"]+)"/g)].flatMap(([, link = '']) =>
      link === 'data:,' ? [] : link,
    )
    expect(links).toHaveLength(4)
    for (const link of links)
      expect((await fetch(new URL(link, `${inject('edge')}/`))).status, link).toBe(200)
  })

  it('loads nothing and allows no style except its own', async () => {
    const response = await get(inject('edge'), BROWSER)
    const policy = response.headers.get('content-security-policy') ?? ''
    const [, style = ''] = /<style>(.*)<\/style>/s.exec(await response.text()) ?? []
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain(`style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`)
    expect(policy).not.toMatch(/unsafe|\*|http/)
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect(response.headers.get('vary')).toContain('Accept')
  })

  it('answers HEAD with the same headers', async () => {
    const response = await get(inject('edge'), BROWSER, 'HEAD')
    expect({ status: response.status, text: await response.text() }).toEqual({ status: 200, text: '' })
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
  })

  it('reports that core is not ready', async () => {
    const edge = await startEdge(inject('data'), ['http://127.0.0.1:1'])
    expect(await (await get(edge, BROWSER)).text()).toContain('<dt>Core</dt><dd class="away">not ready')
  })
})

it('homePage escapes the configured address', () => {
  expect(homePage(true, 'https://a.test/"<b>&')).toContain('https://a.test/&#34;&#60;b&#62;&#38;/v1/detect')
  expect(homePage(undefined, '')).toContain('load this page again')
})

describe('GET / of an API client', () => {
  it.each([
    '*/*',
    'application/json',
    '',
    'application/json, text/html',
    'text/html;q=0.5, application/json',
  ])('answers JSON: Accept: %s', async accept => {
    const refused = await anonymous('GET', '/', undefined, { accept })
    expect(refused).toMatchObject({ status: 401, body: { code: 'AUTH_FAILED' } })
    const unknown = await api('GET', '/', undefined, { accept })
    expect(unknown).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } })
  })
})
