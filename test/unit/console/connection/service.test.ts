import { describe, expect, it } from 'vitest'
import { MienError, MienNetworkError, MienTimeoutError } from '#clients/typescript/src/index.ts'
import { openService, sameOrigin, sentenceOf, serviceUrl } from '#console/connection/service.ts'
import { tokenIn } from '#console/connection/session.ts'

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

const refused = (reason: string, more = {}) =>
  new MienError({ status: 400, code: 'BAD_PARAM', reason, ...more })

it.each([
  [refused('No face was found.'), 'No face was found.'],
  [refused('Too many faces: 3'), 'Too many faces: 3.'],
  [refused('Too many requests.', { status: 429, retryAfter: 7 }), 'Too many requests. Try again in 7 s.'],
  [new MienNetworkError('x'), 'The service does not answer. Check the connection and try again.'],
  [new MienTimeoutError('x'), 'The service took too long to answer. Try again.'],
  [new TypeError('secret'), 'Something went wrong in the console. Load the page again.'],
])('sentenceOf(%s) is a sentence', (error, sentence) => {
  expect(sentenceOf(error)).toBe(sentence)
})

it.each([
  'mien_abc',
  '  mien_abc\n',
  'Token mien_abc',
  'bearer mien_abc',
  'Authorization: Token mien_abc',
  '"mien_abc"',
])('tokenIn finds the token in %j', typed => {
  expect(tokenIn(typed)).toBe('mien_abc')
})
