/** GET /docs and the pages below it, without a token. */
import { inject } from 'vitest'
import { anonymous } from '../shared.ts'

const get = (path: string) => fetch(inject('edge') + path)

describe('GET /docs', () => {
  it.each(['/docs', '/docs/', '/v0/docs', '/v1/docs'])('lists the versions at %s', async path => {
    const { status, body } = await anonymous('GET', path)
    expect(status).toBe(200)
    expect(body.results).toEqual(
      [
        ['v0', 'stable'],
        ['v1', 'beta'],
      ].map(([version, status]) => ({
        version,
        status,
        overview: `${inject('edge')}/${version}/docs/${version}/overview.html`,
        openapi: `${inject('edge')}/docs/${version}`,
      })),
    )
    for (const { overview, openapi } of body.results)
      for (const link of [overview, openapi]) await expect(fetch(link)).toAnswer(200)
  })

  it.each(['v0', 'v1'])('answers the same document of %s below every version', async version => {
    const documents = await Promise.all(
      ['', '/v0', '/v1'].map(prefix => anonymous('GET', `${prefix}/docs/${version}`)),
    )
    for (const { body } of documents) expect(body.info.version).toBe(version)
    expect(new Set(documents.map(({ body }) => JSON.stringify(body))).size).toBe(1)
  })

  it.each(['/docs/v2', '/docs/toString', '/docs/v0/other.html'])('answers NOT_FOUND for %s', async path => {
    expect(await anonymous('GET', path)).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } })
  })

  it.each(['/v0/docs/v0/', '/v1/docs/v1/'])(
    'serves a page in %s whose policy allows neither other origins nor inline code',
    async folder => {
      const page = await get(`${folder}overview.html`)
      expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
      const policy = page.headers.get('content-security-policy') ?? ''
      expect(policy).toContain("default-src 'none'")
      expect(policy).not.toMatch(/unsafe|\*|http/)
      const loaded = [...(await page.text()).matchAll(/(?:src|href)="([^":]+)"/g)].map(([, file]) => file)
      expect(loaded).toHaveLength(4)
      for (const file of loaded) expect((await get(folder + file)).status, file).toBe(200)
    },
  )
})
