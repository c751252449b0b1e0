import { describe, expect, it } from 'vitest'
import { openService, sameOrigin, serviceUrl } from '#console/connection/service.ts'

const SOON = { timeout: 20_000 }

describe('the service of a page', { tags: 'long' }, () => {
  it.each([
    ['http://127.0.0.1:8787/', 'http://127.0.0.1:8787'],
    ['http://127.0.0.1:8787/#/galleries/a', 'http://127.0.0.1:8787'],
    ['https://example.com/mien/?x=1#/try', 'https://example.com/mien'],
  ])('at %s has the URL %s', (page, url) => {
    expect(serviceUrl(page)).toBe(url)
  })

  it('is asked for pictures on the origin of the page', () => {
    const link = 'https://public.example.com/pictures/a/b/thumbnail.jpg?key=1'
    expect(sameOrigin('http://127.0.0.1:8787', link)).toBe(
      'http://127.0.0.1:8787/pictures/a/b/thumbnail.jpg?key=1',
    )
    expect(sameOrigin('http://127.0.0.1:8787', 'javascript:alert(1)')).toBe('')
    expect(sameOrigin('http://127.0.0.1:8787', '')).toBe('')
  })

  it('is offline after a failed request, and online once its health check succeeds', async () => {
    let isUp = false
    const asked: string[] = []
    const fetch = async (input: unknown) => {
      asked.push(new URL(String(input)).pathname)
      if (!isUp) throw new TypeError('fetch failed')
      return Response.json({ results: [] })
    }
    const { client, isOnline, recoveries } = openService({
      url: 'http://service',
      token: 'mien_a',
      onRefusedToken: () => undefined,
      fetch: fetch as typeof globalThis.fetch,
    })
    await expect(client.galleries.list().toArray()).rejects.toThrow('no answer')
    expect(isOnline.get()).toBe(false)
    isUp = true
    await expect.poll(() => isOnline.get(), SOON).toBe(true)
    expect(recoveries.get()).toBe(1)
    expect(asked.at(-1)).toBe('/healthz')
  })

  it('reports a refused token', async () => {
    let refusals = 0
    const { client } = openService({
      url: 'http://service',
      token: 'mien_a',
      onRefusedToken: () => refusals++,
      fetch: async () => Response.json({ code: 'AUTH_FAILED', reason: 'No.' }, { status: 401 }),
    })
    await expect(client.galleries.list().toArray()).rejects.toMatchObject({ status: 401 })
    expect(refusals).toBe(1)
  })
})
