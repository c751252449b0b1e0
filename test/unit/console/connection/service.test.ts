import { MienError, MienNetworkError, MienTimeoutError } from '#clients/typescript/src/index.ts'
import { openService, sameOrigin, sentenceOf } from '#console/connection/service.ts'
import { tokenIn } from '#console/connection/session.ts'

describe('the service of a page', { tags: 'long' }, () => {
  it('is asked for pictures on the origin of the page', () => {
    const link = 'https://public.example.com/pictures/a/b/thumbnail.jpg?key=1'
    expect(sameOrigin('http://127.0.0.1:8787', link)).toBe(
      'http://127.0.0.1:8787/pictures/a/b/thumbnail.jpg?key=1',
    )
    expect(sameOrigin('http://127.0.0.1:8787', 'javascript:alert(1)')).toBe('')
    expect(sameOrigin('http://127.0.0.1:8787', '')).toBe('')
  })

  it('counts changes of its client, and none of work beside the pages', async () => {
    vi.stubGlobal('fetch', async () => new Response(null, { status: 204 }))
    const url = 'http://127.0.0.1:8787'
    const service = openService({ url, credential: { token: 'a' }, onRefused: () => undefined })
    await service.backgroundClient.faces.delete(1)
    expect(service.changes.get()).toBe(0)
    await service.client.faces.delete(1)
    expect(service.changes.get()).toBe(1)
    vi.unstubAllGlobals()
  })
})

const refused = (reason: string, more = {}) =>
  new MienError({ status: 400, code: 'BAD_PARAM', reason, ...more })

it.each([
  [refused('Too many faces: 3'), 'Too many faces: 3.'],
  [refused('Too many requests.', { status: 429, retryAfter: 7 }), 'Too many requests. Try again in 7 s.'],
  [new MienNetworkError('x'), 'The service does not answer. Check the connection and try again.'],
  [new MienTimeoutError('x'), 'The service took too long to answer. Try again.'],
  [new TypeError('secret'), 'Something went wrong in the console. Load the page again.'],
])('sentenceOf(%s) is a sentence', (error, sentence) => {
  expect(sentenceOf(error)).toBe(sentence)
})

it.each(['mien_abc', 'Authorization: Token mien_abc', '"mien_abc"'])(
  'tokenIn finds the token in %j',
  typed => {
    expect(tokenIn(typed)).toBe('mien_abc')
  },
)
